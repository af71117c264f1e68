package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The classes of words that ask for a yes or a no, and that keep one from being said.
const (
	PolarOpens Class = "polar"    // what opens such a question alone
	PolarEnds  Class = "polarend" // what ends it
	PolarIn    Class = "polarin"  // what stands inside it
	SaysYes    Class = "saysyes"  // how yes is said
	SaysNo     Class = "saysno"
	Light      Class = "light" // words that a question may have and its answer lack: may, use, possible
	Hedges     Class = "hedge" // words that take back part of what is said: only, unless, usually
)

const (
	fewestPolar     = 3 // words of a question for a yes or a no
	fewestPolarRune = 4 // characters, where no spaces are
)

// AsksYesNo reports whether a question of a language is answered by a yes or a no: it
// opens with a verb where such questions do, has the particle of one, or is a question
// without any word to ask with. One that names alternatives is none.
func AsksYesNo(code Code, question string) bool {
	text := code.CutRequest(strings.TrimSpace(question))
	rest, opens := code.CutFront(PolarOpens, text)
	switch {
	case code == Unknown || code.namesAlternatives(rest):
		return false
	case opens:
		return true
	}
	if code.hasIn(PolarIn, text) {
		return true
	}
	_, asks := code.firstAsk(text)
	if asks {
		return false
	}
	if unspaced(code) {
		_, ends := code.CutBack(PolarEnds, text)
		return ends && utf8.RuneCountInString(text) >= fewestPolarRune
	}
	w := words(text)
	if len(w) < fewestPolar {
		return false
	}
	switch {
	case code.Has(Styles, "verb-asks") && code.Has(Auxiliary, w[0]):
		return true
	case !strings.ContainsAny(lastRune(text), "?؟"):
		return false
	}
	return !code.Has(Styles, "verb-asks") || code.Has(Styles, "any-verb-asks") && !IsFunctionWord(code, w[0])
}

// OpensWithVerb reports whether a question opens with a verb that says little, in a language that
// opens those for a yes or a no so.
func OpensWithVerb(code Code, question string) bool {
	w := words(question)
	return len(w) > 0 && code.Has(Styles, "verb-asks") && (code.Has(Auxiliary, w[0]) || code.Has(Light, w[0]) || IsFunctionWord(code, w[0]))
}

// firstAsk finds any word to ask with. Languages that open a question for a yes or a
// no with its verb may have one further inside: "Is it the one who …?"
func (c Code) firstAsk(text string) (at int, ok bool) {
	if w := words(text); len(w) > 0 && c.Has(Styles, "verb-asks") && c.Has(Auxiliary, w[0]) {
		return 0, false
	}
	each := spacedAsks
	if c == Chinese || c == Japanese {
		each = unspacedAsks
	}
	each(c, text, func(i int, _ string) bool { at, ok = i, true; return false })
	return at, ok
}

func (c Code) namesAlternatives(text string) bool {
	return slices.ContainsFunc(Terms(c, text), func(t Term) bool { return t.Means == "or" })
}

// hasIn reports whether a text has a form of a class: as words, or as characters where
// no spaces are.
func (c Code) hasIn(class Class, text string) bool { return c.CountIn(class, text) > 0 }

// CountIn counts the forms of a class in a text.
func (c Code) CountIn(class Class, text string) (n int) { return c.count(c.Forms(class), text) }

// CountNegations counts the words of a text that say no.
func (c Code) CountNegations(text string) int { return c.count(negationsOf(c), text) }

func negationsOf(c Code) []string { return longestFirst(tables()[c][negation]) }

// count takes the longest form at each place.
func (c Code) count(forms []string, text string) (n int) {
	if unspaced(c) {
		text = lower(text)
		for _, form := range forms {
			n += strings.Count(text, form)
			text = strings.ReplaceAll(text, form, " ")
		}
		return n
	}
	text = " " + strings.Join(words(text), "  ") + " "
	for _, form := range forms {
		form = " " + strings.Join(words(form), "  ") + " "
		n += strings.Count(text, form)
		text = strings.ReplaceAll(text, form, " ")
	}
	return n
}

func lastRune(text string) string {
	_, n := utf8.DecodeLastRuneInString(text)
	return text[len(text)-n:]
}

// NegatesInside reports whether words of a language say no within the verb, where it
// cannot be seen.
func (c Code) NegatesInside() bool { return c.Has(Styles, "negates-inside") }

// Said is a word of a class as it begins a reply; empty where the language has none.
func (c Code) Said(class Class) string {
	forms := c.Forms(class)
	if len(forms) == 0 {
		return ""
	}
	r, n := utf8.DecodeRuneInString(forms[0])
	return string(unicode.ToUpper(r)) + forms[0][n:]
}
