package library

import (
	"cmp"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/library/asked"
)

// lookedInto is how many passages at least are read for the order of a search as
// you type: scores add up words, and tell little about how many there are.
const lookedInto = 40

// standing is how well a file fits: more counts before less, the first field first.
type standing struct{ named, held, exact int }

func (s standing) compare(other standing) int {
	return cmp.Or(cmp.Compare(other.named, s.named), cmp.Compare(other.held, s.held), cmp.Compare(other.exact, s.exact))
}

// arranged puts the hits of files that have all words in their name first, then
// those that have more of the words, then those that have them as typed; what is
// equal stays in the order of the index.
func (s shelf) arranged(a asked.Search, hits []Hit, placed []Placed) []Hit {
	words, known := a.TypedWords(), asked.Stemmed{}
	whole, each := map[string]asked.Vocabulary{}, map[evidence.PassageID]standing{}
	for _, p := range placed {
		v, ok := whole[p.Digest]
		if !ok {
			v = asked.NewVocabulary()
			whole[p.Digest] = v
		}
		own := known.Vocabulary(p.Passage.Text + "\n" + p.Passage.At.Heading)
		v.Add(own)
		held, exact := own.Count(words)
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
func (s shelf) standing(digest string, v asked.Vocabulary, words []asked.Word, known asked.Stemmed) (st standing) {
	for _, f := range s.files[digest] {
		name := known.Vocabulary(plainName(f.Path))
		if held, _ := name.Count(words); held == len(words) && held > 0 {
			st.named = 1
		}
		v.Add(name)
	}
	st.held, st.exact = v.Count(words)
	return st
}
