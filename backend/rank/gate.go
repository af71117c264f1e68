package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/plain"
)

// Gate says which rankings a question can be trusted to.
type Gate int

// Gates, from the narrowest.
const (
	WordsOnly Gate = iota // vectors know nothing of this language: BM25 alone
	English
	Latin // the Latin alphabet, but not English: vectors weigh less
)

// englishOnly are function words of English that other languages do not share.
var englishOnly = plain.WordSet(`the of and is are what which who whom whose how does did with from that this for by
	when where why can were has have had be been it its not`)

// GateOf decides for one question. pieces tells how many word pieces the
// embedder cuts a text into and how many of them it does not know; nil means
// there is no embedder, and the gate is WordsOnly.
func GateOf(query string, pieces func(string) (n, unknown int)) Gate {
	if pieces == nil || !Embeddable(query, pieces) {
		return WordsOnly
	}
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range words {
		if englishOnly[w] {
			return English
		}
	}
	n, _ := pieces(query)
	if asciiLetters(query) && float64(n) < 1.7*float64(len(words)) {
		return English
	}
	return Latin
}

// Embeddable reports whether the built-in models can say anything about a text:
// it has letters, seven in ten of them Latin, and at most one in five of its
// pieces is unknown. It holds for questions and, when indexing, for passages.
func Embeddable(text string, pieces func(string) (n, unknown int)) bool {
	if letters, ok := asciiWords(text); ok {
		if letters == 0 || letters*2 >= len(text) {
			return letters > 0
		}
	} else if !latinText(text) {
		return false
	}
	n, unknown := pieces(text)
	return n > 0 && unknown*5 <= n
}

// wordBytes is a length of words that every embedder knows in pieces.
const wordBytes = 64

// asciiWords reports whether a text is ASCII throughout, without a run of letters
// and digits longer than words are: with letters in plenty, its pieces are known.
// Most texts are such, and need not be cut into pieces to be counted. It counts
// the letters on the way.
func asciiWords(text string) (letters int, ok bool) {
	start := 0 // of the run
	for i := range len(text) {
		c := text[i]
		switch {
		case letterOrDigit[c]:
			if c > '9' {
				letters++
			}
		case c >= utf8.RuneSelf || i-start > wordBytes:
			return 0, false
		default:
			start = i + 1
		}
	}
	return letters, len(text)-start <= wordBytes
}

// latinText reports whether a text has letters, seven in ten of them Latin.
func latinText(text string) bool {
	letters, latin := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if r < 0x250 {
				latin++
			}
		}
	}
	return letters > 0 && latin*10 >= letters*7
}

func asciiLetters(s string) bool {
	for _, r := range s {
		if r >= 0x80 && unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
