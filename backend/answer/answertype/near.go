package answertype

import (
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/pattern"
	"footnote/backend/plain"
)

// Nearness knows what kind of thing a question asks for, and finds it near the
// question's own words.
type Nearness struct {
	checker *cite.Checker
	fits    func(tokens []nearToken, i int) bool // nil: any kind
	asked   map[string]bool                      // stems of the question
}

// nearTokens is how far from a word of the question a fitting token may stand.
const nearTokens = 8

var (
	askedTokens = pattern.New(`[\w'%$]+`)
	tokenText   = pattern.New(`\d+(?:[.,]\d+)*|[\p{L}\p{N}]+(?:'\p{L}+)*`)
	yearToken   = pattern.New(`^(?:1\d{3}|20\d{2})$`)
	otherTime   = pattern.New(`^(?:century|centuries|decade|bc|ad|summer|winter|spring|autumn|today|yesterday)$`)
	timeUnit    = pattern.New(`^(?:years?|months?|days?|weeks?)$`)

	whereAsked = pattern.New(`\bwhere\b|\b(?:what|which) (?:\w+ )?(?:city|country|state|place|location|region|river|town|county|province|island|continent|nation|area|district|street|building|stadium|venue|capital|village)\b`)
	whoAsked   = pattern.New(`\bwho(?:se|m)?\b|\b(?:what|which) (?:\w+ )?(?:person|man|woman|president|king|queen|actor|actress|author|singer|scientist|player|team|company|group|director|general|leader|emperor|artist|physicist|band|organization|family|political party|architect|mathematician|engineer|philosopher)\b`)
	whyAsked   = pattern.New(`\bwhy\b|\bfor what reason\b|\bwhat (?:\w+ )?(?:reason|cause|causes|caused)\b`)
)

var (
	monthWords  = plain.WordSet(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec`)
	numberWords = plain.WordSet(`billion dozen eight eighteen eighty eleven fifteen fifty five forty four fourteen half hundred million nine nineteen ninety once
		quarter seven seventeen seventy six sixteen sixty ten third thirteen thirty thousand three trillion twelve twenty twice two`)
	reasonWords = plain.WordSet(`because due since caused cause causes reason result therefore so thus owing order prevent allow enable led lead`)
)

// AskedWords are the words of a question, in lower case.
func AskedWords(question string) []string {
	return askedTokens.FindAllString(strings.ToLower(question), -1)
}

// NewNearness finds what kind of thing a question asks for.
func NewNearness(c *cite.Checker, question string) Nearness {
	n := Nearness{checker: c, asked: map[string]bool{}}
	for _, t := range c.Terms(question) {
		n.asked[t.Stem] = true
	}
	lower := strings.Join(AskedWords(question), " ")
	switch {
	case howMuchOrMany.MatchString(lower) || strings.Contains(lower, "number of ") && strings.HasSuffix(strings.TrimSpace(question), "?"):
		n.fits = isAmount
	case whenAsked.MatchString(lower):
		n.fits = isTime
	case whereAsked.MatchString(lower), whoAsked.MatchString(lower):
		n.fits = isName
	case whyAsked.MatchString(lower):
		n.fits = isReason
	}
	return n
}

// nearToken is a token of a sentence as the tests of nearness see it.
type nearToken struct {
	text, lower string
	stem        string
	stop        bool
}

func (n Nearness) tokens(sentence string) []nearToken {
	content := map[string]bool{}
	for _, t := range n.checker.Terms(sentence) {
		content[t.Stem] = true
	}
	texts := tokenText.FindAllString(sentence, -1)
	tokens := make([]nearToken, len(texts))
	for i, text := range texts {
		tokens[i] = nearToken{text: text, lower: strings.ToLower(text)}
		if terms := n.checker.Terms(text); len(terms) == 1 {
			tokens[i].stem = terms[0].Stem
		}
		tokens[i].stop = !content[tokens[i].stem]
	}
	return tokens
}

// Of is 1 when a sentence has a token of the kind that is asked for, not in the
// question itself, near a word of the question; else 0.
func (n Nearness) Of(sentence string) float64 {
	if n.fits == nil {
		return 0
	}
	tokens := n.tokens(sentence)
	for i, t := range tokens {
		if n.asked[t.stem] || !n.fits(tokens, i) {
			continue
		}
		for _, other := range tokens[max(0, i-nearTokens):min(len(tokens), i+nearTokens+1)] {
			if n.asked[other.stem] {
				return 1
			}
		}
	}
	return 0
}

func isAmount(tokens []nearToken, i int) bool {
	return numberWords[tokens[i].lower] || startsWithDigit(tokens[i].text)
}

func isTime(tokens []nearToken, i int) bool {
	t := tokens[i]
	if yearToken.MatchString(t.text) || otherTime.MatchString(t.lower) || monthWords[t.lower] && Capitalised(t.text) {
		return true
	}
	if i+1 == len(tokens) || !startsWithDigit(t.text) {
		return false
	}
	next := tokens[i+1].lower
	return monthWords[next] || timeUnit.MatchString(next)
}

// isName tells names of people and places by their capital; the first word of a
// sentence has one anyway.
func isName(tokens []nearToken, i int) bool {
	t := tokens[i]
	if !Capitalised(t.text) || t.stop || monthWords[t.lower] {
		return false
	}
	return i > 0 || len(tokens) > 1 && Capitalised(tokens[1].text)
}

func isReason(tokens []nearToken, i int) bool { return reasonWords[tokens[i].lower] }

// Capitalised reports whether a word begins with a capital letter.
func Capitalised(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
