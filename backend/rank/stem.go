package rank

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// Term is the word as the index knows it. Stems of words that were asked for
// lately are at hand.
func (w Word) Term() string {
	if w.kind == unstemmed {
		return w.Text
	}
	return lately.term(w)
}

func (w Word) stem() string {
	switch w.kind {
	case latin:
		return english.Stem(w.Text, true)
	case cyrillic:
		return russian.Stem(w.Text, true)
	}
	return w.Text
}

// lately has the stems of words that questions and the texts found for them were
// cut into last: both repeat their words, and stemming is most of the cutting.
var lately stemCache

// stemCache keeps one word a place, the last one that fell there. The zero value
// is ready. Safe for concurrent use.
type stemCache [1 << 12]atomic.Pointer[stemmed]

type stemmed struct{ word, term string }

var stemSeed = maphash.MakeSeed()

func (c *stemCache) term(w Word) string {
	place := &c[maphash.String(stemSeed, w.Text)%uint64(len(c))]
	if s := place.Load(); s != nil && s.word == w.Text {
		return s.term
	}
	word := strings.Clone(w.Text) // and not the whole text that it is cut from
	w.Text = word
	s := &stemmed{word, w.stem()}
	place.Store(s)
	return s.term
}
