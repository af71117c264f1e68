package library

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// lookedInto is how many passages at least are read for the order of a search as
// you type: scores add up words, and tell little about how many there are.
const lookedInto = 40

// typedWord is a word of a search as you type.
type typedWord struct {
	text, stem string
	growing    bool
}

func (a Asked) typedWords() (words []typedWord) {
	rank.Words(a.Text(), func(w rank.Word) {
		words = append(words, typedWord{text: w.Text, stem: w.Term()})
	})
	if n := len(words); n > 0 {
		words[n-1].growing = a.growing
	}
	return words
}

// standing is how well a file fits: more counts before less, the first field first.
type standing struct{ named, held, exact int }

func (s standing) compare(other standing) int {
	return cmp.Or(cmp.Compare(other.named, s.named), cmp.Compare(other.held, s.held), cmp.Compare(other.exact, s.exact))
}

// vocabulary is the words of a text, and their stems.
type vocabulary struct{ texts, stems map[string]bool }

func newVocabulary() vocabulary { return vocabulary{map[string]bool{}, map[string]bool{}} }

// stemmed are the stems of words that were met: the passages of one search share
// most of theirs.
type stemmed map[string]string

func (known stemmed) vocabulary(text string) vocabulary {
	v := newVocabulary()
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

func (v vocabulary) add(other vocabulary) {
	maps.Copy(v.texts, other.texts)
	maps.Copy(v.stems, other.stems)
}

func (v vocabulary) has(w typedWord) bool {
	if v.texts[w.text] || v.stems[w.stem] {
		return true
	}
	if w.growing {
		for text := range v.texts {
			if strings.HasPrefix(text, w.text) {
				return true
			}
		}
	}
	return false
}

// count tells how many words a text has, and how many as they were typed.
func (v vocabulary) count(words []typedWord) (held, exact int) {
	for _, w := range words {
		if v.has(w) {
			held++
		}
		if v.texts[w.text] {
			exact++
		}
	}
	return held, exact
}

// arranged puts the hits of files that have all words in their name first, then
// those that have more of the words, then those that have them as typed; what is
// equal stays in the order of the index.
func (s shelf) arranged(a Asked, hits []Hit, placed []Placed) []Hit {
	words, known := a.typedWords(), stemmed{}
	whole, each := map[string]vocabulary{}, map[evidence.PassageID]standing{}
	for _, p := range placed {
		v, ok := whole[p.Digest]
		if !ok {
			v = newVocabulary()
			whole[p.Digest] = v
		}
		own := known.vocabulary(p.Passage.Text + "\n" + p.Passage.At.Heading)
		v.add(own)
		held, exact := own.count(words)
		each[p.Passage.ID] = standing{0, held, exact}
	}
	files := map[string]standing{}
	for digest, v := range whole {
		files[digest] = s.standing(digest, v, words, known)
	}
	return slices.SortedStableFunc(slices.Values(hits), func(x, y Hit) int {
		return cmp.Or(files[s.digests[x.ID]].compare(files[s.digests[y.ID]]), each[x.ID].compare(each[y.ID]))
	})
}

// standing is that of a file whose passages have the vocabulary.
func (s shelf) standing(digest string, v vocabulary, words []typedWord, known stemmed) (st standing) {
	for _, f := range s.files[digest] {
		name := known.vocabulary(plainName(f.Path))
		if held, _ := name.count(words); held == len(words) && held > 0 {
			st.named = 1
		}
		v.add(name)
	}
	st.held, st.exact = v.count(words)
	return st
}
