package cite

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/evidence"
)

// shared finds a file of the shared test data beside the project.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no module root")
		}
		dir = filepath.Dir(dir)
	}
	b, err := os.ReadFile(filepath.Join(dir, "..", "shared", name))
	if err != nil {
		t.Skipf("shared test data is absent: %s", name)
	}
	return b
}

// lines reads a file of one JSON object a line.
func lines[T any](t testing.TB, name string) []T {
	t.Helper()
	var all []T
	s := bufio.NewScanner(bytes.NewReader(shared(t, name)))
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var x T
		if err := json.Unmarshal(s.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// labelled is a claim with its passage and what people said of it.
type labelled struct {
	claim, question string
	passage         *Passage
	supported       bool
	label, group    string
}

// judged is a labelled pair with what the checker said.
type judged struct {
	labelled
	finding Finding
}

// each runs work over n items on both cores.
func each(n int, work func(i int)) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := w; i < n; i += 2 {
				work(i)
			}
		})
	}
	wg.Wait()
}

func judgeAll(c *Checker, pairs []labelled) []judged {
	out := make([]judged, len(pairs))
	each(len(pairs), func(i int) {
		out[i] = judged{pairs[i], c.CheckRead(pairs[i].claim, pairs[i].question, pairs[i].passage)}
	})
	return out
}

// auroc is the chance that a supported pair scores above another one.
func auroc(scores []float64, positive []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	sum, pos := 0.0, 0
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && scores[order[j]] == scores[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			if positive[order[k]] {
				sum += float64(i+j+1) / 2
				pos++
			}
		}
		i = j
	}
	neg := len(order) - pos
	return (sum - float64(pos)*float64(pos+1)/2) / float64(pos) / float64(neg)
}

func setAUROC(all []judged) float64 {
	scores, positive := make([]float64, len(all)), make([]bool, len(all))
	for i, x := range all {
		scores[i], positive[i] = x.finding.Score, x.supported
	}
	return auroc(scores, positive)
}

// ofSentences reads a passage that comes cut into sentences.
func (c *Checker) ofSentences(list []string) *Passage {
	return c.Read(strings.Join(list, "\n"))
}

// keptSets are the labelled pairs that were read, by name: a test changes none.
var keptSets = map[string][]labelled{}

func keptSet(name string, read func() []labelled) []labelled {
	if keptSets[name] == nil {
		keptSets[name] = read()
	}
	return keptSets[name]
}

func attribution(t testing.TB, c *Checker) []labelled {
	type row struct {
		Question, Claim, Label, Source string
		References                     []string
	}
	return keptSet("attribution", func() (out []labelled) {
		for _, x := range lines[row](t, "data/citations/attributionbench-dev/pairs.jsonl") {
			out = append(out, labelled{x.Claim, x.Question, c.Read(strings.Join(x.References, "\n")), x.Label == "supported", x.Label, x.Question})
		}
		return out
	})
}

func begin(t testing.TB, c *Checker, name string) []labelled {
	type row struct{ Knowledge, Message, Response, Label string }
	return keptSet("begin "+name, func() (out []labelled) {
		for _, x := range lines[row](t, "data/citations/begin/begin_dev_"+name+".jsonl") {
			out = append(out, labelled{x.Response, x.Message, c.Read(x.Knowledge), x.Label == "Fully attributable", x.Label, x.Message})
		}
		return out
	})
}

type scifactRow struct {
	Claim, Label string
	Sentences    []string
	Rationales   [][]int
}

func scifact(t testing.TB, c *Checker) ([]labelled, []scifactRow) {
	rows := lines[scifactRow](t, "data/citations/scifact-train/pairs.jsonl")
	return keptSet("scifact", func() (out []labelled) {
		for _, x := range rows {
			out = append(out, labelled{x.Claim, "", c.ofSentences(x.Sentences), x.Label == "supported", x.Label, x.Claim})
		}
		return out
	}), rows
}

func TestTheCheckerReachesItsBars(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	sci, _ := scifact(t, c)
	sets := []struct {
		name  string
		pairs []labelled
		bar   float64
	}{
		{"attributionbench-dev", attribution(t, c), .74}, {"begin cmu", begin(t, c, "cmu"), .97},
		{"begin wow", begin(t, c, "wow"), .95}, {"scifact-train", sci, .79},
	}
	var supported, kept, flagged, caught int
	for _, set := range sets {
		all := judgeAll(c, set.pairs)
		a := setAUROC(all)
		t.Logf("%-22s %5d pairs  auroc %.3f (bar %.2f)  macro F1 %.3f", set.name, len(all), a, set.bar, macroF1(all))
		if a < set.bar {
			t.Errorf("%s: auroc %.4f, want %.2f", set.name, a, set.bar)
		}
		for _, x := range all {
			contradicted := x.finding.Verdict == Contradicted
			switch {
			case x.supported:
				supported++
				if x.finding.Verdict == Supported {
					kept++
				}
				if contradicted {
					flagged++
					t.Logf("supported but contradicted: %s: %s", x.claim, x.finding.Why)
				}
			case contradicted && x.label == "contradicted":
				caught++
			case contradicted && x.label == "not_enough_info":
				flagged++
				t.Logf("no information but contradicted: %s: %s", x.claim, x.finding.Why)
			}
		}
	}
	recall := float64(kept) / float64(supported)
	t.Logf("supported recall %.3f of %d; contradicted: %d wrongly, %d of scifact-train rightly", recall, supported, flagged, caught)
	if recall < .63 || flagged > 0 || caught < 7 {
		t.Errorf("want recall .63, none wrongly contradicted, 7 rightly")
	}
}

