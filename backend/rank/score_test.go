package rank

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func web(id, address, text string) Candidate {
	return Candidate{
		Source:  evidence.Source{ID: evidence.SourceID(id), Kind: evidence.Web, Address: address},
		Passage: evidence.Passage{ID: evidence.PassageID(id), Text: text},
	}
}

func local(id, text string) Candidate {
	c := web(id, "/home/me/"+id, text)
	c.Source.Kind = evidence.File
	return c
}

func withCosine(c Candidate, cos float64) Candidate {
	c.Score.Cosine, c.Score.Vector = cos, true
	return c
}

func ids(cands []Candidate) string {
	s := make([]string, len(cands))
	for i, c := range cands {
		s[i] = string(c.Passage.ID)
	}
	return strings.Join(s, " ")
}

var general = Preset{Weights{0.40, 0.25, 0.15, 0.20}, 6}

func TestFreshnessHalvesEachNinetyDays(t *testing.T) {
	f := Options{}.filled().Freshness
	day := 24 * time.Hour
	for age, want := range map[time.Duration]float64{0: 1, 90 * day: 0.5, 180 * day: 0.25, -30 * day: 1} {
		if got := f.of(now.Add(-age), now); !close9(got, want) {
			t.Errorf("%v old: %v, want %v", age, got, want)
		}
	}
	if f.of(time.Time{}, now) != 0.5 {
		t.Error("an unknown date is not 0.5")
	}
}

