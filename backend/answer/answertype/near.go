package answertype

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Nearness knows what kind of thing a question asks for, and finds it near the
// question's own words.
type Nearness struct {
	checker *cite.Checker
	code    lang.Code
	kind    lang.AnswerType
	fits    func(tokens []nearToken, i int) bool // nil: any kind
	asked   map[string]bool                      // stems of the question
}

// nearTokens is how far from a word of the question a fitting token may stand.
const nearTokens = 8

var (
	askedTokens = pattern.New(`[\p{L}\p{M}\p{N}_'%$]+`)
	tokenText   = pattern.New(`\d+(?:[.,]\d+)*|[\p{Han}\p{Hiragana}\p{Katakana}]+|[\p{L}\p{M}\p{N}]+(?:'\p{L}+)*`)
	yearToken   = pattern.New(`^(?:1\d{3}|20\d{2})$`)
)

// AskedWords are the words of a question, in lower case.
func AskedWords(question string) []string {
	return askedTokens.FindAllString(strings.ToLower(question), -1)
}

// NewNearness finds what kind of thing a question asks for.
func NewNearness(c *cite.Checker, question string) Nearness {
	n := Nearness{checker: c, asked: map[string]bool{}, code: lang.Spoken(question)}
	for _, t := range c.Terms(question) {
		n.asked[t.Stem] = true
	}
	switch n.kind = lang.KindAsked(n.code, question); n.kind {
	case lang.Count, lang.Amount, lang.Duration:
		n.fits = n.isAmount
	case lang.Time:
		n.fits = n.isTime
	case lang.Place, lang.Person:
		if n.code.NamesByCapitals() {
			n.fits = n.isName
		}
	case lang.Reason:
		n.fits = n.isReason
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

func (n Nearness) isAmount(tokens []nearToken, i int) bool {
	word := tokens[i].lower
	if startsWithDigit(word) || n.code.Tells(lang.Amount, word) {
		return true
	}
	value, ok := lang.Number(n.code, word)
	return ok && value > 1
}

func (n Nearness) isTime(tokens []nearToken, i int) bool {
	t := tokens[i]
	if yearToken.MatchString(t.text) || n.code.Tells(lang.Time, t.lower) || n.isMonth(tokens, i) {
		return true
	}
	if !startsWithDigit(t.text) {
		return false
	}
	return n.isMonth(tokens, i+1) || n.isMonth(tokens, i+2) && n.code != lang.English || i+1 < len(tokens) && isSpan(n.code, tokens[i+1].lower)
}

// isMonth tells the names of months; they have a capital where names have one.
func (n Nearness) isMonth(tokens []nearToken, i int) bool {
	if i < 0 || i >= len(tokens) {
		return false
	}
	_, ok := lang.Month(n.code, tokens[i].lower)
	return ok && (!n.code.CapitalMonths() || Capitalised(tokens[i].text))
}

// isSpan tells units of time from a day on.
func isSpan(code lang.Code, word string) bool {
	unit, ok := lang.Unit(code, word)
	return ok && slices.Contains([]string{"d", "wk", "mo", "yr"}, unit)
}

// isName tells names of people and places by their capital; the first word of a
// sentence has one anyway.
func (n Nearness) isName(tokens []nearToken, i int) bool {
	t := tokens[i]
	if _, month := lang.Month(n.code, t.lower); !Capitalised(t.text) || t.stop || month {
		return false
	}
	return i > 0 || len(tokens) > 1 && Capitalised(tokens[1].text)
}

const longestReason = 4 // words of what a reason stands behind

func (n Nearness) isReason(tokens []nearToken, i int) bool {
	said := ""
	for _, t := range tokens[i:min(len(tokens), i+longestReason)] {
		if said = strings.TrimSpace(said + " " + t.lower); n.code.Tells(lang.Reason, said) {
			return true
		}
	}
	return false
}

// Capitalised reports whether a word begins with a capital letter.
func Capitalised(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
