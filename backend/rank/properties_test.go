package rank

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/settings"
)

// pool draws candidates of files and pages with texts, dates and scores by chance.
func pool(rng *rand.Rand, n int) []Candidate {
	words := strings.Fields("bridge tower harbour opened steel toll river stone keeper lamp ferry 1932 2001 and the of")
	var cands []Candidate
	for i := range n {
		var text []string
		for range 1 + rng.Intn(60) {
			text = append(text, words[rng.Intn(len(words))])
		}
		id := fmt.Sprintf("p%02d", i)
		c := local(id, strings.Join(text, " "))
		if rng.Intn(2) == 0 {
			c = web(id, fmt.Sprintf("https://site%d.example/%s", rng.Intn(4), id), strings.Join(text, " "))
		}
		if rng.Intn(3) > 0 {
			c = withCosine(c, rng.Float64()*1.4-0.4)
		}
		if rng.Intn(3) > 0 {
			c.Score.BM25 = rng.Float64() * 12
		}
		if rng.Intn(4) == 0 {
			c.Source.Published = now.AddDate(0, 0, rng.Intn(900)-800)
		}
		c.Words, c.Coverage, c.EngineRank = rng.Intn(3000), rng.Float64(), i+1
		cands = append(cands, c)
	}
	return cands
}

const asked = "When was the steel bridge over the river opened?"

func TestAnyPoolIsRankedByScoresBetweenNoneAndAll(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 200 {
		cands := pool(rng, rng.Intn(30))
		ranked := Rank(asked, cands, general, now, Options{})
		if len(ranked) != len(cands) {
			t.Fatalf("%d of %d", len(ranked), len(cands))
		}
		before := map[int]bool{}
		for i, c := range ranked {
			s := c.Scores
			all := []float64{s.Keyword, s.Freshness, s.Authority, s.Composite, s.Relevance}
			if s.Semantic != nil {
				all = append(all, *s.Semantic)
			}
			for _, v := range all {
				if math.IsNaN(v) || v < 0 || v > 1+1e-9 {
					t.Fatalf("a score of %s is %v: %+v", c.Passage.ID, v, s)
				}
			}
			if c.After != i+1 || c.Before < 1 || before[c.Before] {
				t.Fatalf("rank %d has before %d, after %d", i+1, c.Before, c.After)
			}
			before[c.Before] = true
			if i > 0 && ranked[i-1].Scores.Composite < s.Composite-1e-12 {
				t.Fatalf("%v stands before %v", ranked[i-1].Scores.Composite, s.Composite)
			}
		}
	}
}

func TestTheOrderGivenDoesNotChangeTheScores(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 50 {
		cands := pool(rng, 20)
		for i := range cands {
			cands[i].EngineRank = 0
		}
		want := map[evidence.PassageID]float64{}
		for _, c := range Rank(asked, cands, general, now, Options{}) {
			want[c.Passage.ID] = c.Scores.Composite
		}
		rng.Shuffle(len(cands), func(i, j int) { cands[i], cands[j] = cands[j], cands[i] })
		for _, c := range Rank(asked, cands, general, now, Options{}) {
			if math.Abs(want[c.Passage.ID]-c.Scores.Composite) > 1e-9 {
				t.Fatalf("%s: %v in one order, %v in another", c.Passage.ID, want[c.Passage.ID], c.Scores.Composite)
			}
		}
	}
}

func TestWhatIsTakenKeepsItsOrderAndLimits(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	inOrder := func(all, some []Candidate) bool {
		at := 0
		for _, c := range some {
			for at < len(all) && all[at].Passage.ID != c.Passage.ID {
				at++
			}
			if at == len(all) {
				return false
			}
			at++
		}
		return true
	}
	for range 200 {
		ranked := Rank(asked, pool(rng, rng.Intn(40)), general, now, Options{})
		k, limit := 1+rng.Intn(12), rng.Intn(4)
		balanced, capped, unlike := Balance(ranked, k, 0.3), CapDomains(ranked, limit), DedupAbove(ranked, DefaultJaccard)
		for name, taken := range map[string][]Candidate{"balanced": balanced, "capped": capped, "unlike": unlike} {
			if !inOrder(ranked, taken) {
				t.Fatalf("%s: %s of %s", name, ids(taken), ids(ranked))
			}
		}
		if len(balanced) != min(k, MaxPassages, len(ranked)) {
			t.Fatalf("%d of %d balanced for %d", len(balanced), len(ranked), k)
		}
		pages := map[string]int{}
		for _, c := range capped {
			if !c.Local() {
				pages[domainOf(c)]++
			}
		}
		for domain, n := range pages {
			if limit > 0 && n > limit {
				t.Fatalf("%d pages of %s, %d allowed", n, domain, limit)
			}
		}
		if again := DedupAbove(unlike, DefaultJaccard); len(again) != len(unlike) {
			t.Fatalf("a second look finds %d more alike", len(unlike)-len(again))
		}
	}
}

