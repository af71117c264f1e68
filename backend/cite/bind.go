package cite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Constants of what a number is said of. They were chosen on pairs that people
// labelled, and on sentences in which one number was put for another.
const (
	besideWords  = 6    // on each side of a number: they tell what it measures
	halfAway     = 3.0  // words after which one counts half
	wallWords    = 4    // words that a comma between the two counts for
	before       = 0.4  // what a word of the sentence before counts for
	clearlyMore  = 0.08 // by which another number must fit better
	betterName   = 0.35 // by which another name must
	betterSymbol = 0.65 // and another symbol, such as GEF or JMJD6, of which sentences of a science have many
)

// place is token x of sentence j.
type place struct{ j, x int }

// beside is a word of the claim near one of its numbers.
type beside struct {
	*token
	near float64 // 1 beside it, less further off
}

// misplaced says which number or name of the claim the passage says of something
// else, in words for people; empty when none is. What the passage says word for
// word is never misplaced.
func (p *pair) misplaced() string {
	for i := range p.claim.tokens {
		switch t := &p.claim.tokens[i]; t.kind {
		case count, percent, money, year:
			if why := p.saidOfOther(i); why != "" {
				return why
			}
		case word:
			if name := p.brokenName(i); name != "" {
				return name + " is not in the passage"
			}
			if why := p.nameOfOther(i); why != "" {
				return why
			}
		}
	}
	return cmp.Or(p.lacksNot(), p.lacksBoth())
}

// saidOfOther says of what the passage says number i of the claim, when it is not
// what the claim says it of.
func (p *pair) saidOfOther(i int) string {
	if !p.found(i) {
		return ""
	}
	t := &p.claim.tokens[i]
	title, met := p.otherCell(i)
	own := p.places(func(n *token) bool { return numEq(t, n) > 0 })
	switch {
	case met:
		return ""
	case len(own) == 0 && title != "":
		return fmt.Sprintf("the passage says %s of %q", written(&p.claim, i), title)
	case len(own) == 0:
		return ""
	}
	if p.speaksOfOther(i, own) {
		return fmt.Sprintf("the passage says %s of something else", written(&p.claim, i))
	}
	if other := p.fitsBetter(i, own); other != "" {
		return fmt.Sprintf("the passage says %s of something else; of this it says %s", written(&p.claim, i), other)
	}
	return ""
}

// fitsBetter is the number of the passage that stands in the company of the same
// words as number i of the claim; empty when that number does as well, at one of
// the places where it stands.
func (p *pair) fitsBetter(i int, places []place) string {
	t, words := &p.claim.tokens[i], p.beside(i)
	if len(words) < 2 {
		return ""
	}
	own := p.bestCompany(words, places)
	best, text := own+clearlyMore, ""
	for _, at := range p.places(func(n *token) bool {
		return n.kind == t.kind && n.unit == t.unit && numEq(t, n) == 0 && (n.unit != "" || isDigit(n.text[0]) == isDigit(t.text[0]))
	}) {
		fit := p.company(words, at)
		if fit <= best || p.joined(at, places) || !p.exchanged(i, at) {
			continue
		}
		best, text = fit, written(&p.sentences[at.j], at.x)
	}
	return text
}

// nameOfOther says that the passage has another name, which the claim lacks, in
// the company of the words that the claim has beside name i; empty when not.
func (p *pair) nameOfOther(i int) string {
	t := &p.claim.tokens[i]
	if !t.entity || t.stop {
		return ""
	}
	words := slices.DeleteFunc(p.beside(i), func(w beside) bool { return w.token == t })
	own := p.standing(func(n *token) bool { return n.stem == t.stem })
	if len(words) < 2 || len(own) == 0 {
		return ""
	}
	margin := betterSymbol
	if plainName(t.text) {
		margin = betterName
	}
	best, other := p.bestCompany(words, own)+margin, ""
	if best >= 1 {
		return ""
	}
	for _, at := range p.standing(func(n *token) bool { return n.kind == word && n.entity && !n.stop && !p.claimHas[n.stem] }) {
		if fit := p.company(words, at); at.x > 0 && fit > best {
			best, other = fit, p.sentences[at.j].tokens[at.x].text
		}
	}
	if other == "" {
		return ""
	}
	return fmt.Sprintf("the passage says %q of something else; here it has %q", t.text, other)
}

// plainName reports whether a name is a capital followed by small letters.
func plainName(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	return n < len(s) && !strings.ContainsFunc(s[n:], func(r rune) bool { return !unicode.IsLower(r) && r != '\'' })
}

// standing lists the tokens of the passage that pass.
func (p *pair) standing(pass func(n *token) bool) []place {
	var all []place
	for j := range p.sentences {
		for x := range p.sentences[j].tokens {
			if pass(&p.sentences[j].tokens[x]) {
				all = append(all, place{j, x})
			}
		}
	}
	return all
}

// exchanged reports whether number i of the claim and the one at a place may be
// mistaken for each other: the claim does not have that one too, or has the two
// the wrong way round.
func (p *pair) exchanged(i int, at place) bool {
	mine, other := &p.claim.tokens[i], &p.sentences[at.j].tokens[at.x]
	for k := range p.claim.tokens {
		if t := &p.claim.tokens[k]; k != i && t.number() && t.value == other.value {
			words := p.beside(k)
			own := p.bestCompany(words, p.places(func(n *token) bool { return n.value == other.value }))
			return p.bestCompany(words, p.places(func(n *token) bool { return numEq(mine, n) > 0 })) > own+clearlyMore
		}
	}
	return true
}

