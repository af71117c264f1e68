package lang

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Meaning is a question for what a term means, "What is a layer mask?", or what the
// thing is for: "What does a layer mask do?".
type Meaning struct {
	Term string // in lower case, without an article
	name string // the term without the sort of thing it is, "--keep" of "--keep option"; empty where it has none
	code Code
	use  bool // what it is for
}

const (
	longestDefined = 4 // words of a term
	longestNamed   = 6
	longestHan     = 12
	beforeTerm     = 3 // words of a sentence that may stand before its subject
	afterTerm      = 6 // that may stand between the subject and what it is, from a small word on
)

// frame is a form of such questions: what stands before and after the term.
type frame struct {
	before, after string
	code          Code
	use           bool
}

// ofUse is the value of forms that ask or say what a thing is for.
const ofUse = "use"

// frames are those of all languages, the longest first. So short a question is
// often of no language that can be told.
var frames = sync.OnceValue(func() (all []frame) {
	for _, code := range codes {
		for form, value := range tables()[code][meaningAsked] {
			before, after, _ := strings.Cut(form, "_")
			all = append(all, frame{before, after, code, value == ofUse})
		}
	}
	slices.SortFunc(all, func(a, b frame) int {
		return cmp.Or(cmp.Compare(len(b.before)+len(b.after), len(a.before)+len(a.after)), cmp.Compare(a.before, b.before), cmp.Compare(a.after, b.after), cmp.Compare(a.code, b.code))
	})
	return all
})

// AsksMeaning reads a question for what a term means or is for. ok is false for any other:
// a term has no small words, which a thing's property has ("the capital of France").
func AsksMeaning(question string) (m Meaning, ok bool) {
	text := strings.Join(strings.Fields(strings.NewReplacer("’", "'", "‘", "'").Replace(strings.ToLower(question))), " ")
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	for _, f := range frames() {
		term, begins := strings.CutPrefix(text, f.before)
		term, ends := strings.CutSuffix(term, f.after)
		term = strings.TrimFunc(term, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r) })
		if begins && ends && term != "" {
			return Meaning{term, withoutSort(f.code, term), f.code, f.use}, f.asksOf(term)
		}
	}
	return Meaning{}, false
}

// asksOf reports whether a form can ask so of a term. What a thing is for is no property
// of another thing: its name may have small words, "page de garde".
func (f frame) asksOf(term string) bool {
	if !f.use || unspaced(f.code) {
		return isTerm(f.code, term)
	}
	w := strings.Fields(term)
	return len(w) <= longestNamed && isTerm(f.code, w[0]) && isTerm(f.code, w[len(w)-1]) && !slices.ContainsFunc(w, func(word string) bool {
		_, asks := askOf(f.code, []string{word})
		return asks
	})
}

func isTerm(code Code, term string) bool {
	if unspaced(code) {
		return utf8.RuneCountInString(term) <= longestHan && !strings.ContainsAny(term, "的の、，をがはに")
	}
	w := strings.Fields(term)
	return len(w) <= longestDefined && !slices.ContainsFunc(w, func(word string) bool {
		_, asks := askOf(code, []string{word})
		return asks || IsFunctionWord(code, word) || !strings.ContainsFunc(word, unicode.IsLetter)
	})
}

// withoutSort is a term without the noun at its beginning or end that only says what
// sort of thing it is; empty where it has none, or is one.
func withoutSort(code Code, term string) string {
	if unspaced(code) {
		for noun := range tables()[code][sortNoun] {
			if name, ok := strings.CutSuffix(term, noun); ok {
				return strings.TrimSpace(name)
			}
		}
		return ""
	}
	w := strings.Fields(term)
	switch {
	case len(w) < 2:
		return ""
	case isSort(code, w[0]):
		return strings.Join(w[1:], " ")
	case isSort(code, w[len(w)-1]):
		return strings.Join(w[:len(w)-1], " ")
	}
	return ""
}

func isSort(code Code, word string) bool {
	_, is := code.value(sortNoun, word)
	return is
}

// PartsWords reports whether a language writes spaces between all words.
func PartsWords(code Code) bool { return !unspaced(code) }

func unspaced(code Code) bool { return code == Chinese || code == Japanese || code == Korean }

// SaidBy reports whether a sentence says what the term is, or where that is asked,
// what it is for: the term is its subject, and what defines or serves follows, or it is
// named at the end, "… is called a bleed valve".
func (m Meaning) SaidBy(sentence string) bool {
	sentence = strings.ToLower(sentence)
	return m.namedBy(sentence) || m.saidOf(m.Term, sentence) || m.use && m.name != "" && m.saidOf(m.name, sentence)
}

// OpenedBy reports whether what stands under a heading says what the term is for, where
// that is asked: the heading is the term, as of an option in a manual.
func (m Meaning) OpenedBy(heading string) bool {
	heading = strings.ToLower(strings.TrimLeft(heading, "0123456789.§ "))
	is := func(term string) bool {
		rest, ok := m.afterSubject(term, heading, beforeTerm)
		return ok && !strings.ContainsFunc(rest, unicode.IsLetter)
	}
	return m.use && (is(m.Term) || m.name != "" && is(m.name))
}

