package lang

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Detect tells the language of a text by its letters and small words; Unknown
// where nothing tells. One short phrase may be of several languages: it is then
// the first of them in the order of Codes.
func Detect(text string) Code {
	switch script := scriptOf(text); script {
	case Russian:
		return mostWords(text, Russian, Ukrainian)
	case English:
		return mostWords(text, latin...)
	default:
		return script
	}
}

var latin = []Code{English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Turkish}

// scripts tell a language, or a group of them by its first.
var scripts = [...]struct {
	code  Code
	table *unicode.RangeTable
}{
	{Japanese, unicode.Hiragana}, {Japanese, unicode.Katakana}, {Korean, unicode.Hangul}, {Chinese, unicode.Han}, {Arabic, unicode.Arabic},
	{Hindi, unicode.Devanagari}, {Russian, unicode.Cyrillic}, {English, unicode.Latin},
}

// scriptOf is the script that most letters are of. Japanese is written with Han
// as well, so a few kana tell it; a foreign name in Latin letters tells nothing.
func scriptOf(text string) Code {
	var n [len(scripts)]int
	for _, r := range text {
		if r < utf8.RuneSelf {
			if isASCIILetter(r) {
				n[len(n)-1]++
			}
			continue
		}
		for i := range scripts {
			if unicode.Is(scripts[i].table, r) {
				n[i]++
				break
			}
		}
	}
	const hiragana, katakana, han = 0, 1, 3
	if kana := n[hiragana] + n[katakana]; kana*6 >= n[han] && kana > 0 {
		n[hiragana], n[katakana], n[han] = kana+n[han], 0, 0
	} else {
		n[hiragana], n[katakana] = kana, 0
	}
	best, most := Unknown, 0
	for i, s := range scripts {
		weight := 3
		if s.code == English || s.code == Russian {
			weight = 1 // an alphabet needs more letters for a word
		}
		if n[i]*weight > most {
			best, most = s.code, n[i]*weight
		}
	}
	return best
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// letters are of few languages among those of their script.
var letters = map[rune][]Code{
	'ß': {German}, 'ä': {German, Swedish}, 'ö': {German, Swedish, Turkish}, 'ü': {German, Turkish, Spanish}, 'å': {Swedish},
	'ñ': {Spanish}, '¿': {Spanish}, '¡': {Spanish}, 'ã': {Portuguese}, 'õ': {Portuguese}, 'ç': {French, Portuguese, Turkish},
	'ê': {French, Portuguese}, 'è': {French, Italian}, 'ù': {French, Italian}, 'à': {French, Italian, Portuguese}, 'ò': {Italian}, 'ì': {Italian},
	'œ': {French}, 'î': {French}, 'ó': {Spanish, Polish, Portuguese}, 'í': {Spanish, Portuguese}, 'á': {Spanish, Portuguese}, 'ú': {Spanish, Portuguese},
	'ł': {Polish}, 'ą': {Polish}, 'ę': {Polish}, 'ś': {Polish}, 'ź': {Polish}, 'ż': {Polish}, 'ć': {Polish}, 'ń': {Polish},
	'ğ': {Turkish}, 'ı': {Turkish}, 'ş': {Turkish},
	'ы': {Russian}, 'э': {Russian}, 'ъ': {Russian}, 'ё': {Russian}, 'і': {Ukrainian}, 'ї': {Ukrainian}, 'є': {Ukrainian}, 'ґ': {Ukrainian},
}

// spoken gives for every word of the tables the languages that have it, asking
// for the question words alone.
var (
	spoken = sync.OnceValue(func() map[string][]Code {
		return sharing(func(k kind) bool {
			return k != abbreviation && k != unit && k != summary && k != whole && k != cue && k != calc && k != age && k != yearPart && k != owed && k != compare && k != sought && k != totals && k != say && (!k.isForm() || k == Modal.kind())
		})
	})
	asking = sync.OnceValue(func() map[string][]Code { return sharing(func(k kind) bool { return k == ask }) })
)

func sharing(wanted func(kind) bool) map[string][]Code {
	by := map[string][]Code{}
	for _, code := range codes {
		for k, forms := range tables()[code] {
			for form := range forms {
				for _, w := range words(form) {
					if wanted(k) && !slices.Contains(by[w], code) {
						by[w] = append(by[w], code)
					}
				}
			}
		}
	}
	return by
}

// mostWords is the language, of those, that has most words and letters of a text;
// where those decide little, that which its n-grams say it is in as well.
func mostWords(text string, among ...Code) Code {
	score := byWords(text, among)
	if decides(text, score) {
		return first(among, score)
	}
	p := byWordsAndNgrams(text, among, score)
	if slices.Max(score) == 0 && (onlyNames(text) || slices.Max(p) < sure) {
		return Unknown
	}
	return first(among, p)
}

// Plausible are the languages that a text may be in, the likeliest first: more than one
// where its words fit several about as well.
func Plausible(text string) []Code {
	var among []Code
	switch script := scriptOf(text); script {
	case Russian:
		among = []Code{Russian, Ukrainian}
	case English:
		among = latin
	case Unknown:
		return nil
	default:
		return []Code{script}
	}
	score := byWords(text, among)
	if decides(text, score) {
		return []Code{first(among, score)}
	}
	p := byWordsAndNgrams(text, among, score)
	all := slices.Clone(among)
	if slices.Max(score) == 0 && onlyNames(text) {
		return all
	}
	all = slices.DeleteFunc(all, func(c Code) bool { return p[slices.Index(among, c)] < slices.Max(p)*plausible })
	slices.SortStableFunc(all, func(a, b Code) int {
		return cmp.Compare(p[slices.Index(among, b)], p[slices.Index(among, a)])
	})
	return all
}

// decides reports whether the words that the tables have tell the language.
func decides(text string, score []float64) bool {
	return slices.Max(score) > 0 && (len(wordsIn(text)) > longest || slices.Max(score)-second(score) >= decisive)
}
