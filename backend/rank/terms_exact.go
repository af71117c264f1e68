package rank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"footnote/backend/plain"
)

// Phrase is a run of words to be found exactly as they are written, but for
// case, accents and what stands between them: no stems, and common words count.
// In scripts without word marks each character is a word. The zero value is
// found nowhere.
type Phrase struct {
	words   []string // folded
	telling []string
}

// Place is where a phrase stands: a half-open range of bytes.
type Place struct{ Start, End int }

// NewPhrase reads the words of text; without any the phrase is empty.
func NewPhrase(text string) Phrase {
	var p Phrase
	for _, at := range exactWords(nil, text) {
		p.words = append(p.words, foldWord(text[at.Start:at.End]))
	}
	Words(text, func(w Word) {
		if !w.alone() && !slices.Contains(p.telling, w.Text) {
			p.telling = append(p.telling, w.Text)
		}
	})
	return p
}

// alone reports whether the word is a single character of a script without word
// marks. A text that has it may know it only as a part of pairs.
func (w Word) alone() bool {
	c := classOf(w.Text)
	return c.kind == gramRune && c.size == len(w.Text)
}

// Empty reports whether there is nothing to find.
func (p Phrase) Empty() bool { return len(p.words) == 0 }

// Telling are the words by which an index finds every text with the phrase.
// There are none when all are stop words: then only the texts themselves can
// tell.
func (p Phrase) Telling() []string { return p.telling }

// In reports whether text has the phrase.
func (p Phrase) In(text string) bool {
	found := false
	p.each(text, func(Place) bool { found = true; return false })
	return found
}

// Places are all places of the phrase in text, in order; they may overlap when
// the phrase repeats itself.
func (p Phrase) Places(text string) (places []Place) {
	p.each(text, func(at Place) bool { places = append(places, at); return true })
	return places
}

func (p Phrase) each(text string, found func(Place) bool) {
	if p.Empty() {
		return
	}
	var buffer [256]Place
	words := exactWords(buffer[:0], text)
	for i := 0; i+len(p.words) <= len(words); i++ {
		if !p.at(text, words[i:]) {
			continue
		}
		if !found(Place{words[i].Start, words[i+len(p.words)-1].End}) {
			return
		}
	}
}

func (p Phrase) at(text string, words []Place) bool {
	for i, want := range p.words {
		if !sameWord(text[words[i].Start:words[i].End], want) {
			return false
		}
	}
	return true
}

// sameWord compares a word as written with a folded one.
func sameWord(written, folded string) bool {
	if c := written[0]; c < utf8.RuneSelf && lowerASCII(c) != folded[0] {
		return false // folding keeps a plain first letter
	}
	if !isASCII(written) {
		return foldWord(written) == folded
	}
	if len(written) != len(folded) {
		return false
	}
	for i := range len(written) {
		if lowerASCII(written[i]) != folded[i] {
			return false
		}
	}
	return true
}

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func foldWord(w string) string {
	if isASCII(w) {
		return strings.ToLower(w)
	}
	return plain.Unaccented(strings.ToLower(norm.NFKC.String(w)))
}

// exactWords appends the places of all words of text: runs of letters, digits
// and their marks, or single characters of scripts without word marks.
func exactWords(words []Place, text string) []Place {
	start := -1
	for i := 0; i < len(text); {
		if letterOrDigit[text[i]] {
			if start < 0 {
				start = i
			}
			i++
			continue
		}
		c := classOf(text[i:])
		if start >= 0 && (c.kind == gapRune || c.kind == gramRune) {
			words, start = append(words, Place{start, i}), -1
		}
		switch {
		case c.kind == gramRune:
			words = append(words, Place{i, i + c.size})
		case c.kind == wordRune && start < 0:
			start = i
		}
		i += c.size
	}
	if start >= 0 {
		words = append(words, Place{start, len(text)})
	}
	return words
}
