package answertype

import (
	"strings"

	"footnote/backend/cite"
	"footnote/backend/pattern"
)

// Type is the kind of thing that a question asks for, beside its words.
type Type struct {
	near     Nearness
	Money    bool // a price
	When     bool
	Proposed bool   // an estimate or offer is itself asked for
	counted  string // stem of what "how many" asks the number of; empty when it does not
}

// countReach is how many words behind its number the counted thing may stand.
const countReach = 3

// Strictly reports whether a text has a price where one is asked for, or the number
// of what "how many" asks for right before it: then nothing else is wanted.
func (want Type) Strictly(text string) bool {
	if want.counted == "" {
		return want.Money && moneyText.MatchString(text)
	}
	tokens := want.near.tokens(text)
	for i := range tokens {
		if !isAmount(tokens, i) {
			continue
		}
		for _, t := range tokens[i+1 : min(len(tokens), i+1+countReach)] {
			if t.stem == want.counted {
				return true
			}
		}
	}
	return false
}

var (
	priceAsked = pattern.New(`\b(?:costs?|prices?|priced|fares?|fees?|expensive|cheap\w*|pays?|paid|charged?|charges|how much money)\b`)
	otherAsked = pattern.New(`^(?:who|whom|whose|when|where|why|which|is|are|was|were|do|does|did|can|may|must|should|has|have)\b`)
	countAsked = pattern.New(`(?i)\bhow many (\p{L}+)`)
	moneyText  = pattern.New(`(?i)[$€£¥]\s?\d|\d[\d.,]*\s?(?:thousand|million|billion)?\s?(?:euros?|eur|dollars?|usd|pounds?|gbp|pence|cents?|francs?|chf|kroner|yen)\b|\bfree\b`)

	currencyName = pattern.New(`(?i)[$€£¥]|\b(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf)\b`)

	// proposedText marks a price that may still change, settledText one that stands.
	proposedText = pattern.New(`(?i)\b(?:estimat\w+|approximat\w+|expected|budgeted|quot(?:e|es|ed|ation|ations)|offer(?:s|ed)?|propos\w+|tenders?|forecasts?)\b`)
	settledText  = pattern.New(`(?i)\b(?:accept(?:ed|s)|agreed|approved|signed|invoices?|invoiced|paid|bills?|billed|receipts?|settled|final)\b`)
)

// Of finds what kind of thing a question asks for.
func Of(c *cite.Checker, question string) Type {
	want := Type{
		near:     NewNearness(c, question),
		Money:    AsksPrice(question),
		When:     AsksWhen(question),
		Proposed: proposedText.MatchString(question),
	}
	if m := countAsked.FindStringSubmatch(question); m != nil {
		if terms := c.Terms(m[1]); len(terms) == 1 {
			want.counted = terms[0].Stem
		}
	}
	return want
}

// NamesMoney reports whether a text names a price, or a word of prices.
func NamesMoney(text string) bool {
	return moneyText.MatchString(text) || IsOfPrice(strings.ToLower(text)) || currencyName.MatchString(text)
}

// IsOfPrice reports whether words, in lower case, are such as ask for a price.
func IsOfPrice(words string) bool { return priceAsked.MatchString(words) }

// Particular reports whether a certain kind of thing is asked for.
func (want Type) Particular() bool {
	return want.Money || want.When || want.near.fits != nil
}

// AsksPrice reports whether a question asks what something costs.
func AsksPrice(question string) bool {
	lower := strings.ToLower(strings.TrimSpace(question))
	return priceAsked.MatchString(lower) && !otherAsked.MatchString(lower)
}

// Fulfilled reports whether a text has what is asked for. Where nothing in
// particular is asked for, none has.
func (want Type) Fulfilled(text string) bool {
	switch {
	case want.Money:
		return moneyText.MatchString(text)
	case want.When && HasTimeOfDay(text):
		return true
	case want.near.fits == nil:
		return false
	}
	tokens := want.near.tokens(text)
	for i, t := range tokens {
		if !want.near.asked[t.stem] && want.near.fits(tokens, i) {
			return true
		}
	}
	return false
}

// Standing says how far a price stands, by the sentence and, where that is
// silent, by the title of its source: 1 settled, -1 proposed, else 0.
func Standing(title, text string) int {
	for _, t := range []string{text, title} {
		switch {
		case settledText.MatchString(t):
			return 1
		case proposedText.MatchString(t):
			return -1
		}
	}
	return 0
}
