package cite

import (
	"math"
	"slices"

	"footnote/backend/evidence"
)

// Dispute is a place where a passage says otherwise than a claim.
type Dispute struct {
	Kind    string // number, date, negation, opposite or name
	Claim   string // what the claim says, as it stands
	Passage string // what the passage says instead
	Span    evidence.Span
}

// Kinds of a Dispute.
const (
	DisputedNumber   = "number"
	DisputedDate     = "date"
	DisputedNegation = "negation"
	DisputedOpposite = "opposite"
	DisputedName     = "name"
)

const (
	sameMatter  = 0.6  // recall, without numbers and months, from which a sentence speaks of the claim's matter
	fewestWords = 2    // of the claim that it must share
	shortMatter = 3    // words of a claim that has to be shared whole: "the next check is due" is not any next one
	besideIt    = 3    // words on each side of a number that tell what is counted
	nearlySame  = 0.01 // two numbers that differ by less are one, rounded
)

// Dispute finds where a passage of another source contradicts a claim that its own
// source supports: another number, date, or a no for a yes, about the same
// matter. It would rather miss a dispute than see one where two sentences speak of
// different things. ok is false when there is none.
func (c *Checker) Dispute(claim string, passage *Passage) (d Dispute, ok bool) {
	p := c.pair(claim, "", passage.sentences)
	strongest := 0.0
	for j := range p.sentences {
		matter := p.matter(j)
		if matter < sameMatter || matter <= strongest {
			continue
		}
		if found, ok := p.disputedValue(j); ok {
			d, strongest = found, matter
			d.Span = passage.spans[j]
		}
	}
	if strongest > 0 {
		return d, true
	}
	if d, ok := c.disputedPolarity(p, passage); ok {
		return d, true
	}
	return p.disputedWording(passage)
}

// matter is how much of what the claim speaks of, numbers and months left out,
// sentence j and the one before it speak of; 0 when they share too few words.
func (p *pair) matter(j int) float64 {
	got, all, shared, words := 0.0, 0.0, 0, 0
	for k, i := range p.content {
		t := &p.claim.tokens[i]
		if t.number() || isMonth(t) {
			continue
		}
		m := p.own[k][j]
		if m > 0 {
			shared++
		}
		if j > 0 {
			m = max(m, p.own[k][j-1])
		}
		words++
		all += t.weight
		got += t.weight * m
	}
	if shared < fewestWords || all == 0 || words <= shortMatter && got < 0.99*all {
		return 0
	}
	return got / all
}

// disputedValue finds a number or month of the claim in whose place sentence j
// has another one.
func (p *pair) disputedValue(j int) (Dispute, bool) {
	s := &p.sentences[j]
	for i := range p.claim.tokens {
		x := -1
		switch t := &p.claim.tokens[i]; {
		case isMonth(t):
			x = p.otherMonth(i, s)
		case t.kind == year || t.kind == percent || t.kind == money || t.kind == count:
			x = p.otherValue(i, j)
		}
		if x < 0 {
			continue
		}
		kind := DisputedNumber
		if inDate(&p.claim, i) {
			kind = DisputedDate
		}
		return Dispute{Kind: kind, Claim: asWritten(&p.claim, i), Passage: asWritten(s, x)}, true
	}
	return Dispute{}, false
}

// otherMonth is the one month of a sentence that has none of the claim's, where
// it dates the same thing; -1 when there is none.
func (p *pair) otherMonth(i int, s *sentence) int {
	at := -1
	for x := range s.tokens {
		if !isMonth(&s.tokens[x]) {
			continue
		}
		if at >= 0 || p.claimHas[s.tokens[x].stem] {
			return -1
		}
		at = x
	}
	if at < 0 || !p.sameYears(s) || !p.oneDate(s) || !p.counts(i, s) {
		return -1
	}
	return at
}

// otherValue is the one number of sentence j that stands for number i of the
// claim with another value, -1 when there is none or several may.
func (p *pair) otherValue(i, j int) int {
	t, s, at := &p.claim.tokens[i], &p.sentences[j], -1
	dated := inDate(&p.claim, i)
	if p.found(i) || !p.counts(i, s) || dated && !p.oneDate(s) || t.kind != year && !p.sameTime(s) {
		return -1
	}
	for x := range s.tokens {
		n := &s.tokens[x]
		if n.kind != t.kind || n.unit != t.unit || p.claimHasNumber(n) || inDate(s, x) != dated {
			continue
		}
		if t.kind == count && t.unit == "" && !dated && !p.countedAlike(i, s, x) {
			continue
		}
		if at >= 0 || numEq(t, n) > 0 || t.kind != year && math.Abs(t.value-n.value) <= nearlySame*math.Abs(t.value) {
			return -1
		}
		at = x
	}
	return at
}

// sameTime reports whether claim and sentence may speak of the same time: of the
// years, months and quarters that they name, one names none but those of the other.
// What rose in one year and fell in the next is no dispute.
func (p *pair) sameTime(s *sentence) bool {
	for _, of := range []func(*token) bool{yearToken, isMonth, ordinalToken} {
		here, there := timesIn(&p.claim, of), timesIn(s, of)
		if !within(here, there) && !within(there, here) {
			return false
		}
	}
	return true
}

