package cite

import (
	"slices"
	"strings"
	"testing"
)

// saidBy lists "text [markers]" of every claim.
func saidBy(canonical string) []string {
	var all []string
	for _, c := range Claims(canonical) {
		s := c.Text
		for _, n := range c.Markers {
			s += " [" + string(rune('0'+n)) + "]"
		}
		all = append(all, s)
	}
	return all
}

func TestAClaimIsTheSentenceOfItsMarkers(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"It opened in 1932 [1]. It is long.", []string{"It opened in 1932 [1]"}},
		{"It opened in 1932. [1] It is long. [2][3]", []string{"It opened in 1932. [1]", "It is long. [2] [3]"}},
		{"It opened in 1932.[1] It is long.[2]", []string{"It opened in 1932. [1]", "It is long. [2]"}},
		{"The bridge was opened in 1932 [1] after eight years of work [2].", []string{"The bridge was opened in 1932 [1]", "after eight years of work [2]"}},
		{"The bridge [1] was opened in 1932.", []string{"The bridge was opened in 1932. [1]"}},
		{"It cost 4.2 million, e.g. for steel, in the U.S. alone [1]. Next.", []string{"It cost 4.2 million, e.g. for steel, in the U.S. alone [1]"}},
		{"- Steel arch [1]\n- Eight lanes. [2]\n1. Numbered item [3]", []string{"Steel arch [1]", "Eight lanes. [2]", "Numbered item [3]"}},
		{"| What | When |\n|---|---|\n| Opened | 1932 [1] |\n| Closed for good | 1990 | [2] |", []string{"Opened: 1932 [1]", "Closed for good 1990 [2]"}},
		{"**Bold fact.** [1] Another fact follows [2].", []string{"Bold fact. [1]", "Another fact follows [2]"}},
		{"東京は首都です。[1]人口は多い。[2]", []string{"東京は首都です。 [1]", "人口は多い。 [2]"}},
		{"```\nx = y [1]\n```\nReal fact here [2].", []string{"Real fact here [2]"}},
		{"A fact that is\nwrapped over lines [1].", []string{"A fact that is wrapped over lines [1]"}},
		{"A fact stands here.\n\n[1]", []string{"A fact stands here. [1]"}},
		{"A fact [1].\n\n## Sources\n\n[1] A title\n[2] Another", []string{"A fact [1]"}},
		{"> A quoted fact [1]", []string{"A quoted fact [1]"}},
		{"## A heading [1]\n\nText.", []string{"A heading [1]"}},
		{"No marker at all.", nil}, {"", nil}, {"In [2024] it grew.", nil},
	} {
		if got := saidBy(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q\n got  %q\n want %q", c.text, got, c.want)
		}
	}
}

func TestAClaimLiesInTheTextWithoutItsMarkers(t *testing.T) {
	text := "First. The bridge was opened in 1932 [1], says one, and – “so” – by Anna [2][3]. Last"
	for _, c := range Claims(text) {
		s := text[c.Sentence.Start:c.Sentence.End]
		if strings.ContainsAny(s, "[]") || strings.TrimSpace(s) != s || c.Whole.Start > c.Sentence.Start || c.Whole.End < c.Sentence.End {
			t.Errorf("claim %q of %q", s, text[c.Whole.Start:c.Whole.End])
		}
	}
}

