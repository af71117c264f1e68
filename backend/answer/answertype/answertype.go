package answertype

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/cite"
	"footnote/backend/lang"
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
		return want.Money && hasPrice(text)
	}
	tokens := want.near.tokens(text)
	for i := range tokens {
		if !want.near.isAmount(tokens, i) {
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

// Of finds what kind of thing a question asks for.
func Of(c *cite.Checker, question string) Type {
	code := lang.Spoken(question)
	want := Type{
		near:     NewNearness(c, question),
		Money:    AsksPrice(question),
		When:     AsksWhen(question),
		Proposed: lang.OfMoney(lang.Proposed, question),
	}
	if lang.AsksForIn(code, question) == lang.Count {
		want.counted = countedBehind(c, code, question)
	}
	return want
}

// countedBehind is the stem of the word right behind "how many".
func countedBehind(c *cite.Checker, code lang.Code, question string) string {
	said := strings.Join(words(question), " ")
	for _, form := range code.AskForms() {
		_, behind, ok := strings.Cut(" "+said+" ", " "+form+" ")
		if asked, _ := code.AskForm(form); !ok || asked != lang.Count || behind == "" {
			continue
		}
		if terms := c.Terms(strings.Fields(behind)[0]); len(terms) == 1 {
			return terms[0].Stem
		}
	}
	return ""
}

// pricesInFigures has a sign of money beside a number.
var pricesInFigures = pattern.New(`\p{Sc} ?\d|\d ?\p{Sc}`)

const behindFigure = 2 // words behind a number among which its currency stands

// hasPrice reports whether a text tells a price: a number in a currency, or that
// nothing is to be paid.
func hasPrice(text string) bool {
	if pricesInFigures.MatchString(text) {
		return true
	}
	w := words(text)
	for i, word := range w {
		if lang.IsFree(word) {
			return true
		}
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsDigit(first) && (lang.IsCurrency(strings.TrimLeft(word, "0123456789")) || slices.ContainsFunc(w[i+1:min(len(w), i+1+behindFigure)], lang.IsCurrency)) {
			return true
		}
	}
	return false
}

// NamesMoney reports whether a text names a price, or a word of prices.
func NamesMoney(text string) bool {
	return hasPrice(text) || lang.OfMoney(lang.Price, text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) ||
		slices.ContainsFunc(words(text), lang.IsCurrency)
}

// Particular reports whether a certain kind of thing is asked for.
func (want Type) Particular() bool {
	return want.Money || want.When || want.near.fits != nil
}

// AsksPrice reports whether a question asks what something costs.
func AsksPrice(question string) bool {
	code := lang.Spoken(question)
	switch lang.AsksForIn(code, question) {
	case lang.Person, lang.Time, lang.Place, lang.Reason, lang.Choice, lang.Count:
		return false
	}
	return lang.OfMoney(lang.Price, question) && !lang.AsksYesNo(code, question)
}

// Fulfilled reports whether a text has what is asked for. Where nothing in
// particular is asked for, none has.
func (want Type) Fulfilled(text string) bool {
	switch {
	case want.Money:
		return hasPrice(text)
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
		case lang.OfMoney(lang.Settled, t):
			return 1
		case lang.OfMoney(lang.Proposed, t):
			return -1
		}
	}
	return 0
}
