package quote

import (
	"regexp"
	"strings"

	"footnote/backend/cite"
)

// answerType is the kind of thing that a question asks for, beside its words.
type answerType struct {
	near     nearness
	money    bool // a price
	when     bool
	proposed bool   // an estimate or offer is itself asked for
	counted  string // stem of what "how many" asks the number of; empty when it does not
}

// countReach is how many words behind its number the counted thing may stand.
const countReach = 3

// strictly reports whether a text has a price where one is asked for, or the number
// of what "how many" asks for right before it: then nothing else is wanted.
func (want answerType) strictly(text string) bool {
	if want.counted == "" {
		return want.money && moneyText.MatchString(text)
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
	priceAsked = regexp.MustCompile(`\b(?:costs?|prices?|priced|fares?|fees?|expensive|cheap\w*|pays?|paid|charged?|charges|how much money)\b`)
	otherAsked = regexp.MustCompile(`^(?:who|whom|whose|when|where|why|which|is|are|was|were|do|does|did|can|may|must|should|has|have)\b`)
	countAsked = regexp.MustCompile(`(?i)\bhow many (\p{L}+)`)
	moneyText  = regexp.MustCompile(`(?i)[$€£¥]\s?\d|\d[\d.,]*\s?(?:thousand|million|billion)?\s?(?:euros?|eur|dollars?|usd|pounds?|gbp|pence|cents?|francs?|chf|kroner|yen)\b|\bfree\b`)

	currencyName = regexp.MustCompile(`(?i)[$€£¥]|\b(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf)\b`)

	// proposedText marks a price that may still change, settledText one that stands.
	proposedText = regexp.MustCompile(`(?i)\b(?:estimat\w+|approximat\w+|expected|budgeted|quot(?:e|es|ed|ation|ations)|offer(?:s|ed)?|propos\w+|tenders?|forecasts?)\b`)
	settledText  = regexp.MustCompile(`(?i)\b(?:accept(?:ed|s)|agreed|approved|signed|invoices?|invoiced|paid|bills?|billed|receipts?|settled|final)\b`)
)

func newAnswerType(c *cite.Checker, question string) answerType {
	want := answerType{
		near:     newNearness(c, question),
		money:    asksPrice(question),
		when:     asksWhen(question),
		proposed: proposedText.MatchString(question),
	}
	if m := countAsked.FindStringSubmatch(question); m != nil {
		if terms := c.Terms(m[1]); len(terms) == 1 {
			want.counted = terms[0].Stem
		}
	}
	return want
}

// asksPrice reports whether a question asks what something costs.
func asksPrice(question string) bool {
	lower := strings.ToLower(strings.TrimSpace(question))
	return priceAsked.MatchString(lower) && !otherAsked.MatchString(lower)
}

// fulfilled reports whether a text has what is asked for. Where nothing in
// particular is asked for, none has.
func (want answerType) fulfilled(text string) bool {
	switch {
	case want.money:
		return moneyText.MatchString(text)
	case want.when && timeOfDay.MatchString(text):
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

// standing says how far a price stands, by the sentence and, where that is
// silent, by the title of its source: 1 settled, -1 proposed, else 0.
func standing(title, text string) int {
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
