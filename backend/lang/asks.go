package lang

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// AnswerType is what a question asks for.
type AnswerType string

// The types that question words tell. AsksNothing is for texts without one.
const (
	AsksNothing AnswerType = ""
	Person      AnswerType = "person"   // who
	Time        AnswerType = "time"     // when
	Place       AnswerType = "place"    // where
	Count       AnswerType = "count"    // how many
	Amount      AnswerType = "amount"   // how much, how far
	Duration    AnswerType = "duration" // how long, how old
	Reason      AnswerType = "reason"   // why
	Manner      AnswerType = "manner"   // how
	Choice      AnswerType = "choice"   // which
	Thing       AnswerType = "thing"    // what
)

const longestAsk = 5 // words of a form

// AsksFor tells what a question asks for by its question words, in the language
// that it is detected to be in; English where none is.
func AsksFor(text string) AnswerType {
	return AsksForIn(Spoken(text), text)
}

// AsksForIn is AsksFor for a text of a known language. The first question word
// counts, at its longest; "what" further inside only where nothing else asks.
func AsksForIn(code Code, text string) (asked AnswerType) {
	found := ""
	each := spacedAsks
	if code == Chinese || code == Japanese {
		each = unspacedAsks
	}
	each(code, text, func(at int, value string) bool {
		if found == "" {
			found = value
		}
		if AnswerType(value) == Thing && at > 2 {
			return true
		}
		found = value
		return false
	})
	return AnswerType(found)
}

// spacedAsks goes through the question words of a text that has spaces.
func spacedAsks(code Code, text string, yield func(at int, value string) bool) {
	w := words(text)
	for at := range w {
		for n := min(longestAsk, len(w)-at); n > 0; n-- {
			if value, ok := askOf(code, w[at:at+n]); ok {
				if !yield(at, value) {
					return
				}
				break
			}
		}
	}
}

// askOf looks words up. Korean puts particles behind the last one.
func askOf(code Code, w []string) (value string, ok bool) {
	forms := tables()[code][ask]
	form := strings.Join(w, " ")
	if value, ok = forms[form]; ok || code != Korean {
		return value, ok
	}
	last := []rune(w[len(w)-1])
	for n := len(last) - 1; n >= 2; n-- {
		if value, ok = forms[strings.TrimSuffix(form, string(last[n:]))]; ok {
			return value, true
		}
	}
	return "", false
}

// unspacedAsks goes through the question words of a text without spaces.
func unspacedAsks(code Code, text string, yield func(at int, value string) bool) {
	text = lower(text)
	for i := 0; i < len(text); {
		_, n := utf8.DecodeRuneInString(text[i:])
		value := ""
		for form, v := range tables()[code][ask] {
			if strings.HasPrefix(text[i:], form) && (value == "" || len(form) > n) {
				value, n = v, len(form)
			}
		}
		if value != "" && !yield(utf8.RuneCountInString(text[:i]), value) {
			return
		}
		i += n
	}
}

// AsksForSymbol reports whether a text speaks of what is named by code: a
// command, an option, a path.
func AsksForSymbol(text string) bool { return containsAny(symbol, text) }

// GivesReason reports whether a text has words that a reason stands behind.
func GivesReason(text string) bool { return containsAny(cause, text) }

// containsAny looks for the words of a kind in the language of a text; English
// where none is detected.
func containsAny(k kind, text string) bool {
	code := Spoken(text)
	forms := tables()[code][k]
	if code == Chinese || code == Japanese || code == Korean {
		text = lower(text)
		for form := range forms {
			if strings.Contains(text, form) {
				return true
			}
		}
		return false
	}
	w := words(text)
	for at := range w {
		for n := min(longestAsk, len(w)-at); n > 0; n-- {
			if _, ok := forms[strings.Join(w[at:at+n], " ")]; ok {
				return true
			}
		}
	}
	return false
}

// What a question may want to be told that has a form of its own.
const (
	SoughtClock = "clock" // a time of day
	SoughtPhone = "phone" // a number to call
	SoughtMail  = "mail"  // an address of mail
	SoughtYear  = "year"
	SoughtRate  = "rate" // of interest or tax, in hundredths
)

// Sought is which of these a question wants to be told; empty for none.
func Sought(question string) string {
	code := Spoken(question)
	if kind := KindAsked(code, question); kind == Reason || kind == Manner || AsksYesNo(code, question) {
		return ""
	}
	found := code.places(sought, question)
	for _, what := range []string{SoughtClock, SoughtPhone, SoughtMail, SoughtYear, SoughtRate} {
		if len(found[what]) > 0 {
			return what
		}
	}
	return ""
}

// TellsRate reports whether a text has a share in words or in hundredths.
func TellsRate(text string) bool {
	return strings.ContainsAny(text, "%％‰") || len(Detect(text).places(sought, text)["told-rate"]) > 0
}

// TellsClock reports whether a text has a word for a time of day, or one behind its number, or
// a small number behind a word of place: "at 9", "um 8".
func TellsClock(text string) bool {
	code := Detect(text)
	if len(code.places(sought, text)["told-clock"]) > 0 {
		return true
	}
	all := words(text)
	for i, w := range all {
		n, err := strconv.Atoi(w)
		if err != nil || n > 24 || i == 0 || !code.Has(Adposition, all[i-1]) {
			continue
		}
		if _, dated := Month(code, strings.Join(all[i+1:min(i+2, len(all))], "")); !dated { // "am 12. März"
			return true
		}
	}
	return false
}
