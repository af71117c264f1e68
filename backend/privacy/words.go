package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"footnote/backend/lang"
)

// token is one word of a text in the form in which words are compared; of
// scripts without spaces it is a pair of neighbouring characters.
type token struct {
	word     string
	letters  string // all of it: a number's zeros as well
	from, to int    // bytes of the text
	pair     bool
}

// unspaced are the scripts that do not mark their words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

type runeClass int

const (
	gap runeClass = iota
	wordRune
	pairRune
)

func classOf(r rune) runeClass {
	switch {
	case r < utf8.RuneSelf:
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return wordRune
		}
		return gap
	case unicode.In(r, unspaced...):
		return pairRune
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return wordRune
	}
	return gap
}

// tokens cuts a text into its words.
func tokens(text string) []token {
	out := make([]token, 0, len(text)/6+1)
	for from := 0; from < len(text); {
		r, size := utf8.DecodeRuneInString(text[from:])
		class := classOf(r)
		to := from + size
		for class != gap && to < len(text) {
			next, n := utf8.DecodeRuneInString(text[to:])
			if classOf(next) != class {
				break
			}
			to += n
		}
		switch class {
		case wordRune:
			if letters := fold(text[from:to]); letters != "" {
				out = append(out, token{bare(letters), letters, from, to, false})
			}
		case pairRune:
			out = append(out, pairs(text, from, to)...)
		}
		from = to
	}
	return out
}

// pairs are the neighbouring characters of a run; one that stands alone is its own.
func pairs(text string, from, to int) (out []token) {
	_, size := utf8.DecodeRuneInString(text[from:to])
	if from+size == to {
		return []token{{fold(text[from:to]), "", from, to, true}}
	}
	for from+size < to {
		_, next := utf8.DecodeRuneInString(text[from+size : to])
		out = append(out, token{fold(text[from : from+size+next]), "", from, from + size + next, true})
		from, size = from+size, next
	}
	return out
}

// fold takes case and accents away.
func fold(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	word = strings.ToLower(word)
	if !ascii {
		word = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) || r == '\u0640' {
				return -1
			}
			return r
		}, norm.NFKD.String(word))
		word = strings.ReplaceAll(word, "ß", "ss")
	}
	return word
}

// bare is a number without leading zeros, and any other word as it is.
func bare(word string) string {
	if !allDigits(word) {
		return word
	}
	if digits := strings.TrimLeft(word, "0"); digits != "" {
		return digits
	}
	return "0"
}

func allDigits(s string) bool { return s != "" && digitsIn(s) == utf8.RuneCountInString(s) }

func digitsIn(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// squeezed is a text as its letters and digits alone.
func squeezed(words []token) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.letters)
	}
	return b.String()
}

// filler are the words that say nothing by themselves, whatever text has them.
func filler(code lang.Code, word string) bool {
	return lang.IsFunctionWord(code, word) || lang.IsFunctionWord(lang.English, word) || asked[word]
}

// asked are words with which people ask search engines about anything: in a query
// they say what is wanted, not of what. Two of them in the order of a file are kept
// back all the same.
var asked = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`
age amount area article author average begin beginning benefit benefits best birth biography book capital cause causes city
common compare comparison compared cost costs country current data date death define definition depth description detail details
difference differences diameter distance document edition effect effects example examples explain explained explanation fact facts
filetype first founded founder function general gov edu guide height history how important information invented inventor key kind
kinds last latest length level limit limits list location main many mass maximum meaning method methodology methods minimum modern
name names new newest news number official old opened opening order origin origins overview part parts pdf percent percentage
picture pictures population price prices problem process purpose rate reason reasons recent release report research result results
review reviews role rule rules second site size source sources speed standard start statistics study studies summary syntax table
temperature time total type types update use used uses using value values version versions volume weight what when where which who why
wide width work works world year years`) {
		all[word] = true
	}
	return all
}()
