package cite

import "strings"

// saysAsMuch is the part of the best sentence's recall from which a sentence is
// looked at for a negation.
const saysAsMuch = 0.5

// otherNots are words that deny without being a negator.
var otherNots = setOf([]string{"few", "little", "only", "rather", "instead", "unlike", "except", "exclude", "avoid"}, stem)

// lacksNot says that the claim denies what the passage denies nowhere; empty
// when it does, or the claim denies nothing.
func (p *pair) lacksNot() string {
	at := realNegators(&p.claim)
	if len(at) == 0 || p.best < 0 {
		return ""
	}
	for j := range p.sentences {
		if p.recall[j] < saysAsMuch*p.recall[p.best] {
			continue
		}
		for x := range p.sentences[j].tokens {
			if p.deniesAny(&p.sentences[j].tokens[x]) {
				return ""
			}
		}
	}
	return "the passage says this without “" + p.claim.tokens[at[0]].text + "”"
}

// deniesAny reports whether a token denies: by itself, or by a syllable before or
// behind a word of the claim, as in ineffective.
func (p *pair) deniesAny(t *token) bool {
	if t.denies || t.negator || otherNots[t.stem] {
		return true
	}
	for _, syllable := range []string{"un", "in", "im", "il", "ir", "non", "dis", "mis"} {
		if rest, ok := strings.CutPrefix(t.lower, syllable); ok && len(rest) > 2 && p.claimHas[stem(rest)] {
			return true
		}
	}
	rest, ok := strings.CutSuffix(t.lower, "less")
	return ok && p.claimHas[stem(rest)]
}

// speaksOfSeveral are words by which a sentence speaks of more than one thing.
var speaksOfSeveral = setOf([]string{"both", "two", "each", "either", "neither", "all", "and", "also", "same", "together"}, nil)

// lacksBoth says that the claim says something of both of two things it does not
// name, where the passage speaks of one; empty when it does not.
func (p *pair) lacksBoth() string {
	at := -1
	for i := range p.claim.tokens {
		switch t := &p.claim.tokens[i]; {
		case t.lower == "both":
			at = i
		case at >= 0 && t.lower == "and":
			return ""
		}
	}
	if at < 0 || p.best < 0 {
		return ""
	}
	for j := range p.sentences {
		if p.recall[j] < saysAsMuch*p.recall[p.best] {
			continue
		}
		for x := range p.sentences[j].tokens {
			if speaksOfSeveral[p.sentences[j].tokens[x].lower] {
				return ""
			}
		}
	}
	return "the passage does not say this of both"
}
