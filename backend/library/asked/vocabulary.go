package asked

import (
	"strings"

	"footnote/backend/rank"
)

// Word is a word of a search as you type.
type Word struct {
	Text, Stem string
	Growing    bool // it may still be typed
}

// TypedWords are the words of the search as you type.
func (a Search) TypedWords() (words []Word) {
	rank.Words(a.Text(), func(w rank.Word) {
		words = append(words, Word{Text: w.Text, Stem: w.Term()})
	})
	if n := len(words); n > 0 {
		words[n-1].Growing = a.growing
	}
	return words
}

// Typed looks for the words of a search as you type in texts. Which of them a word of a
// text is, it is asked once: the passages of one search share most of their words, and
// few of those were typed.
type Typed struct {
	words []Word
	known map[string][]typedAs // by word of a text; nil for those that are none
}

// typedAs is the place of a typed word, and whether it stands as it was typed.
type typedAs struct {
	word  int
	exact bool
}

// NewTyped looks for these words.
func NewTyped(words []Word) Typed { return Typed{words, map[string][]typedAs{}} }

// Held are the words that texts have, and those that they have as typed.
type Held struct{ held, exact []bool }

// None is what no text has.
func (t Typed) None() Held { return Held{make([]bool, len(t.words)), make([]bool, len(t.words))} }

// In is what a text has.
func (t Typed) In(text string) Held {
	h := t.None()
	rank.Words(text, func(w rank.Word) {
		as, known := t.known[w.Text]
		if !known {
			as = t.of(w)
			t.known[w.Text] = as
		}
		for _, a := range as {
			h.held[a.word], h.exact[a.word] = true, h.exact[a.word] || a.exact
		}
	})
	return h
}

func (t Typed) of(w rank.Word) (as []typedAs) {
	stem := w.Term()
	for i, typed := range t.words {
		exact := w.Text == typed.Text
		if exact || stem == typed.Stem || typed.Growing && strings.HasPrefix(w.Text, typed.Text) {
			as = append(as, typedAs{i, exact})
		}
	}
	return as
}

// Add takes over what another text has.
func (h Held) Add(other Held) {
	for i := range other.held {
		h.held[i], h.exact[i] = h.held[i] || other.held[i], h.exact[i] || other.exact[i]
	}
}

// Count tells how many words a text has, and how many as they were typed.
func (h Held) Count() (held, exact int) {
	for i := range h.held {
		if h.held[i] {
			held++
		}
		if h.exact[i] {
			exact++
		}
	}
	return held, exact
}

// Whole reports whether a text has all words, and there are some.
func (h Held) Whole() bool {
	held, _ := h.Count()
	return held == len(h.held) && held > 0
}
