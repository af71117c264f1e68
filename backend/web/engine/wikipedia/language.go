package wikipedia

import (
	"slices"
	"strings"
	"unicode"
)

// scripts name the Wikipedia of a script that one large language uses.
var scripts = []struct {
	table *unicode.RangeTable
	lang  string
}{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Cyrillic, "ru"},
	{unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Thai, "th"}, {unicode.Devanagari, "hi"},
	{unicode.Bengali, "bn"}, {unicode.Tamil, "ta"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"},
}

// words are short words by which a question in Latin script shows its language.
var words = map[string][]string{
	"de": {"der", "die", "das", "und", "ist", "wie", "wer", "wann", "warum", "welche", "welcher", "ein", "eine", "wurde", "von", "für", "nicht", "den", "dem"},
	"fr": {"le", "la", "les", "des", "est", "qui", "que", "quel", "quelle", "quand", "comment", "pourquoi", "une", "du", "où", "dans", "sont"},
	"es": {"el", "los", "las", "qué", "quién", "cuándo", "cómo", "cuál", "dónde", "es", "una", "del", "por", "fue", "en"},
	"it": {"il", "lo", "gli", "che", "chi", "quando", "come", "perché", "è", "di", "della", "un", "una", "sono", "quale"},
	"pt": {"o", "os", "que", "quem", "quando", "como", "é", "uma", "um", "da", "do", "não", "qual", "foi"},
	"nl": {"het", "een", "wie", "wat", "wanneer", "waarom", "hoe", "welke", "van", "zijn", "werd", "niet"},
	"pl": {"kto", "co", "kiedy", "jak", "jest", "dlaczego", "który", "w", "na", "był"},
	"en": {"the", "is", "are", "was", "what", "who", "when", "how", "why", "which", "of", "did", "does", "in", "and"},
}

func knownLanguage(l string) bool {
	return len(l) >= 2 && len(l) <= 3 && strings.Trim(l, "abcdefghijklmnopqrstuvwxyz") == ""
}

// languageOf guesses by script, then by short words; English when in doubt.
func languageOf(query string) string {
	for _, s := range scripts {
		if strings.IndexFunc(query, func(r rune) bool { return unicode.Is(s.table, r) }) >= 0 {
			if s.lang == "ru" && strings.ContainsAny(strings.ToLower(query), "іїєґ") {
				return "uk"
			}
			return s.lang
		}
	}
	return latinLanguage(strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) }))
}

func latinLanguage(query []string) string {
	best, lang := 1, "en" // one shared word proves nothing
	for _, l := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl"} {
		n := 0
		for _, w := range query {
			if slices.Contains(words[l], w) {
				n++
			}
		}
		if n > best {
			best, lang = n, l
		}
	}
	return lang
}
