package rank

import (
	"fmt"
	"sync"
	"testing"
)

func TestStemsAtHandAreThoseOfTheWord(t *testing.T) {
	t.Parallel()
	var cache stemCache
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for i := range 3 * len(cache) { // every place is fought for
				for _, w := range []Word{{fmt.Sprintf("words%dings", i), latin}, {"книгами", cyrillic}, {"dying", latin}} {
					if got, want := cache.term(w), w.stem(); got != want {
						t.Errorf("%q became %q, want %q", w.Text, got, want)
						return
					}
				}
			}
		})
	}
	work.Wait()
}
