package quote

import (
	"slices"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/pattern"
)

// What a sentence gains or loses beside the published formula.
const (
	rightType = 0.12 // it has the kind of thing that is asked for
	proposal  = 0.20 // its price is proposed where another one is settled
)

// refined chooses anew among all candidates, by what the formula does not see:
// irregular forms, the label that a line opens with, whether the kind of thing is
// there that is asked for, and whether a price stands.
func (q Query) refined(r Result, passages []Passage) Result {
	if len(r.pool) == 0 {
		return r
	}
	want := answertype.Of(q.checker, q.text)
	pool := slices.DeleteFunc(slices.Clone(r.pool), func(s Sentence) bool { return s.Leads })
	fulfilled := map[place]bool{}
	for i := range pool {
		s := &pool[i]
		if r.scale == wordScale {
			r.Evidence = max(r.Evidence, s.evidence)
			s.Score += s.titled - s.plain
		}
		if want.Fulfilled(s.Text) {
			fulfilled[s.at()] = true
			s.Score += rightType
		}
	}
	r.pool = slices.Clone(pool)
	slices.SortStableFunc(r.pool, ByScore)
	pool = sayingSomething(want, pool)
	settle(want, pool, passages, fulfilled)
	slices.SortStableFunc(pool, ByScore)
	r.State = r.scale.state(r.Evidence)
	if r.State == Answer && (q.officeIsMissing(passages) || q.matterIsMissing(passages)) {
		r.State = Closest
	}
	chosen := r.scale.telling(choose(pool, r.scale.delta))
	if slices.ContainsFunc(chosen, func(s Sentence) bool { return want.Strictly(s.Text) }) {
		chosen = slices.DeleteFunc(chosen, func(s Sentence) bool { return !want.Strictly(s.Text) })
	}
	r.Short = ""
	if r.State == Answer && len(chosen) > 0 && chosen[0].own >= shortAt {
		r.Short = shortDate(q.text, pool)
	}
	r.Sentences = inReadingOrder(chosen)
	return r
}

// telling leaves out sentences that were chosen for their title alone. What the
// sentence encoder puts first it chose for what it says, in whichever words.
func (s scale) telling(chosen []Sentence) []Sentence {
	kept := telling(chosen)
	if s == encoderScale && len(chosen) > 0 && !slices.ContainsFunc(kept, func(k Sentence) bool { return k.at() == chosen[0].at() }) {
		kept = append(kept, chosen[0])
	}
	return kept
}

// telling leaves out sentences that were chosen for their title alone: they
// have less than half as much of the question in themselves as the best one.
// Beside one that has all of it, more is asked of them.
func telling(sentences []Sentence) []Sentence {
	best := 0.0
	for _, s := range sentences {
		best = max(best, s.own)
	}
	least := best / 2
	if best >= tellsAll {
		least = tellsToo * best
	}
	return slices.DeleteFunc(slices.Clone(sentences), func(s Sentence) bool { return s.own < least })
}

// sayingSomething leaves out sentences with nothing of the question in themselves
// and no price that is asked for, where one has all of it.
func sayingSomething(want answertype.Type, pool []Sentence) []Sentence {
	if !slices.ContainsFunc(pool, func(s Sentence) bool { return s.own >= tellsAll }) {
		return pool
	}
	return slices.DeleteFunc(pool, func(s Sentence) bool { return s.own == 0 && !(want.Money && want.Fulfilled(s.Text)) })
}

// settle puts prices that are settled before those that are only proposed.
func settle(want answertype.Type, pool []Sentence, passages []Passage, fulfilled map[place]bool) {
	if !want.Money || want.Proposed {
		return
	}
	stands := func(s Sentence) int {
		if !fulfilled[s.at()] {
			return 0
		}
		return answertype.Standing(passages[s.Passage].Title, strings.TrimSpace(s.Heading+" "+s.Text))
	}
	if !slices.ContainsFunc(pool, func(s Sentence) bool { return stands(s) > 0 }) {
		return
	}
	for i := range pool {
		if stands(pool[i]) < 0 {
			pool[i].Score -= proposal
		}
	}
}

// place is where a sentence stands.
type place struct{ passage, start int }

func (s Sentence) at() place { return place{s.Passage, s.Span.Start} }

// officeAsked finds the office or part that a who-question asks to be filled: the
// mayor of Brannoch.
var officeAsked = pattern.New(`(?i)^\s*who\s+(?:is|are|was|were)\s+(?:the|a|an)\s+(?:[\p{L}'-]+\s+){0,2}?([\p{L}'-]{4,})\s+(?:of|in|at|for)\s`)

// officeIsMissing reports whether no passage speaks of the office that is asked
// about: who else is told of with the same name is then no answer.
func (q Query) officeIsMissing(passages []Passage) bool {
	m := officeAsked.FindStringSubmatch(q.text)
	if m == nil {
		return false
	}
	office := NewQuery(q.checker, m[1])
	return len(office.terms) > 0 && !slices.ContainsFunc(passages, func(p Passage) bool { return office.Touches(p.Title + " " + p.Text) })
}

const (
	enoughToCompare = 4   // passages
	foundAnywhere   = 0.6 // share of them that has a word which tells nothing apart
)

// matterIsMissing reports whether the passages have nothing of the question but
// words that nearly all of them have: asked who built the lighthouse, a library
// about one lighthouse that never speaks of building.
func (q Query) matterIsMissing(passages []Passage) bool {
	if len(passages) < enoughToCompare {
		return false
	}
	in := make([]int, len(q.terms)) // passages that have the term
	for _, p := range passages {
		for i, f := range q.reached(q.checker.Terms(p.Title+" "+p.Text), reach{}).forms {
			if f > 0 {
				in[i]++
			}
		}
	}
	common, missing := 0, 0
	for i, t := range q.terms {
		switch {
		case q.asking[t.Stem]:
		case float64(in[i]) >= foundAnywhere*float64(len(passages)):
			common++
		case in[i] == 0:
			missing++
		default:
			return false
		}
	}
	return common > 0 && missing > 0
}
