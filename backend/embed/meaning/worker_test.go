package meaning

import (
	"fmt"
	"testing"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/library"
)

func shelfOf(n int) *shelf {
	s := &shelf{}
	for i := range n {
		s.texts = append(s.texts, library.Placed{
			Passage: evidence.Passage{ID: evidence.PassageID(fmt.Sprint("p", i)), Text: fmt.Sprint("word", i, " and more")},
			Digest:  fmt.Sprint("d", i%2), Path: "/docs/t.txt",
		})
	}
	return s
}

func TestTheWholeLibraryIsEncodedNewestFirstAndThenSearched(t *testing.T) {
	e, s := &letters{}, shelfOf(150)
	j := newReranker(t, e, s, on)
	if _, ok := j.Nearest(t.Context(), "word7", nil, nil, 5); ok {
		t.Error("the library is searched before it is encoded")
	}
	j.Wake()
	until(t, "whole", j.flat.isWhole)
	if made := e.made(); len(made) != 150 || made[0] != "t word149 and more" {
		t.Errorf("%d encoded, first %q", len(made), made[0])
	}
	hits, ok := j.Nearest(t.Context(), "t word7 and more", nil, []evidence.PassageID{"p9", "p7", "gone"}, 5)
	if !ok || len(hits) != 6 || hits[0].ID != "p7" || hits[0].Score < 0.99 {
		t.Fatalf("nearest are %v, %v", hits, ok)
	}
	if hits, _ := j.Nearest(t.Context(), "t word7 and more", map[string]bool{"d0": true}, nil, 100); len(hits) != 75 || hits[0].ID == "p7" {
		t.Errorf("within a scope %d", len(hits))
	}
	j.Forget([]evidence.PassageID{"p7"})
	if hits, _ := j.Nearest(t.Context(), "t word7 and more", nil, nil, 500); len(hits) != 149 || hits[0].ID == "p7" {
		t.Errorf("after removal %d, first %v", len(hits), hits[0])
	}
}

func TestASmallLibraryIsWaitedFor(t *testing.T) {
	s := shelfOf(100)
	j := newReranker(t, &letters{}, s, on)
	if left, err := j.Encode(t.Context(), 50); left == 0 || err != nil {
		t.Errorf("more than are waited for: %d left, %v", left, err)
	}
	if left, err := j.Encode(t.Context(), 100); left != 0 || err != nil || s.stored() != 100 {
		t.Errorf("%d left, %v, %d stored", left, err, s.stored())
	}
	off := newReranker(t, &letters{}, shelfOf(3), Options{})
	if left, err := off.Encode(t.Context(), 50); left != 3 || err != nil {
		t.Errorf("without the encoder: %d left, %v", left, err)
	}
}

// TestAQuestionHasWhatWasStoredBefore: a command that asks one question holds the
// background from its start on.
func TestAQuestionHasWhatWasStoredBefore(t *testing.T) {
	s := shelfOf(20)
	before := newReranker(t, &letters{}, s, on)
	before.Wake()
	until(t, "stored", func() bool { return s.stored() == 20 })
	before.Close()
	j := newReranker(t, &letters{}, s, on)
	defer j.Hold()()
	j.Wake()
	if hits, whole := j.Nearest(t.Context(), "t word7 and more", nil, nil, 3); !whole || len(hits) != 3 || hits[0].ID != "p7" {
		t.Errorf("nearest are %v, whole %v", hits, whole)
	}
}

func TestNothingIsBroughtWhileTheEncoderIsOff(t *testing.T) {
	s := shelfOf(20)
	before := newReranker(t, &letters{}, s, on)
	before.Wake()
	until(t, "stored", func() bool { return s.stored() == 20 })
	before.Close()
	j := newReranker(t, &letters{}, s, Options{})
	j.Wake()
	if hits, whole := j.Nearest(t.Context(), "t word7 and more", nil, nil, 3); whole || hits != nil {
		t.Errorf("nearest are %v", hits)
	}
	j.Close() // the worker is done with whatever it began
	if len(j.flat.pieces) != 0 {
		t.Errorf("%d vectors are at hand", len(j.flat.pieces))
	}
}