func (m Meaning) saidOf(term, sentence string) bool {
	rest, ok := m.afterSubject(term, sentence, beforeTerm)
	if !ok {
		return false
	}
	rest = m.withoutAside(rest)
	if m.defines(rest) {
		return true
	}
	if unspaced(m.code) {
		return false
	}
	// "of a layer", as in "an alpha channel of a layer is"
	w := strings.Fields(rest)
	if len(w) == 0 || !IsFunctionWord(m.code, w[0]) {
		return false
	}
	for n := 1; n <= min(afterTerm, len(w)-1) && !strings.HasSuffix(w[n-1], ","); n++ {
		if m.defines(strings.Join(w[n:], " ")) {
			return true
		}
	}
	return false
}

// afterSubject is what follows a term at the start of a sentence, behind so many small
// words at most, or the sort of thing it is.
func (m Meaning) afterSubject(term, sentence string, most int) (rest string, ok bool) {
	sentence = strings.TrimLeftFunc(sentence, notLetter)
	if unspaced(m.code) {
		rest, ok = strings.CutPrefix(sentence, term)
		return strings.TrimLeft(rest, "」』”\"》〉*_` "), ok
	}
	words := strings.Fields(term)
	for skipped := 0; skipped <= most; skipped++ {
		if rest, ok = cutWords(sentence, words); ok {
			return rest, true
		}
		word := sentence[:wordEnd(sentence)]
		if word == "" || !IsFunctionWord(m.code, word) && !isSort(m.code, word) {
			return "", false
		}
		sentence = strings.TrimLeftFunc(sentence[len(word):], notLetter)
	}
	return "", false
}

// namedBy reports whether a clause ends with what names the term.
func (m Meaning) namedBy(sentence string) bool {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	for form := range tables()[m.code][naming] {
		before, after, _ := strings.Cut(form, "_")
		if before == "" { // "katman denir"
			before = " "
		}
		for _, rest, more := strings.Cut(sentence, before); more; _, rest, more = strings.Cut(rest, before) {
			behind, ok := m.afterName(rest)
			behind, ends := strings.CutPrefix(behind, after)
			if ok && ends && endsClause(behind) {
				return true
			}
		}
	}
	return false
}

// afterName is what follows the term at the start of a text, behind an article.
func (m Meaning) afterName(text string) (behind string, ok bool) {
	if unspaced(m.code) {
		behind, ok = strings.CutPrefix(strings.TrimLeft(text, "「『“\"《〈*_` "), m.Term)
		return strings.TrimLeft(behind, "」』”\"》〉*_`"), ok
	}
	return m.afterSubject(m.Term, text, 1)
}

// endsClause reports whether no word follows at once.
func endsClause(text string) bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \"'”»“›’*_`"))
	return notLetter(next)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// wordEnd is where the first word of a text ends; one in parts by hyphens is one.
func wordEnd(text string) int {
	for i, r := range text {
		if notLetter(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) && r != '-' && r != '.' && r != '+' && r != '#' && r != '_' {
			return i
		}
	}
	return len(text)
}

// cutWords takes words off the start of a text, in whatever inflexion.
func cutWords(text string, words []string) (rest string, ok bool) {
	for _, want := range words {
		text = strings.TrimLeftFunc(text, func(r rune) bool { return notLetter(r) && r != '(' && r != ',' })
		word := text[:wordEnd(text)]
		if !sameWord(strings.TrimRight(word, ".-"), want) {
			return "", false
		}
		text = text[len(word):]
	}
	return text, true
}

// sameWord compares words but for an ending of two letters.
func sameWord(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	same := 0
	for same < len(x) && x[same] == y[same] {
		same++
	}
	return same == len(y) || same >= 3 && len(y)-same <= 2 && same >= len(x)-1
}

// withoutAside leaves out what stands in brackets after a term, and the marks of
// a quotation that end there.
func (m Meaning) withoutAside(rest string) string {
	for {
		rest = strings.TrimLeft(rest, " \"'”»“›’*_`")
		open, size := utf8.DecodeRuneInString(rest)
		if open != '(' && open != '（' && open != '[' {
			return rest
		}
		end := strings.IndexAny(rest, ")）]")
		if end < size {
			return rest
		}
		_, size = utf8.DecodeRuneInString(rest[end:])
		rest = rest[end+size:]
	}
}

// defines reports whether a text begins with what defines a term, or says its use
// where that is asked for.
func (m Meaning) defines(rest string) (yes bool) {
	rest = strings.ReplaceAll(rest, "’", "'")
	for form, value := range tables()[m.code][defining] {
		after, begins := strings.CutPrefix(rest, form)
		switch {
		case !begins || !unspaced(m.code) && !strings.HasSuffix(form, "'") && after[wordEnd(after):] != after:
		case value == "not":
			return false
		case value == ofUse:
			yes = yes || m.use
		default:
			yes = true
		}
	}
	return yes
}
