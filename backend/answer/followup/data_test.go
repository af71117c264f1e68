package followup

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"
)

// turnData is a turn of a conversation with what a person made of it.
type turnData struct {
	ID, File   string
	History    []Turn
	Question   string
	Standalone string
	Depends    bool
}

func pacific(t *testing.T) (turns []turnData) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "answering", "followups", "pacific.jsonl.gz"))
	if err != nil {
		t.Skip("no conversations beside the checkout")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var turn turnData
		if err := json.Unmarshal(lines.Bytes(), &turn); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	return turns
}

// heldOut reports whether a conversation is kept for reporting: the rules were
// made looking at the others.
func heldOut(conversation string) bool {
	h := fnv.New32a()
	h.Write([]byte(conversation))
	return h.Sum32()%2 == 1
}

// tokenF1 is how much two questions have in common.
func tokenF1(a, b string) float64 {
	count := map[string]int{}
	wordsA, wordsB := plainWords(a), plainWords(b)
	for _, w := range wordsA {
		count[w]++
	}
	common := 0.0
	for _, w := range wordsB {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if common == 0 {
		return 0
	}
	precision, recall := common/float64(len(wordsB)), common/float64(len(wordsA))
	return 2 * precision * recall / (precision + recall)
}

func plainWords(text string) (out []string) {
	q := newQuestion(english, text)
	for i := range q.toks {
		if q.isWord(i) {
			out = append(out, q.word(i))
		}
	}
	return out
}

func TestFollowUpsOfReportsAreSaidInFull(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	type sums struct{ n, copied, rewritten, alone, touched float64 }
	var parts [2]sums
	for _, turn := range pacific(t) {
		s := &parts[0]
		if heldOut(turn.File) {
			s = &parts[1]
		}
		got := Standalone(turn.Question, turn.History)
		if !turn.Depends {
			s.alone++
			if got != turn.Question {
				s.touched++
			}
			continue
		}
		s.n++
		s.copied += tokenF1(turn.Question, turn.Standalone)
		f := tokenF1(got, turn.Standalone)
		s.rewritten += f
		if f < 0.75 && !heldOut(turn.File) && testing.Verbose() {
			t.Logf("%.2f %q → %q, a person: %q", f, turn.Question, got, turn.Standalone)
		}
	}
	for i, s := range parts {
		if s.rewritten/s.n < 0.84 || s.touched/s.alone > 0.06 {
			t.Errorf("in full %.3f, %v of %v touched", s.rewritten/s.n, s.touched, s.alone)
		}
		t.Logf("%s: %v turns, as typed %.3f, in full %.3f; %v of %v that stand alone were touched", []string{"looked at", "held out"}[i], s.n, s.copied/s.n, s.rewritten/s.n, s.touched, s.alone)
	}
}
