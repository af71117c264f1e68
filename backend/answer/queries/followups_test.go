package queries

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// talkTurn is the last turn of a talk about a passage, with the sentence that
// answers it.
type talkTurn struct {
	Doc        string
	History    []struct{ Question, Answer string }
	Question   string
	Answerable bool
	Sentence   string
	Passage    string
}

func talkTurns(t *testing.T) (turns []talkTurn) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "answering", "followups", "abg-coqa.jsonl.gz"))
	if err != nil {
		t.Skip("no talks beside the checkout")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var turn talkTurn
		if err := json.Unmarshal(lines.Bytes(), &turn); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	return turns
}

// TestFollowUpsFindTheirSentence looks for the sentence that answers the last turn
// of a talk among those of its passage, with the words as typed and in full. Half
// of the passages were never looked at.
func TestFollowUpsFindTheirSentence(t *testing.T) {
	type sums struct{ n, typed, full, changed float64 }
	var parts [2]sums
	for _, turn := range talkTurns(t) {
		if !turn.Answerable || turn.Sentence == "" {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(turn.Doc))
		s := &parts[h.Sum32()%2]
		var history []contract.Turn
		for _, h := range turn.History {
			history = append(history, contract.Turn{Question: h.Question, Answer: h.Answer})
		}
		full := Standalone(turn.Question, history)
		s.n++
		s.typed += reciprocalRank(turn, turn.Question)
		s.full += reciprocalRank(turn, full)
		if full != turn.Question {
			s.changed++
		}
	}
	for i, s := range parts {
		t.Logf("%s: %v turns, mean reciprocal rank as typed %.3f, in full %.3f; %v changed", []string{"looked at", "held out"}[i], s.n, s.typed/s.n, s.full/s.n, s.changed)
		if s.full < s.typed {
			t.Error("said in full, questions find less")
		}
	}
}

func reciprocalRank(turn talkTurn, question string) float64 {
	var texts []string
	for _, s := range evidence.Sentences(turn.Passage) {
		texts = append(texts, turn.Passage[s.Start:s.End])
	}
	scores := rank.NewBM25(texts).Scores(question)
	for i, text := range texts {
		if !strings.Contains(text, strings.TrimSpace(turn.Sentence)) && !strings.Contains(turn.Sentence, strings.TrimSpace(text)) {
			continue
		}
		place := 1.0
		for j, other := range scores {
			if other > scores[i] || other == scores[i] && j < i {
				place++
			}
		}
		if scores[i] == 0 {
			return 0
		}
		return 1 / place
	}
	return 0
}

func TestWhatIsSaidWhereNothingIsFoundIsNoHistory(t *testing.T) {
	history := []contract.Turn{{Question: "Who wrote the tender?", Answer: "Nothing found that answers this. Searched your files."}}
	if got := Standalone("When did he write it?", history); strings.Contains(got, "Nothing") || strings.Contains(got, "Searched") {
		t.Error(got)
	}
}

func TestWhatIsOnlyUtteredIsNoPartOfAQuestion(t *testing.T) {
	history := []contract.Turn{
		{Question: "Where are the tickets collected?", Answer: "At the door [1]."},
		{Question: "ok thanks!", Answer: "You are welcome."},
	}
	if got := Standalone("hm, until when?", history); strings.Contains(got, "hm") || !strings.Contains(got, "tickets") {
		t.Error(got)
	}
}

func TestAQueryHasAllTheWordsThatCarryMeaning(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	plans := []contract.Turn{{Question: "What does the basic plan cost?", Answer: "It costs 5 euros a month [1]."}}
	for question, history := range map[string][]contract.Turn{
		"and the pro plan?": plans, "why?": plans, "Should I give notice?": nil, "Who won the 2019 Booker Prize?": nil, "What can could should have been?": nil, "Is the will valid?": nil,
	} {
		full := Standalone(question, history)
		if query := ByRules(full, now); contentCount(query) < contentCount(full) {
			t.Errorf("%q is asked as %q", full, query)
		}
	}
}
