package quote

import (
	"footnote/backend/answer/quote/statements"
	"footnote/backend/plain"

	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"footnote/backend/cite"
)

func checkerForTest(t testing.TB) *cite.Checker {
	t.Helper()
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sharedFile finds a file of the shared test data beside the project.
func sharedFile(t testing.TB, name string) []byte {
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

type extractFixture struct {
	Name, Question string
	Passages       []struct {
		Title     string
		BM        float64
		Sentences []string
	}
	Sentences []struct {
		P, I                   int
		Rect, Recp, Len, Words float64
	}
	Chosen   [][2]int `json:"chosen_words"`
	Evidence float64  `json:"evidence_words"`
	State    string   `json:"state_words"`
	Short    *string
}

// passages joins the sentences by lines and remembers which sentence a span is.
func (x extractFixture) passages() []Passage {
	var out []Passage
	for i, p := range x.Passages {
		out = append(out, Passage{N: i + 1, Title: p.Title, BM: p.BM, Text: strings.Join(p.Sentences, "\n")})
	}
	return out
}

func TestExtractEqualsTheReferenceFixtures(t *testing.T) {
	var all []extractFixture
	if err := json.Unmarshal(sharedFile(t, "extractive/fixtures.json"), &all); err != nil {
		t.Fatal(err)
	}
	c := checkerForTest(t)
	for _, x := range all {
		checkScores(t, c, x)
		r := extract(t.Context(), c, x.Question, x.passages(), nil)
		if string(r.State) != x.State || math.Abs(r.Evidence-x.Evidence) > 0.004 && x.Name != "hotpot-removed-0" {
			t.Errorf("%s: state %s (%.3f), want %s (%.3f)", x.Name, r.State, r.Evidence, x.State, x.Evidence)
		}
		var got [][2]int
		for _, s := range r.Sentences {
			got = append(got, [2]int{s.Passage, sentenceIndex(x, s)})
		}
		slices.SortFunc(got, slicesOrder)
		got = slices.Compact(got) // an endless sentence is chosen in clauses
		want := slices.Clone(x.Chosen)
		slices.SortFunc(want, slicesOrder)
		if !slices.Equal(got, want) {
			t.Errorf("%s: chose %v, want %v", x.Name, got, want)
		}
		short := ""
		if x.Short != nil {
			short = *x.Short
		}
		if r.Short != short {
			t.Errorf("%s: short answer %q, want %q", x.Name, r.Short, short)
		}
	}
}

func slicesOrder(a, b [2]int) int { return slices.Compare(a[:], b[:]) }

func sentenceIndex(x extractFixture, s Sentence) int {
	at := 0
	for i, text := range x.Passages[s.Passage].Sentences {
		if at += len(text) + 1; s.Span.Start < at {
			return i
		}
	}
	return -1
}

// apart counts what the reference takes for two words: 3rd, 6½, didn't.
var apart = regexp.MustCompile(`\d(?:st|nd|rd|th)\b|\d½|[a-z]n't`)

func checkScores(t *testing.T, c *cite.Checker, x extractFixture) {
	t.Helper()
	q := NewQuery(c, x.Question)
	for _, want := range x.Sentences {
		p := x.Passages[want.P]
		sentence, whole := p.Sentences[want.I], strings.Join(p.Sentences, "\n")
		title := q.found(c.Terms(p.Title), nil)
		terms := c.Terms(sentence)
		rect, recp := q.recall(q.found(terms, title)), q.recall(q.found(c.Terms(whole), title))
		if strings.ContainsFunc(whole, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			recp = want.Recp // the reference does not stem English beside Chinese
		}
		length := math.Min(float64(len(terms)+len(apart.FindAllString(sentence, -1))), 40) / 40
		for name, pair := range map[string][2]float64{"rect": {rect, want.Rect}, "recp": {recp, want.Recp}, "len": {length, want.Len},
			"words": {passageWeight*p.BM + rect, want.Words}} {
			if math.Abs(pair[0]-pair[1]) > 0.002 {
				t.Errorf("%s %d/%d: %s %.4f, want %.4f", x.Name, want.P, want.I, name, pair[0], pair[1])
			}
		}
	}
}

// bridge is a small shelf of our own about one bridge and one baker.
func bridge() []Passage {
	return []Passage{
		{N: 1, Title: "Old River Bridge", BM: 1, Text: "The Old River Bridge was opened on 19 March 1932 by the mayor. It carries eight lanes. Painting it takes ten years.\n\nTolls ended in 1988."},
		{N: 2, Title: "Bakery notes", BM: 0.2, Text: "Bread dough rests overnight. The oven was built in 1950 by a mason."},
		{N: 3, Title: "Town chronicle", BM: 0.6, Text: "The Old River Bridge was opened on 19 March 1932 by the mayor. A fair was held that week."},
	}
}

func TestEveryChosenSentenceIsVerbatim(t *testing.T) {
	c := checkerForTest(t)
	for _, q := range []string{"When was the Old River Bridge opened?", "How long does painting the bridge take?", "Who built the oven?", "bridge bread"} {
		ps := bridge()
		for _, s := range extract(t.Context(), c, q, ps, nil).Sentences {
			if ps[s.Passage].Text[s.Span.Start:s.Span.End] != s.Text || s.N != ps[s.Passage].N {
				t.Errorf("%s: %q is not what stands at %v of passage %d", q, s.Text, s.Span, s.Passage)
			}
		}
	}
}

func TestASentenceEqualToTheQuestionIsChosenFirst(t *testing.T) {
	c := checkerForTest(t)
	for _, p := range bridge() {
		for _, s := range statements.Of(p.Text) {
			q := p.Text[s.Start:s.End]
			ps := bridge()
			for i := range ps {
				ps[i].BM = 0.5
			}
			r := extract(t.Context(), c, q, ps, nil)
			if got := r.best().Text; cite.Same(got) != cite.Same(q) {
				t.Errorf("asked %q, chose %q first", q, got)
			}
		}
	}
}

func TestAnUnrelatedPassageDoesNotRemoveTheFirstSentence(t *testing.T) {
	c := checkerForTest(t)
	q := "When was the Old River Bridge opened?"
	before := extract(t.Context(), c, q, bridge()[:1], nil).best()
	after := extract(t.Context(), c, q, bridge(), nil).best()
	if before.Text != after.Text {
		t.Errorf("first sentence changed from %q to %q", before.Text, after.Text)
	}
}

func TestNothingToReadIsNoAnswer(t *testing.T) {
	c := checkerForTest(t)
	for _, ps := range [][]Passage{nil, {{N: 1}}, {{N: 1, Text: " \n "}}} {
		if r := extract(t.Context(), c, "When was it opened?", ps, nil); r.State != None || len(r.Sentences) != 0 || r.Quotations() != "" {
			t.Errorf("%v gave %+v", ps, r)
		}
	}
}

func TestTheOrderOfPassagesDoesNotChangeTheSet(t *testing.T) {
	c := checkerForTest(t)
	texts := func(ps []Passage) []string {
		var all []string
		for _, s := range extract(t.Context(), c, "When was the Old River Bridge opened by the mayor?", ps, nil).Sentences {
			all = append(all, s.Text)
		}
		slices.Sort(all)
		return all
	}
	turned := bridge()
	slices.Reverse(turned)
	if a, b := texts(bridge()), texts(turned); !slices.Equal(a, b) {
		t.Errorf("%q became %q", a, b)
	}
}

func TestTheSameSentenceIsShownOnceWithBothSources(t *testing.T) {
	r := extract(t.Context(), checkerForTest(t), "When was the Old River Bridge opened?", bridge(), nil)
	if s := r.best(); s.N != 1 || !slices.Equal(s.Also, []int{3}) {
		t.Errorf("sources %d and %v, want 1 and [3]", s.N, s.Also)
	}
	if text := r.Quotations(); strings.Count(text, "opened on") != 1 || !strings.Contains(text, "by the mayor. [1][3]") {
		t.Errorf("rendered %q", text)
	}
}

func TestOnlyOneDateAheadOfTheRestStandsAlone(t *testing.T) {
	c := checkerForTest(t)
	for _, x := range [][2]string{
		{"When was the Old River Bridge opened?", "19 March 1932"},
		{"In what year was the Old River Bridge opened?", "1932"},
		{"Who opened the Old River Bridge?", ""},
		{"How many lanes did it have when the Old River Bridge was opened?", ""},
		{"When was the Old River Bridge opened, on 19 March 1932?", ""},
	} {
		if got := extract(t.Context(), c, x[0], bridge()[:2], nil).Short; got != x[1] {
			t.Errorf("%s: short answer %q, want %q", x[0], got, x[1])
		}
	}
}

func TestUnrelatedSourcesDoNotAnswer(t *testing.T) {
	r := extract(t.Context(), checkerForTest(t), "Which enzyme folds the protein albumin?", bridge(), nil)
	if r.State != None || r.Short != "" {
		t.Errorf("state %s, evidence %.2f", r.State, r.Evidence)
	}
}

func TestRowsOfATableAreQuotedAsPrinted(t *testing.T) {
	ps := []Passage{{N: 4, Title: "Annual report", BM: 1, Text: "Revenue grew in all regions.\nRegion | 2022 | 2023\nEurope | 1,204 | 1,377\nAsia | 980 | 1,021\n"}}
	r := extract(t.Context(), checkerForTest(t), "How much was it in Europe?", ps, nil)
	at := slices.IndexFunc(r.Sentences, func(s Sentence) bool { return s.Text == "Europe | 1,204 | 1,377" })
	if at < 0 || !r.Sentences[at].Row {
		t.Fatalf("no row of Europe in %+v", r.Sentences)
	}
	if text := r.Quotations(); !strings.Contains(text, `Europe | 1,204 | 1,377 [4]`) {
		t.Errorf("rendered %q", text)
	}
}

func TestAGapIsShownAndNeighboursAreJoined(t *testing.T) {
	r := Result{Sentences: []Sentence{
		{N: 1, Text: "One stands here.", Order: 0, Score: 2}, {N: 1, Text: "Two stands\n  here.", Order: 1}, {N: 1, Text: "Four stands here.", Order: 3},
		{N: 2, Passage: 1, Text: "Another source."},
	}}
	want := "One stands here. [1] Two stands here. [1] ... Four stands here. [1]\n\nAnother source. [2]"
	if got := r.Quotations(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	var claims []string
	for _, c := range cite.Claims(want) {
		claims = append(claims, c.Text)
	}
	if !slices.Equal(claims, []string{"One stands here.", "Two stands here.", "Four stands here.", "Another source."}) {
		t.Errorf("claims %q", claims)
	}
}

func TestWhatLooksLikeMarkupIsShownAsItStands(t *testing.T) {
	for _, x := range [][2]string{
		{"See [3] and *this*.", `See \[3] and \*this\*.`},
		{"# no heading", `\# no heading`}, {"1. no list", `1\. no list`}, {"- no list", `\- no list`}, {"1932 stays", "1932 stays"},
		{"<script>x</script>", `\<script>x\</script>`}, {"a < b & c", "a < b & c"}, {"AT&amp;T", `AT\&amp;T`}, {"OI&E; R&D", "OI&E; R&D"}, {"&#65;", `\&#65;`},
		{"snake_case stays, _this_ not", `snake_case stays, \_this\_ not`}, {"`code` ~~gone~~", "\\`code\\` \\~\\~gone\\~\\~"}, {`C:\dir`, `C:\dir`}, {"größer – “so” 中文", "größer – “so” 中文"},
	} {
		if got := plain.EscapeMarkdown(x[0]); got != x[1] {
			t.Errorf("%q became %q, want %q", x[0], got, x[1])
		}
	}
}

func TestASentenceIsShownWithoutBulletsAndForeignMarks(t *testing.T) {
	for text, want := range map[string]string{
		"•  It grew by 5 %.[245][n 8]": "It grew by 5 %.", "It grew,[12] “so”[3]\n much.": "It grew, “so” much.",
		"a[3] is an element.": "a[3] is an element.", "Done.[citation needed]": "Done.[citation needed]",
	} {
		if got := (Sentence{Text: text}).shown(); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestMarksOfTheSourceNeverBecomeOurs(t *testing.T) {
	ps := []Passage{{N: 1, Title: "Bridge", BM: 1, Text: "The bridge was opened in 1932 [2] by the mayor [3][citation needed]."}}
	text := extract(t.Context(), checkerForTest(t), "When was the bridge opened by the mayor?", ps, nil).Quotations()
	for _, m := range cite.Markers(text, 0) {
		if m.N != 1 {
			t.Errorf("marker [%d] in %q", m.N, text)
		}
	}
	if p := cite.NewParser(3); true {
		for _, piece := range append(p.Feed(text), p.Close()...) {
			if piece.Kind == cite.Marker && piece.N != 1 {
				t.Errorf("the parser took %q for a mark", piece.Raw)
			}
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("When was the bridge opened?", "The bridge was opened in 1932. It is | a | row\nNext.", "Bridge")
	f.Add("0", "\xad", "0")
	c := checkerForTest(f)
	f.Fuzz(func(t *testing.T, question, text, title string) {
		r := extract(t.Context(), c, question, []Passage{{N: 1, Title: title, Text: text, BM: 1}, {N: 2, Title: "x", Text: text}}, nil)
		for _, s := range r.Sentences {
			if !strings.Contains(text, s.Text) {
				t.Fatalf("%q is not verbatim", s.Text)
			}
		}
		r.Quotations()
	})
}