// sameYears is sameTime for what is itself a month or quarter.
func (p *pair) sameYears(s *sentence) bool {
	here, there := timesIn(&p.claim, yearToken), timesIn(s, yearToken)
	return within(here, there) || within(there, here)
}

// timesIn lists the tokens of a sentence of one kind, as stems, each once.
func timesIn(s *sentence, of func(*token) bool) (stems []string) {
	for i := range s.tokens {
		if t := &s.tokens[i]; of(t) && !slices.Contains(stems, t.stem) {
			stems = append(stems, t.stem)
		}
	}
	return stems
}

func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(x string) bool { return !slices.Contains(all, x) })
}

func yearToken(t *token) bool { return t.kind == year }

func ordinalToken(t *token) bool { return t.kind == ordinal }

// oneDate reports whether two sentences that date something can be held against
// each other: neither has a second month, of several years one differs, and every
// other number is in both.
func (p *pair) oneDate(s *sentence) bool {
	if len(timesIn(&p.claim, isMonth)) > 1 || len(timesIn(s, isMonth)) > 1 || !p.sameNumbers(s) {
		return false
	}
	here, there, differ := timesIn(&p.claim, yearToken), timesIn(s, yearToken), 0
	if len(here) < 2 || len(there) < 2 {
		return true
	}
	for i := range min(len(here), len(there)) {
		if here[i] != there[i] {
			differ++
		}
	}
	return len(here) == len(there) && differ < 2
}

// sameNumbers reports whether a sentence has every number of the claim but its
// dates. A figure of another year is no other date.
func (p *pair) sameNumbers(s *sentence) bool {
	for i := range p.claim.tokens {
		if t := &p.claim.tokens[i]; t.number() && !t.stop && !inDate(&p.claim, i) && matchIn(t, s) == 0 {
			return false
		}
	}
	return true
}

// counts reports whether sentence s has every word that stands beside number i
// of the claim: they tell what is counted or dated.
func (p *pair) counts(i int, s *sentence) bool {
	said := 0
	for _, step := range []int{-1, 1} {
		for k, seen := i+step, 0; 0 <= k && k < len(p.claim.tokens) && seen < besideIt; k += step {
			t := &p.claim.tokens[k]
			if t.number() || isMonth(t) {
				continue
			}
			seen++
			if t.stop {
				continue
			}
			if matchIn(t, s) == 0 {
				return false
			}
			said++
		}
	}
	return said > 0
}

// countedAlike reports whether a number without a unit counts the same in claim
// and sentence: the same word stands right after both, or, with none after either,
// right before.
func (p *pair) countedAlike(i int, s *sentence, x int) bool {
	here, there := nextWord(&p.claim, i, 1), nextWord(s, x, 1)
	if here == nil && there == nil {
		here, there = nextWord(&p.claim, i, -1), nextWord(s, x, -1)
	}
	return here != nil && there != nil && here.stem == there.stem
}

// nextWord is the nearest word of meaning on one side of token i, nil when there is
// none in the sentence.
func nextWord(s *sentence, i, step int) *token {
	for k := i + step; 0 <= k && k < len(s.tokens); k += step {
		if t := &s.tokens[k]; !t.stop && !t.number() {
			return t
		}
	}
	return nil
}

func isMonth(t *token) bool { return months[t.lower] && capitalised(t.text) }

// inDate reports whether a token is a month or year, or the day beside a month.
func inDate(s *sentence, i int) bool {
	t := &s.tokens[i]
	if isMonth(t) || t.kind == year {
		return true
	}
	return dayLike(t) && (i > 0 && isMonth(&s.tokens[i-1]) || i+1 < len(s.tokens) && isMonth(&s.tokens[i+1]))
}

func dayLike(t *token) bool { return (t.kind == count || t.kind == ordinal) && t.value <= 31 }

// asWritten is a number or month with the rest of its date, or with its unit.
func asWritten(s *sentence, i int) string {
	from, to := i, i
	t := &s.tokens[i]
	switch {
	case inDate(s, i):
		for from > 0 && inDate(s, from-1) {
			from--
		}
		for to+1 < len(s.tokens) && inDate(s, to+1) {
			to++
		}
	case to+1 < len(s.tokens):
		if next := &s.tokens[to+1]; t.kind == percent || t.unit != "" && next.stem == t.unit || multipliers[next.lower] > 0 {
			to++
		}
	}
	if from > 0 && t.kind == money && !isWordRune(rune(s.tokens[from-1].text[0])) {
		from--
	}
	return s.text[s.tokens[from].start:s.tokens[to].end]
}

// disputedPolarity finds a no for a yes, or a word for its opposite, as sure as a
// contradiction is.
func (c *Checker) disputedPolarity(p *pair, passage *Passage) (Dispute, bool) {
	for _, x := range []struct {
		kind string
		conflict
		cut float64
	}{
		{DisputedNegation, p.negationConflict(), c.cuts.Negation},
		{DisputedOpposite, p.antonymConflict(), c.cuts.Antonym},
		{DisputedOpposite, p.directionConflict(), c.cuts.Direction},
	} {
		if x.strength >= x.cut && !x.loose && p.sameTime(&p.sentences[x.sentence]) {
			return Dispute{Kind: x.kind, Claim: x.claim, Passage: x.passage, Span: passage.spans[x.sentence]}, true
		}
	}
	return Dispute{}, false
}