func TestWhatIsEncodedSoFarIsSearched(t *testing.T) {
	e, s := &letters{allow: make(chan struct{}, 9)}, shelfOf(150)
	j := newReranker(t, e, s, on)
	for range 3 {
		e.allow <- struct{}{}
	}
	j.Wake()
	until(t, "three made", func() bool { return len(e.made()) == 3 })
	j.Close() // what was made is put
	if hits, whole := j.Nearest(t.Context(), "t word148 and more", nil, nil, 9); whole || len(hits) != 3 || hits[0].ID != "p148" {
		t.Errorf("nearest are %v, whole %v", hits, whole)
	}
}

func TestNewPassagesJoinTheWholeLibrary(t *testing.T) {
	s := shelfOf(100)
	j := newReranker(t, &letters{}, s, on)
	j.Wake()
	until(t, "whole", j.flat.isWhole)
	s.mu.Lock()
	s.texts = append(s.texts, library.Placed{Passage: evidence.Passage{ID: "new", Text: "fresh"}, Digest: "d9", Path: "/docs/t.txt"})
	s.mu.Unlock()
	j.Wake()
	until(t, "found", func() bool {
		hits, ok := j.Nearest(t.Context(), "t fresh", nil, nil, 1)
		return ok && hits[0].ID == "new"
	})
}

func TestWhoHoldsPausesTheBackground(t *testing.T) {
	e, s := &letters{allow: make(chan struct{})}, shelfOf(5)
	j := newReranker(t, e, s, on)
	taken := func() (n int) { // passages that the background takes when it may
		for {
			select {
			case e.allow <- struct{}{}:
				n++
			case <-time.After(50 * time.Millisecond):
				return n
			}
		}
	}
	j.Wake()
	e.allow <- struct{}{}
	release, other := j.Hold(), j.Hold()
	if n := taken(); n > 1 { // one may have been under way when the hold began
		t.Errorf("%d encoded while held", n)
	}
	release()
	release()
	if n := taken(); n > 0 {
		t.Errorf("%d encoded while another holds", n)
	}
	other()
	close(e.allow)
	until(t, "all stored", func() bool { return s.stored() == 5 })
}

func TestWhatWasMadeBeforeTheEndIsKept(t *testing.T) {
	e, s := &letters{allow: make(chan struct{})}, shelfOf(5)
	j := newReranker(t, e, s, on)
	j.Wake()
	e.allow <- struct{}{}
	e.allow <- struct{}{}
	until(t, "two made", func() bool { return len(e.made()) == 2 })
	j.Close()
	if s.stored() != 2 {
		t.Errorf("%d stored", s.stored())
	}
}

func TestTheFlatStoreClosesItsGaps(t *testing.T) {
	var f flat
	f.clear()
	var ids []evidence.PassageID
	for i := range 100 {
		id := evidence.PassageID(fmt.Sprint("p", i))
		ids = append(ids, id)
		f.put([]evidence.PassageID{id, "web"}, []string{"d", ""}, []*encoded{{vectors: make([]embed.Vector, 2)}, {vectors: make([]embed.Vector, 1)}})
	}
	f.put(ids[:1], []string{"d"}, []*encoded{{vectors: make([]embed.Vector, 3)}}) // again, with another title
	if len(f.at) != 100 || len(f.pieces) != 203 || f.gaps != 2 {
		t.Errorf("%d passages, %d pieces, %d gaps", len(f.at), len(f.pieces), f.gaps)
	}
	f.drop(ids[:60])
	if len(f.at) != 40 || len(f.pieces) != 80 || f.gaps != 0 || f.shelf[f.at["p60"]].id != "p60" {
		t.Errorf("%d passages, %d pieces, %d gaps", len(f.at), len(f.pieces), f.gaps)
	}
}