// joined reports whether a place and one of others share their company: "55- and
// 65-year-old", "10 to 20 mg".
func (p *pair) joined(at place, others []place) bool {
	s := &p.sentences[at.j]
	for _, o := range others {
		from, to := min(o.x, at.x), max(o.x, at.x)
		if o.j != at.j || to-from > 2 || to == from {
			continue
		}
		if to == from+1 || joining[s.tokens[from+1].lower] {
			return true
		}
	}
	return false
}

var joining = setOf([]string{"and", "or", "to"}, nil)

// places lists the numbers of the passage that pass, those of its tables left out.
func (p *pair) places(pass func(n *token) bool) []place {
	all := p.standing(func(n *token) bool { return n.number() && pass(n) })
	return slices.DeleteFunc(all, func(at place) bool { return p.sentences[at.j].row })
}

// beside lists the words that tell what number i of the claim measures.
func (p *pair) beside(i int) []beside {
	var words []beside
	for k := max(0, i-besideWords); k <= min(len(p.claim.tokens)-1, i+besideWords); k++ {
		if t := &p.claim.tokens[k]; !t.number() && !t.stop {
			words = append(words, beside{t, nearness(&p.claim, i, k)})
		}
	}
	return words
}

// nearness is 1 for neighbours and less for tokens further apart, or with commas
// between them.
func nearness(s *sentence, a, b int) float64 {
	if a > b {
		a, b = b, a
	}
	apart := b - a
	for k := a; k < b; k++ {
		if strings.ContainsAny(s.gap(k), ",;:()") {
			apart += wallWords
		}
	}
	return halfAway / (halfAway + float64(apart))
}

// nearest is how near the nearest word of a stem is, on either side; 0 for none.
func nearest(s *sentence, stem string, at int) (near float64) {
	for x := at; x >= 0; x-- {
		if s.tokens[x].stem == stem {
			near = nearness(s, x, at)
			break
		}
	}
	for x := at + 1; x < len(s.tokens); x++ {
		if s.tokens[x].stem == stem {
			return max(near, nearness(s, at, x))
		}
	}
	return near
}

// company is how much of the words beside a number of the claim stand as near to
// a place of the passage, 0 to 1.
func (p *pair) company(words []beside, at place) float64 {
	s := &p.sentences[at.j]
	var got, all float64
	for _, w := range words {
		share := min(1, nearest(s, w.stem, at.x)/w.near)
		if share < before && at.j > 0 && matchIn(w.token, &p.sentences[at.j-1]) > 0 {
			share = before
		}
		all += w.weight * w.near
		got += w.weight * w.near * share
	}
	if all == 0 {
		return 0
	}
	return got / all
}

func (p *pair) bestCompany(words []beside, places []place) float64 {
	best := 0.0
	for _, at := range places {
		best = max(best, p.company(words, at))
	}
	return best
}

// written is a number as it stands, with the word or sign that it counts.
func written(s *sentence, i int) string {
	return fmt.Sprintf("%q", asWritten(s, i))
}

// brokenName is a name of two words that the claim begins at token i and that the
// passage never says, although it has both words, each as part of other names.
func (p *pair) brokenName(i int) string {
	if !nameAt(&p.claim, i+1) || !capitalised(p.claim.tokens[i].text) || p.claim.tokens[i].stop || !spaced(&p.claim, i) {
		return ""
	}
	first, second := p.claim.tokens[i].stem, p.claim.tokens[i+1].stem
	var firsts, seconds, otherFirsts, otherSeconds int
	for j := range p.sentences {
		s := &p.sentences[j]
		for x := range s.tokens {
			switch s.tokens[x].stem {
			case first:
				if nearStem(s, x, second) {
					return ""
				}
				firsts++
				if spaced(s, x) && nameAt(s, x+1) && !p.claimHas[s.tokens[x+1].stem] {
					otherFirsts++
				}
			case second:
				seconds++
				if x > 0 && spaced(s, x-1) && nameAt(s, x-1) && !p.claimHas[s.tokens[x-1].stem] {
					otherSeconds++
				}
			}
		}
	}
	if firsts == 0 || seconds == 0 || otherFirsts < firsts && otherSeconds < seconds {
		return ""
	}
	return p.claim.text[p.claim.tokens[i].start:p.claim.tokens[i+1].end]
}

// nameAt reports whether token i is a word of a name.
func nameAt(s *sentence, i int) bool {
	return i < len(s.tokens) && s.tokens[i].entity && !s.tokens[i].number() && !s.tokens[i].stop
}

// spaced reports whether nothing but a space stands between token i and the next.
func spaced(s *sentence, i int) bool {
	return i+1 < len(s.tokens) && s.gap(i) == " "
}

// nearStem reports whether a stem stands within three tokens of token x.
func nearStem(s *sentence, x int, stem string) bool {
	for k := max(0, x-3); k <= min(len(s.tokens)-1, x+3); k++ {
		if s.tokens[k].stem == stem {
			return true
		}
	}
	return false
}
