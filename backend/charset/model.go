package charset

import (
	"embed"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/unicode/norm"
)

// kind is what a character is to the words around it.
type kind uint8

const (
	lower kind = iota
	upper
	letter // of a script without case
	mark
	digit
	space
	plain     // ASCII punctuation
	quotation // what typesetters put around and between words
	symbol
	odd // drawn boxes, controls, characters of no text
	kinds
)

func kindOf(r rune) kind {
	switch {
	case r == '\n' || r == '\t' || r == '\r' || r == ' ' || r == '\u00a0':
		return space
	case r < 0x20 || r >= 0x7f && r < 0xa0 || r == unicode.ReplacementChar || r >= 0x2500 && r < 0x2600 || r >= 0xe000 && r < 0xf900 || r == 0xad:
		return odd
	case strings.ContainsRune("«»“”„‘’‚–—…¿¡،؛؟·、。，！？：；「」『』（）《》\u200c\u200d\u200e\u200f", r):
		return quotation
	case r == 'ª' || r == 'º' || r >= 0xff61 && r < 0xffa0: // signs that Unicode takes for letters
		return symbol
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r):
		return letter
	case unicode.IsMark(r):
		return mark
	case unicode.IsDigit(r):
		return digit
	case r < 0x80:
		return plain
	}
	return symbol
}

// fold gives a letter as the models count it.
func fold(r rune) rune { return unicode.ToLower(r) }

// language is how often letters come in one language, and after one another.
type language struct {
	letters map[rune]float64
	pairs   map[[2]rune]float64
	total   float64
	script  *unicode.RangeTable
	usual   func(rune) bool // ideographs and syllables that are no rare ones; nil for alphabets
}

// model is what is known of all languages together.
type model struct {
	languages map[string]*language
	follows   [kinds][kinds]float64 // how often a kind follows another, as logarithm
	signs     map[rune]float64      // characters that are no letters, as share of their kind
}

//go:embed samples/*.txt
var samples embed.FS

// trained counts the samples, once: they are short, and a few milliseconds are
// less than a table of what comes of them is worth. They are part of the program:
// one that is missing is a mistake in it, which the tests find.
var trained = sync.OnceValue(func() *model {
	entries, err := samples.ReadDir("samples")
	if err != nil {
		panic(fmt.Errorf("samples of languages: %w", err))
	}
	m := &model{languages: map[string]*language{}, signs: map[rune]float64{}}
	var follows [kinds][kinds]float64
	for _, e := range entries {
		text, err := samples.ReadFile("samples/" + e.Name())
		if err != nil {
			panic(fmt.Errorf("samples of languages: %w", err))
		}
		code := strings.TrimSuffix(e.Name(), ".txt")
		m.languages[code] = learn(norm.NFC.String(string(text)), code)
		m.countKinds(string(text), &follows)
	}
	m.share(&follows)
	return m
})

func (m *model) countKinds(text string, follows *[kinds][kinds]float64) {
	before := space
	for _, r := range text {
		k := kindOf(r)
		follows[before][k]++
		if k != lower && k != upper && k != letter {
			m.signs[r]++
		}
		before = k
	}
}

// prior is how often kinds follow in texts beyond the samples: lists of prices,
// words in capitals, pictures drawn with boxes. It is added to what was counted.
func prior(before, k kind) float64 {
	switch {
	case k == odd && before == odd:
		return 20
	case k == odd || before == odd:
		return 0.05
	case before == lower && k == upper:
		return 0.5
	case before == upper && k == upper:
		return 60
	case k == symbol && (before == lower || before == upper || before == letter):
		return 0.3
	case k == symbol || before == symbol:
		return 3
	case k == mark || before == mark:
		return 0.1
	}
	return 2
}

func (m *model) share(follows *[kinds][kinds]float64) {
	for before := range kinds {
		sum := 0.0
		for k := range kinds {
			follows[before][k] += prior(before, k)
			sum += follows[before][k]
		}
		for k := range kinds {
			m.follows[before][k] = math.Log(follows[before][k] / sum)
		}
	}
	var of [kinds]float64
	for r, n := range m.signs {
		of[kindOf(r)] += n
	}
	for r, n := range m.signs {
		m.signs[r] = n / (of[kindOf(r)] + 20)
	}
}

