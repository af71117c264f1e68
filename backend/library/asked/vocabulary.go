package asked

import (
	"maps"
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

// Vocabulary is the words of a text, and their stems.
type Vocabulary struct{ texts, stems map[string]bool }

// NewVocabulary is an empty one.
func NewVocabulary() Vocabulary { return Vocabulary{map[string]bool{}, map[string]bool{}} }

// Stemmed are the stems of words that were met: the passages of one search share
// most of theirs.
type Stemmed map[string]string

// Vocabulary is that of a text.
func (known Stemmed) Vocabulary(text string) Vocabulary {
	v := NewVocabulary()
	rank.Words(text, func(w rank.Word) {
		if v.texts[w.Text] {
			return
		}
		stem, ok := known[w.Text]
		if !ok {
			stem = w.Term()
			known[w.Text] = stem
		}
		v.texts[w.Text], v.stems[stem] = true, true
	})
	return v
}

// Add takes over another one.
func (v Vocabulary) Add(other Vocabulary) {
	maps.Copy(v.texts, other.texts)
	maps.Copy(v.stems, other.stems)
}

func (v Vocabulary) has(w Word) bool {
	if v.texts[w.Text] || v.stems[w.Stem] {
		return true
	}
	if w.Growing {
		for text := range v.texts {
			if strings.HasPrefix(text, w.Text) {
				return true
			}
		}
	}
	return false
}

// Count tells how many words a text has, and how many as they were typed.
func (v Vocabulary) Count(words []Word) (held, exact int) {
	for _, w := range words {
		if v.has(w) {
			held++
		}
		if v.texts[w.Text] {
			exact++
		}
	}
	return held, exact
}
