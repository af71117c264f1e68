package lang

import (
	"slices"
	"strings"
	"sync"
)

// Nouns behind a word to ask with tell what it asks for: "which city", "what was the
// price".
const (
	year      = "year"
	nounReach = 2 // words between the word to ask with and its noun
	farReach  = 5 // the same where an amount is asked for
)

// KindAsked is AsksForIn with the noun behind "which" and "what" read as well.
func KindAsked(code Code, question string) AnswerType {
	asked := AsksForIn(code, question)
	if asked != Choice && asked != Thing && asked != AsksNothing {
		return asked
	}
	switch value := nounAsked(code, question); value {
	case "":
		return asked
	case year:
		return Time
	default:
		return AnswerType(value)
	}
}

// AsksYear reports whether a year is asked for.
func AsksYear(code Code, question string) bool {
	return KindAsked(code, question) == Time && nounAsked(code, question) == year
}

// nounAsked is what the first noun that tells it asks for.
func nounAsked(code Code, question string) string {
	if unspaced(code) {
		return firstIn(code, question)
	}
	w := words(question)
	at := slices.IndexFunc(w, func(word string) bool { _, asks := code.AskForm(word); return asks })
	for i := at + 1; i < len(w) && i <= at+1+farReach; i++ {
		value, ok := tables()[code][askNoun][w[i]]
		if ok && (value == string(Amount) || i <= at+1+nounReach) {
			return value
		}
	}
	return ""
}

// firstIn is what the longest noun asks for that stands in a text without spaces.
func firstIn(code Code, question string) (value string) {
	longest := ""
	for form, v := range tables()[code][askNoun] {
		if (len(form) > len(longest) || len(form) == len(longest) && form < longest) && strings.Contains(question, form) {
			longest, value = form, v
		}
	}
	return value
}

// What words say of money.
const (
	Price    = "price" // that a price is asked for or told
	currency = "currency"
	free     = "free"
	Proposed = "proposed" // of a price: that it may still change
	Settled  = "settled"  // that it stands
)

// OfMoney reports whether a text has words that say something of money, in its
// language.
func OfMoney(says, text string) bool { return OfMoneyIn(Spoken(text), says, text) }

// OfMoneyIn is OfMoney for a text of a known language.
func OfMoneyIn(code Code, says, text string) bool { return hasValue(code, money, says, text) }

// MoneyIn are the words of a text of a language that say something of money.
func MoneyIn(code Code, says, text string) (words []string) {
	for _, at := range code.places(money, text)[says] {
		words = append(words, text[at[0]:at[1]])
	}
	return words
}

// hasValue reports whether a text has words of a kind with a value.
func hasValue(code Code, k kind, value, text string) bool {
	forms := tables()[code][k]
	if unspaced(code) {
		for form, v := range forms {
			if v == value && strings.Contains(lower(text), form) {
				return true
			}
		}
		return false
	}
	w := words(text)
	for at := range w {
		for n := min(longestAsk, len(w)-at); n > 0; n-- {
			if forms[strings.Join(w[at:at+n], " ")] == value {
				return true
			}
		}
	}
	return false
}

// currencies are the names of money in all languages, and what says that none is
// asked.
var currencies = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, code := range codes {
		for form, value := range tables()[code][money] {
			if value == currency || value == free {
				all[form] = value
			}
		}
	}
	return all
})

// IsCurrency reports whether a word, in lower case, names money in any language.
func IsCurrency(word string) bool { return currencies()[word] == currency }

// IsFree reports whether a word, in lower case, says that nothing is to be paid.
func IsFree(word string) bool { return currencies()[word] == free }

// Tells reports whether a word of a text, in lower case, tells what is asked for: a
// time beside months and years, an amount beside numbers, a reason.
func (c Code) Tells(asked AnswerType, word string) bool {
	if tables()[c][tells][word] == string(asked) {
		return true
	}
	if asked == Reason {
		_, ok := tables()[c][cause][word]
		return ok
	}
	return false
}

// Telling are the words of a language that tell what is asked for, as Tells knows
// them, the longest first.
func (c Code) Telling(asked AnswerType) (words []string) {
	for _, word := range longestFirst(tables()[c][tells]) {
		if tables()[c][tells][word] == string(asked) {
			words = append(words, word)
		}
	}
	return words
}

// IsYear reports whether a word, in lower case, is that for a year.
func IsYear(code Code, word string) bool { return tables()[code][askNoun][word] == year }

// Months are the names of months of a language, the longest first.
func (c Code) Months() []string { return longestFirst(tables()[c][month]) }

// Dated are the words of dates of a language, the longest first: "ordinal" for what
// stands behind the number of a day, "of" before a month, "era" and "decade" behind a
// year; "year", "month", "day" where each number has its own behind it.
func (c Code) Dated(says string) (forms []string) {
	for form, value := range tables()[c][dated] {
		if value == says {
			forms = append(forms, form)
		}
	}
	slices.SortFunc(forms, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return forms
}

// NamesByCapitals reports whether a capital tells a name from other words: not in
// German, where all nouns have one, nor in scripts without.
func (c Code) NamesByCapitals() bool {
	return !c.Has(Styles, "nouns-capital") && !c.Has(Styles, "no-capitals")
}

// CapitalMonths reports whether names of months begin with a capital.
func (c Code) CapitalMonths() bool { return c.Has(Styles, "months-capital") }