var scripts = map[string]*unicode.RangeTable{
	"ru": unicode.Cyrillic, "uk": unicode.Cyrillic, "bg": unicode.Cyrillic, "sr": unicode.Cyrillic, "el": unicode.Greek, "he": unicode.Hebrew,
	"ar": unicode.Arabic, "fa": unicode.Arabic, "th": unicode.Thai, "ja": unicode.Han, "zh": unicode.Han, "zht": unicode.Han, "ko": unicode.Hangul,
}

func learn(text, code string) *language {
	l := &language{letters: map[rune]float64{}, pairs: map[[2]rune]float64{}, script: scripts[code], usual: usual[code]}
	if l.script == nil {
		l.script = unicode.Latin
	}
	before := ' '
	for _, r := range text {
		if k := kindOf(r); k != lower && k != upper && k != letter && k != mark {
			before = ' '
			continue
		}
		r = fold(r)
		l.letters[r]++
		l.pairs[[2]rune{before, r}]++
		l.total++
		before = r
	}
	for pair, n := range l.pairs { // as share of what follows the first
		l.pairs[pair] = n / (l.letters[pair[0]] + 4)
		if pair[0] == ' ' {
			l.pairs[pair] = n / (l.total / 5)
		}
	}
	return l
}

// first reports whether a character stands in the range of a set where the usual
// ones of its script are: the standards put them first.
func first(e encoding.Encoding, from, to byte) func(rune) bool {
	return func(r rune) bool {
		raw, err := e.NewEncoder().String(string(r))
		return err == nil && len(raw) == 2 && raw[0] >= from && raw[0] <= to
	}
}

var usual = map[string]func(rune) bool{
	"zh": first(simplifiedchinese.GBK, 0xb0, 0xd7), "zht": first(traditionalchinese.Big5, 0xa4, 0xc6),
	"ja": first(japanese.EUCJP, 0xb0, 0xcf), "ko": first(korean.EUCKR, 0xb0, 0xc8),
}

// chance is how likely a letter is after another, in a language.
func (l *language) chance(before, r rune) float64 {
	before, r = fold(before), fold(r)
	known := l.letters[r]
	base := 1e-6
	switch {
	case l.usual != nil && unicode.In(r, l.script, unicode.Hiragana, unicode.Katakana):
		if base = 3e-6; known > 0 || l.usual(r) {
			base = 1.5e-4
		}
	case unicode.Is(l.script, r):
		if base = 2e-5; known > 0 {
			base = 2e-4
		}
	}
	single := known / (l.total + 50)
	return 0.6*l.pairs[[2]rune{before, r}] + 0.35*single + base
}

// foreign is how much less likely an English word is in another language.
const foreign = 0.2

// undecoded is what bytes that are no character cost, in nats.
const undecoded = -25

// likelihood is the logarithm of how likely a text is, and what its characters
// beyond ASCII have of that, without quotation marks, which fit everywhere.
type likelihood struct {
	sum, beyond float64
}

func (m *model) likely(text []rune, l *language) (p likelihood) {
	english := m.languages["en"]
	before, at := space, ' '
	for i, r := range text {
		k := kindOf(r)
		one := m.follows[before][k]
		switch k {
		case lower, upper, letter, mark:
			chance := l.chance(at, r)
			if r < utf8.RuneSelf {
				chance = max(chance, foreign*english.chance(at, r))
			}
			one += math.Log(chance)
			at = r
		default:
			one += math.Log(0.9*m.signs[r] + 0.0005)
			at = ' '
		}
		if r == utf8.RuneError && i < len(text)-1 { // the sample may end inside a character
			one = undecoded
		}
		if r >= utf8.RuneSelf && k != quotation {
			p.beyond += one
		}
		p.sum += one
		before = k
	}
	return p
}
