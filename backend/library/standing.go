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
	typed := asked.NewTyped(a.TypedWords())
	whole, each := map[string]asked.Held{}, map[evidence.PassageID]standing{}
	for _, p := range placed {
		h, ok := whole[p.Digest]
		if !ok {
			h = typed.None()
			whole[p.Digest] = h
		}
		own := typed.In(p.Passage.Text + "\n" + p.Passage.At.Heading)
		h.Add(own)
		held, exact := own.Count()
		each[p.Passage.ID] = standing{0, held, exact}
	}
	files := map[string]standing{}
	for digest, h := range whole {
		files[digest] = s.standing(digest, h, typed)
	}
	return slices.SortedStableFunc(slices.Values(hits), func(x, y Hit) int {
		return cmp.Or(files[s.digests[x.ID]].compare(files[s.digests[y.ID]]), each[x.ID].compare(each[y.ID]))
	})
}

// standing is that of a file whose passages hold so much of what was typed.
func (s shelf) standing(digest string, h asked.Held, typed asked.Typed) (st standing) {
	for _, f := range s.files[digest] {
		name := typed.In(plainName(f.Path))
		if name.Whole() {
			st.named = 1
		}
		h.Add(name)
	}
	st.held, st.exact = h.Count()
	return st
}