func TestWhatFitsNeverCostsMoreThanTheBudget(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	cost := func(c Candidate) int { return len(c.Passage.Text) }
	for range 200 {
		cands, budget := pool(rng, rng.Intn(20)), rng.Intn(1500)
		kept, left := Fit(cands, budget, cost)
		sum := 0
		for _, c := range kept {
			sum += cost(c)
		}
		if sum > budget || len(kept)+left != len(cands) {
			t.Fatalf("%d of %d tokens, %d kept and %d left of %d", sum, budget, len(kept), left, len(cands))
		}
		for _, c := range cands {
			if cost(c) <= budget-sum && !strings.Contains(ids(kept), string(c.Passage.ID)) {
				t.Fatalf("%s would have fitted", c.Passage.ID)
			}
		}
		ordered := PromptOrder(kept)
		a, b := strings.Fields(ids(kept)), strings.Fields(ids(ordered))
		if n := len(a); n > 1 && (a[0] != b[0] || a[1] != b[n-1]) {
			t.Fatalf("the strongest of %v do not stand at the ends of %v", a, b)
		}
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Fatalf("%v became %v", a, b)
		}
	}
}

func TestWeightsOfPresetsSumToOneAndEveryRuleNamesAPreset(t *testing.T) {
	presets := settings.Default().Rank.Presets
	for name, p := range presets {
		if sum := p.Semantic + p.Keyword + p.Freshness + p.Authority; math.Abs(sum-1) > 0.001 || p.K < 5 || p.K > 8 {
			t.Errorf("%s: weights sum to %v, %d passages", name, sum, p.K)
		}
	}
	for _, focus := range []string{"all", "web", "local", "academic", "video", "community", "writing", "compute", ""} {
		for _, question := range []string{asked, "latest news on rates today", "how do I fix an error in C++", "is it worth buying", "```x()```", ""} {
			if _, known := presets[PresetFor(question, focus)]; !known {
				t.Errorf("%q with focus %q has no preset", question, focus)
			}
		}
	}
}

func TestAFileWithoutADateIsAsOldAsItsLastChange(t *testing.T) {
	file, page := local("f", "text"), web("w", "https://a.example/x", "text")
	file.Source.Seen, page.Source.Seen = now, now
	for _, c := range Rank("text", []Candidate{file, page}, general, now, Options{}) {
		if want := 0.5; math.Abs(c.Scores.Freshness-want) > 0.01 {
			t.Errorf("%s is worth %v", c.Passage.ID, c.Scores.Freshness)
		}
	}
	file.Score.Changed = now.AddDate(0, 0, -180)
	ranked := Rank("text", []Candidate{file, page}, general, now, Options{})
	if i := slices.IndexFunc(ranked, Candidate.Local); math.Abs(ranked[i].Scores.Freshness-0.25) > 0.01 || ranked[1-i].Scores.Freshness != 0.5 {
		t.Errorf("%+v", ranked)
	}
}

func TestAnUnrelatedCandidateDoesNotLiftAnother(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	for range 50 {
		cands := pool(rng, 8)
		for i := range cands {
			cands[i].Score = evidence.Score{}
		}
		before := Rank(asked, cands, general, now, Options{})
		after := Rank(asked, append(slices.Clone(cands), local("zz", "gardening in spring")), general, now, Options{})
		if before[0].Scores.Keyword > 0 && after[0].Passage.ID == "zz" {
			t.Fatalf("what has none of the question stands first: %+v", after[0].Scores)
		}
	}
}
