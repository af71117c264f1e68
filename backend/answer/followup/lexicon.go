package followup

import (
	"strings"
	"sync"
	"unicode"

	"footnote/backend/lang"
)

// lexicon are the words of a language that carry the form of a question, out of the
// tables of lang.
type lexicon struct {
	name  lang.Code
	small func() map[string]bool // words that carry the form of a sentence, or nothing
}

// is reports whether a word in lower case is of a class of the tables.
func (l *lexicon) is(class lang.Class, word string) bool {
	switch class {
	case lang.AsksWith:
		if _, asks := l.name.AskForm(word); asks {
			return true
		}
	case "month":
		_, ok := lang.Month(l.name, word)
		return ok && word != ""
	}
	return l.name.Has(class, word)
}

// asks reports whether a word asks for a kind of thing.
func (l *lexicon) asks(word string, kinds ...lang.AnswerType) bool {
	asked, ok := l.name.AskForm(word)
	for _, k := range kinds {
		if ok && asked == k {
			return true
		}
	}
	return false
}

// has reports whether the words of a language stand in a certain way.
func (l *lexicon) has(style string) bool { return l.name.Has(lang.Styles, style) }

// one is the first form of a class, for what a language has one word for.
func (l *lexicon) one(class lang.Class) string {
	if all := l.name.Forms(class); len(all) > 0 {
		return all[0]
	}
	return ""
}

// joined puts one text behind another.
func (l *lexicon) joined(a, b string) string {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == "" || b == "" || l.has("unspaced") {
		return a + b
	}
	return a + " " + b
}

var lexicons = func() map[lang.Code]*lexicon {
	all := map[lang.Code]*lexicon{}
	for _, code := range lang.Codes() {
		all[code] = &lexicon{code, sync.OnceValue(func() map[string]bool { return smallWords(code) })}
	}
	return all
}()

func smallWords(code lang.Code) map[string]bool {
	small := map[string]bool{}
	for _, w := range append(lang.FunctionWords(code), code.AskForms()...) {
		small[w] = true
	}
	for _, class := range formClasses {
		for _, w := range code.Forms(class) {
			small[w] = true
		}
	}
	return small
}

var english = lexicons[lang.English]

// lexiconOf is that of the language whose words of form a text has most of;
// where nothing tells, the one that is expected.
func lexiconOf(text string, expected *lexicon) *lexicon {
	alphabet := scriptOf(text)
	if alphabet == nil {
		return expected
	}
	if alphabet != unicode.Latin && alphabet != unicode.Cyrillic {
		code := lang.Detect(text)
		if code == lang.Chinese && expected.name == lang.Japanese || lexicons[code] == nil {
			return expected // a name in the characters of both
		}
		return lexicons[code]
	}
	best, most := expected, expected.share(tokenize(expected, text))
	if expected.alphabet() != alphabet {
		most = 0
	}
	for _, code := range lang.Codes() {
		l := lexicons[code]
		if l.alphabet() != alphabet {
			continue
		}
		if n := l.share(tokenize(l, text)); n > most {
			best, most = l, n
		}
	}
	if known := lexicons[lang.Detect(text)]; known != nil && (most == 0 || best != expected && known.alphabet() == alphabet && known.share(tokenize(known, text)) == most) {
		return known
	}
	return best
}

// scriptOf is the writing of the first letter that no other language has, Latin
// letters last.
func scriptOf(text string) *unicode.RangeTable {
	var found *unicode.RangeTable
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			found = unicode.Latin
		case unicode.Is(unicode.Cyrillic, r):
			return unicode.Cyrillic
		case unicode.IsLetter(r):
			return unicode.Han // or another that one language alone is written in
		}
	}
	return found
}

func (l *lexicon) alphabet() *unicode.RangeTable {
	switch l.name {
	case lang.Russian, lang.Ukrainian:
		return unicode.Cyrillic
	case lang.Arabic, lang.Hindi, lang.Chinese, lang.Japanese, lang.Korean:
		return unicode.Han
	}
	return unicode.Latin
}

// share is how many words of a text carry the form of a question in a language.
func (l *lexicon) share(toks []token) (n int) {
	for i, t := range toks {
		if l.small()[t.lower] || i == 0 && l.is(lang.Opens, t.lower) {
			n++
		}
	}
	return n
}
