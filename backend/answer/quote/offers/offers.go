// Package offers tells whether a text has the kind of thing that a question asks for.
package offers

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

var (
	anyNumber  = pattern.New(`\p{N}+`)
	timeMarks  = pattern.New(`\p{N}\s*[年月日時]|\b(?:1[0-9]|20)\p{N}\p{N}\b|\p{N}+[:.]\p{N}\p{N}|\p{N}{4}-\p{N}\p{N}`)
	codeText   = pattern.New("--?\\pL[\\pL\\pN-]+|\\b[\\pL\\pN]+(?:[._/]|::)[\\pL\\pN][\\pL\\pN._/:-]*|\\b\\pL\\w*\\(\\)|\\b[A-Z][A-Z0-9_]{2,}\\b|\\b\\p{Ll}+\\p{Lu}\\w*|`[^`]+`|\\p{N}+")
	nameInText = pattern.New(`\p{Lu}\p{L}+`)
)

// Kind tells whether a text has the kind of thing that the question words of any
// language ask for, beyond what the question has itself: 1 yes, -1 no, 0 when they
// ask for nothing that can be told.
func Kind(asked lang.AnswerType, question, text string) float64 {
	yes := false
	switch asked {
	case lang.Time:
		yes = hasBeyond(timeMarks, question, text) || hasMonth(text)
	case lang.Count, lang.Amount, lang.Duration:
		yes = hasBeyond(anyNumber, question, text) || NumberWord(text)
	case lang.Person:
		if otherAlphabet(text) {
			return 0
		}
		yes = hasBeyond(nameInText, question, text)
	case lang.Reason:
		yes = lang.GivesReason(text)
	case lang.Choice, lang.Thing, lang.Manner:
		if !lang.AsksForSymbol(question) {
			return 0
		}
		yes = hasBeyond(codeText, question, text)
	default:
		return 0
	}
	if yes {
		return 1
	}
	return -1
}

var (
	clockText = pattern.New(`\d{1,2}[:.]\d\d|(?i:\d{1,2} ?(?:h(?:\d\d)?\b|[ap]\.?m\b|[時点點时시]))|\b\d{1,2} ?(?:-|–) ?\d{1,2}\b`)
	yearText  = pattern.New(`(?:^|\P{N})(?:1\p{N}|20)\p{N}{2}(?:\P{N}|$)|[年]`)
	phoneText = pattern.New(`(?:\p{N}[\s./()+-]{0,2}){5,}`)
)

// Lacks reports whether a text has nothing of the form that a question wants to be told: a time
// of day, a number to call, an address of mail, a year, a rate.
func Lacks(question, text string) bool {
	switch lang.Sought(question) {
	case lang.SoughtClock:
		return !clockText.MatchString(text) && !lang.TellsClock(text) && !NumberWord(text)
	case lang.SoughtPhone:
		return !phoneText.MatchString(text)
	case lang.SoughtMail:
		return !strings.Contains(text, "@")
	case lang.SoughtYear:
		return !yearText.MatchString(text)
	case lang.SoughtRate:
		return !lang.TellsRate(text)
	}
	return false
}

// hasBeyond reports whether a pattern matches something in a text that the
// question does not have.
func hasBeyond(pattern *pattern.Regexp, question, text string) bool {
	return slices.ContainsFunc(pattern.FindAllString(text, -1), func(m string) bool { return !strings.Contains(question, m) })
}

func hasMonth(text string) bool {
	code := lang.Detect(text)
	return hasWord(text, func(w string) bool { _, ok := lang.Month(code, w); return ok })
}

// NumberWord reports whether a text has a number above one that is a word.
func NumberWord(text string) bool {
	code := lang.Detect(text)
	return hasWord(text, func(w string) bool { n, ok := lang.Number(code, w); return ok && n > 1 })
}

func hasWord(text string, is func(string) bool) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }), is)
}

// otherAlphabet reports whether most letters of a text are not Latin.
func otherAlphabet(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	return other > latin
}