func TestAuthorityPoints(t *testing.T) {
	long := func(c Candidate, words int) Candidate { c.Words = words; return c }
	pinned := func(c Candidate) Candidate { c.Pinned = true; return c }
	whole := func(c Candidate) Candidate { c.Coverage = 1; return c }
	for _, c := range []struct {
		name string
		cand Candidate
		want float64
	}{
		{"plain", web("a", "http://example.com", ""), 0.5},
		{"https", web("a", "https://example.com", ""), 0.55},
		{"trusted sub-domain", web("a", "http://en.wikipedia.org/wiki/X", ""), 0.7},
		{"trusted with www", web("a", "http://www.BBC.com/x", ""), 0.7},
		{"not a sub-domain", web("a", "http://notwikipedia.org", ""), 0.5},
		{"edu", web("a", "http://mit.edu", ""), 0.65},
		{"gov and trusted", web("a", "http://www.nist.gov", ""), 0.85},
		{"gov inside a name", web("a", "http://x.gov.example.com", ""), 0.5},
		{"long", long(web("a", "http://example.com", ""), 501), 0.55},
		{"longer", long(web("a", "http://example.com", ""), 1501), 0.6},
		{"capped", long(web("a", "https://nih.gov", ""), 2000), 1},
		{"file", local("a", ""), 0.5},
		{"pinned file read in full", pinned(whole(local("a", ""))), 0.75},
		{"long file", long(whole(local("a", "")), 1600), 0.65},
		{"unparsable", web("a", "http://[::1", ""), 0.5},
	} {
		if got := DefaultAuthority().of(c.cand); !close9(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	bonus := web("a", "http://example.com", "")
	bonus.AuthorityBonus = Prioritise(1)
	if got := DefaultAuthority().of(bonus); !close9(got, 0.7) {
		t.Errorf("prioritised: %v", got)
	}
}

func TestPrioritiseGivesFiveBonuses(t *testing.T) {
	got := ""
	for r := range 7 {
		got += fmt.Sprintf("%g ", Prioritise(r))
	}
	if got != "0 0.2 0.16 0.12 0.08 0.04 0 " {
		t.Error(got)
	}
}

func TestCompositeIsTheWeightedSum(t *testing.T) {
	c := withCosine(web("a", "https://example.com", "alpha beta"), 0.6)
	c.Source.Published = now
	r := Rank("alpha beta", []Candidate{c}, general, now, Options{})[0]
	s := r.Scores
	want := 0.40**s.Semantic + 0.25*s.Keyword + 0.15*s.Freshness + 0.20*s.Authority
	if !close9(s.Composite, want) || !close9(*s.Semantic, 0.6) || s.Keyword != 1 || s.Freshness != 1 || !close9(s.Authority, 0.55) {
		t.Errorf("scores are %+v, composite should be %v", s, want)
	}
	if !close9(s.Relevance, (0.40*0.6+0.25*1)/0.65) {
		t.Errorf("relevance is %v", s.Relevance)
	}
}

func TestWithoutVectorsTheOtherWeightsGrow(t *testing.T) {
	r := Rank("alpha", []Candidate{web("a", "http://example.com", "alpha")}, general, now, Options{})[0]
	if r.Scores.Semantic != nil || !close9(r.Scores.Composite, (0.25*1+0.15*0.5+0.20*0.5)/0.6) || r.Scores.Relevance != 1 {
		t.Errorf("scores are %+v", r.Scores)
	}
}

func TestACandidateWithoutVectorTakesTheLowestCosine(t *testing.T) {
	r := Rank("x", []Candidate{withCosine(web("a", "", ""), 0.8), withCosine(web("b", "", ""), 0.3), web("c", "", "")}, general, now, Options{})
	for _, c := range r {
		if c.Passage.ID == "c" && *c.Scores.Semantic != 0.3 {
			t.Errorf("semantic is %v", *c.Scores.Semantic)
		}
	}
}

func TestOrderTiesAndRanks(t *testing.T) {
	a, b, c := web("a", "http://x.com/1", "same"), web("b", "http://x.com/2", "same"), web("c", "http://x.com/3", "same")
	b.EngineRank, c.EngineRank = 2, 1
	in := []Candidate{a, b, c}
	r := Rank("same", in, general, now, Options{})
	if ids(r) != "c b a" {
		t.Errorf("order is %s", ids(r))
	}
	if r[0].Before != 3 || r[0].After != 1 || in[0].After != 0 {
		t.Errorf("ranks are %d → %d; the input has %d", r[0].Before, r[0].After, in[0].After)
	}
	if len(Rank("x", nil, general, now, Options{})) != 0 {
		t.Error("nothing ranks to something")
	}
}

func TestTheThreeMeasuresOrderUnnormalisedVectorsDifferently(t *testing.T) {
	cands := []Candidate{web("a", "", ""), web("b", "", ""), web("c", "", "")}
	opt := Options{
		Question: []float32{1, 0},
		Vectors:  map[evidence.PassageID][]float32{"a": {10, 10}, "b": {0.5, 0.01}, "c": {1.1, 0.4}},
	}
	for measure, want := range map[Measure]string{Cosine: "b c a", Dot: "a c b", Euclidean: "c b a"} {
		opt.Measure = measure
		r := Rank("question", cands, general, now, opt)
		if ids(r) != want {
			t.Errorf("%s orders %s, want %s", measure, ids(r), want)
		}
		for _, c := range r {
			if s := *c.Scores.Semantic; s < 0 || s > 1 {
				t.Errorf("%s gives %v", measure, s)
			}
		}
	}
}

func TestMeasuresOfUnitVectorsFromTheCosineAlone(t *testing.T) {
	cands := []Candidate{withCosine(web("a", "", ""), 1), withCosine(web("b", "", ""), -0.5), withCosine(web("c", "", ""), 0.5)}
	for measure, want := range map[Measure][3]float64{
		Cosine: {1, 0, 0.5}, Dot: {1, 0, 2.0 / 3}, Euclidean: {1, 1 / (1 + math.Sqrt(3)), 0.5},
	} {
		got := semantics(cands, Options{Measure: measure})
		for i := range want {
			if !close9(got[i], want[i]) {
				t.Errorf("%s gives %v, want %v", measure, got, want)
			}
		}
	}
}

func TestKeywordGrowsWithRareTermsAndStaysInRange(t *testing.T) {
	cands := []Candidate{
		web("both", "", "the alpaca eats grass"), web("rare", "", "an alpaca on a hill"),
		web("common", "", "grass and more grass"), web("other", "", "grass in summer"), web("none", "", "nothing of it"),
	}
	k := keywords("alpaca grass", cands)
	if !(k[0] > k[1] && k[1] > k[2] && k[2] > k[4] && k[4] == 0 && k[0] == 1) {
		t.Errorf("keywords are %v", k)
	}
	if got := keywords("the of", cands); got[0] != 0 {
		t.Errorf("a question without terms gives %v", got)
	}
}

func TestKeywordFollowsTheSearchInsideOfOneSide(t *testing.T) {
	a, b, c := local("a", "alpaca alpaca"), local("b", "alpaca"), local("c", "no such word")
	a.Score.BM25, b.Score.BM25 = 1, 4 // the search knows better
	k := keywords("alpaca", []Candidate{a, b, c, web("w", "", "alpaca")})
	if !(k[1] > k[0] && k[0] > k[2] && k[3] > 0) {
		t.Errorf("keywords are %v", k)
	}
	c.Score.Boost = FileNameWeight
	if k := keywords("alpaca", []Candidate{a, b, c}); k[2] < 0.4 {
		t.Errorf("a matching file name is worth %v", k[2])
	}
}

func TestStemmedBeginningsAgree(t *testing.T) {
	for _, w := range []string{"dying", "skies", "lying", "news", "yes", "young", "says", "idly", "x", "été"} {
		Words(w, func(w Word) {
			if beginning(w.Text) != beginning(w.Term()) {
				t.Errorf("%q begins otherwise than %q", w.Text, w.Term())
			}
		})
	}
}

func BenchmarkRank60(b *testing.B) {
	var cands []Candidate
	for i := range 60 {
		cands = append(cands, withCosine(web(fmt.Sprint(i), "https://example.com", strings.Repeat("The archive keeps every letter and field note in order of arrival. ", 12)), 0.3))
	}
	for b.Loop() {
		Rank("In which order does the archive keep letters?", cands, general, now, Options{})
	}
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, "two words": 2, " a  b\nc ": 3, "東京都庁": 2} {
		if got := CountWords(text); got != want {
			t.Errorf("CountWords(%q) = %d, want %d", text, got, want)
		}
	}
}