func TestMarkersAreFoundWhereTheyStand(t *testing.T) {
	text := "A [1][2], `[3]`, a[1], [2024], [x](y) \\[4], [5] and\n[^6]: d\n[7]"
	var got []int
	for _, m := range Markers(text, 0) {
		got = append(got, m.N)
		if s := text[m.Span.Start:m.Span.End]; len(s) != 3 || s[0] != '[' || s[2] != ']' {
			t.Errorf("marker %d at %q", m.N, s)
		}
	}
	if want := []int{1, 2, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := len(Markers(text, 2)); n != 2 {
		t.Errorf("%d markers of two sources, want 2", n)
	}
}

func TestTheReportCountsAndWarns(t *testing.T) {
	long := "This sentence is certainly long enough"
	for _, c := range []struct {
		text     string
		sources  int
		count    int
		valid    bool
		coverage float64
		warnings []string
	}{
		{long + " [1]. " + long + " [2].", 2, 2, true, 1, []string{}},
		{long + " [1]. " + long + ". " + long + ". " + long + ".", 2, 1, true, .25, []string{WarnCoverage, WarnSingle}},
		{long + " [1]. " + long + " [3].", 2, 2, false, 1, []string{WarnInvalid}},
		{long + ".", 2, 0, true, 0, []string{WarnCoverage, WarnSingle}},
		{long + ". [1] " + long + ". [2]", 2, 2, true, 1, []string{}},
		{"Short one [1]. " + long + " [2].", 2, 2, true, 1, []string{}},
		{"Yes [1].", 1, 1, true, 1, []string{WarnSingle}},
		{"", 0, 0, true, 0, []string{WarnCoverage, WarnSingle}},
	} {
		q := Report(c.text, nil, c.sources)
		if q.Count != c.count || q.HasCitations != (c.count > 0) || q.AllValid != c.valid || q.Coverage != c.coverage || !slices.Equal(q.Warnings, c.warnings) {
			t.Errorf("%q: %+v", c.text, q)
		}
	}
	q := Report("x", []Bound{{1, Supported}, {2, Supported}, {3, NotFound}}, 3)
	if q.Verdicts[Supported] != 2 || q.Verdicts[NotFound] != 1 || q.Verdicts[Partly] != 0 {
		t.Errorf("verdicts %v", q.Verdicts)
	}
}

// TestCoverageEqualsANaiveSplitOnPlainText compares with a split at . ! ?
func TestCoverageEqualsANaiveSplitOnPlainText(t *testing.T) {
	for _, text := range []string{
		"The bridge was opened in the spring [1]. Nobody knows who designed it! Was it the city engineer [2]? It is so.",
		"One sentence that is long enough to count. Another sentence that is long enough [3].", "Tiny. Small one here. A sentence with more than twenty characters.",
	} {
		long, cited := 0, 0
		for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?", r) }) {
			if s = strings.TrimSpace(s); len(s) > 20 {
				long++
				if strings.Contains(s, "[") {
					cited++
				}
			}
		}
		if got, want := Report(text, nil, 3).Coverage, float64(cited)/float64(long); got != want {
			t.Errorf("%q: %.3f, want %.3f", text, got, want)
		}
	}
}

func TestQuotedWordsMustStandInThePassage(t *testing.T) {
	passage := "He said: “The bridge isn’t\n safe – not yet,” and left. It was *the longest* arch."
	for _, c := range []struct {
		sentence string
		ok, has  bool
	}{
		{`He said "The bridge isn't safe - not yet" [1].`, true, true},
		{`He said “The bridge isn’t safe” [1].`, true, true},
		{`He said "the bridge is safe" [1].`, false, true},
		{`It was "the longest arch" [2][1]`, true, true},
		{`It was "The longest arch." [1]`, false, true},
		{`"The bridge ... not yet" [1]`, true, true},
		{`The so-called "big thing" is old [1].`, false, false},
		{`He said "The bridge isn't safe".`, true, true},
		{`It is "safe" [1].`, false, false},
		{`No quotation [1].`, false, false},
	} {
		if ok, has := VerbatimQuote(c.sentence, passage); ok != c.ok || has != c.has {
			t.Errorf("%s: ok %v has %v, want %v %v", c.sentence, ok, has, c.ok, c.has)
		}
	}
}

func TestALongSentenceIsOneClaim(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("the keeper counts one more gull on the rail and writes it down, ", 6)) + " and sleeps."
	claims := Claims(long + " [1] The lamp is lit. [2]")
	if len(claims) != 2 || claims[0].Text != long || claims[1].Text != "The lamp is lit." {
		t.Errorf("%+v", claims)
	}
}