// macroF1 is the mean F1 of supported and the rest, by verdict.
func macroF1(all []judged) float64 {
	sum := 0.0
	for _, class := range []bool{true, false} {
		tp, said, is := 0, 0, 0
		for _, x := range all {
			says := (x.finding.Verdict == Supported) == class
			if says {
				said++
			}
			if x.supported == class {
				is++
				if says {
					tp++
				}
			}
		}
		sum += 2 * float64(tp) / float64(said+is) / 2
	}
	return sum
}

func TestFaithfulAnswersScoreHigherByTheirSentences(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	type row struct {
		History  []struct{ Role, Text string }
		Contexts []struct{ Text string }
		Response string
		Human    struct{ Faithfulness float64 }
	}
	c := testChecker(t)
	rows := lines[row](t, "data/citations/mtrag-human-judged/answers.jsonl")
	scores, faithful := make([]float64, len(rows)), make([]bool, len(rows))
	each(len(rows), func(i int) {
		x := rows[i]
		var read []*Passage
		for _, p := range x.Contexts {
			read = append(read, c.Read(p.Text))
		}
		spans := evidence.Sentences(x.Response)
		for _, at := range spans {
			best := 0.0
			for _, p := range read {
				best = max(best, c.CheckRead(x.Response[at.Start:at.End], x.History[len(x.History)-1].Text, p).Score)
			}
			scores[i] += best / float64(len(spans))
		}
		faithful[i] = x.Human.Faithfulness >= 3.5
	})
	a := auroc(scores, faithful)
	t.Logf("mtrag %d answers  auroc %.3f (bar .82)", len(rows), a)
	if a < .82 {
		t.Errorf("auroc %.4f, want .82", a)
	}
}

// hits is the share of claims whose best sentence is a right one.
func hits(c *Checker, n int, item func(i int) (claim string, p *Passage, right func(k int) bool)) (share float64, count int) {
	hit := 0
	for i := range n {
		claim, p, right := item(i)
		if right == nil {
			continue
		}
		count++
		best := c.pair(claim, "", p.sentences).best
		if right(strings.Count(p.text[:p.spans[best].Start], "\n")) {
			hit++
		}
	}
	return float64(hit) / float64(count), count
}

func TestTheHighlightIsTheSentenceThatProves(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	report := func(name string, share float64, n int, bar float64) {
		t.Logf("%-14s %4d claims  hit@1 %.3f (bar %.2f)", name, n, share, bar)
		if share < bar {
			t.Errorf("%s: hit@1 %.3f, want %.2f", name, share, bar)
		}
	}
	pairs, rows := scifact(t, c)
	share, n := hits(c, len(pairs), func(i int) (string, *Passage, func(int) bool) {
		if len(rows[i].Rationales) == 0 {
			return "", nil, nil
		}
		return pairs[i].claim, pairs[i].passage, func(k int) bool {
			return slices.ContainsFunc(rows[i].Rationales, func(r []int) bool { return slices.Contains(r, k) })
		}
	})
	report("scifact-train", share, n, .55)
	type qedRow struct {
		Question  string
		Sentences []string
		Gold      []int `json:"gold_sentence"`
		Answers   []string
	}
	qed := lines[qedRow](t, "data/citations/qed-a/items.jsonl")
	share, n = hits(c, len(qed), func(i int) (string, *Passage, func(int) bool) {
		if len(qed[i].Gold) == 0 {
			return "", nil, nil
		}
		return qed[i].Question + " " + qed[i].Answers[0], c.ofSentences(qed[i].Sentences), func(k int) bool { return slices.Contains(qed[i].Gold, k) }
	})
	report("qed-a", share, n, .80)
	golds := hotpot(t)
	share, n = hits(c, len(golds), func(i int) (string, *Passage, func(int) bool) {
		return golds[i].claim, c.ofSentences(golds[i].sentences), func(k int) bool { return golds[i].facts[k] }
	})
	report("hotpotqa-100", share, n, .87)
}

// goldParagraph is a paragraph that holds supporting facts of a question.
type goldParagraph struct {
	claim     string
	sentences []string
	facts     map[int]bool
}

func hotpot(t testing.TB) []goldParagraph {
	type row struct {
		Question, Answer string
		Paragraphs       []struct {
			Title     string
			Sentences []string
		}
		Facts [][2]any `json:"supporting_facts"`
	}
	var out []goldParagraph
	for _, x := range lines[row](t, "data/citations/hotpotqa-100/items.jsonl") {
		for _, p := range x.Paragraphs {
			g := goldParagraph{x.Question + " " + x.Answer, p.Sentences, map[int]bool{}}
			for _, f := range x.Facts {
				if f[0] == p.Title {
					g.facts[int(f[1].(float64))] = true
				}
			}
			if len(g.facts) > 0 {
				out = append(out, g)
			}
		}
	}
	return out
}

var theChecker = sync.OnceValues(NewChecker)

func testChecker(t testing.TB) *Checker {
	t.Helper()
	c, err := theChecker()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
