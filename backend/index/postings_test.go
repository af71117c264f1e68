package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

func TestTermsBegunInAllSectionsAreThoseOfTheWholeDictionary(t *testing.T) {
	x := openAt(t, t.TempDir())
	rnd := rand.New(rand.NewPCG(3, 4))
	for batch := range 6 { // a section each
		var entries []library.Entry
		for i := range 60 {
			entries = append(entries, entry(fmt.Sprintf("psg_%d_%d", batch, i), "d", "note", librarytest.Prose(rnd, 12)))
		}
		put(t, x, entries...)
	}
	r, err := x.words.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := &search{ctx: context.Background(), r: r, scratch: &scratch{}, measures: measures{total: smallIndex}}
	if err := s.divide(); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 5, 40, 10_000} {
		for _, prefix := range []string{"", "w", "wo", "z", "word1"} {
			var want []bleve.DictEntry
			if err := s.dictionary(func() (bleve.FieldDict, error) { return r.FieldDictPrefix(fieldText, []byte(prefix)) }, func(e *bleve.DictEntry) bool {
				want = append(want, *e)
				return len(want) < most
			}); err != nil {
				t.Fatal(err)
			}
			got, err := s.begun(prefix, most)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d terms that begin with %q: %v, %v, want %v", most, prefix, got, err, want)
			}
		}
	}
}
