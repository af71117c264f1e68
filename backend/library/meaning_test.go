package library_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// wishful is a sentence encoder that finds what has its wish nearest.
type wishful struct {
	wish string

	mu     sync.Mutex
	woken  int
	gone   []evidence.PassageID
	seen   []rank.Text
	whole  []library.Hit // not nil: the whole library is encoded
	part   []library.Hit // else what is near of the part that is
	within map[string]bool
}

func (w *wishful) Cosines(_ context.Context, _ string, texts []rank.Text, _ time.Duration) map[evidence.PassageID]float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = texts
	cosines := map[evidence.PassageID]float64{}
	for _, t := range texts {
		cosines[t.ID] = 0.1
		if strings.Contains(t.Body, w.wish) {
			cosines[t.ID] = 0.9
		}
	}
	return cosines
}

func (w *wishful) On() bool { return true }

func (w *wishful) Whole(context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.whole != nil
}

func (w *wishful) Nearest(_ context.Context, _ string, within map[string]bool, _ []evidence.PassageID, _ int) ([]library.Hit, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.within = within
	if w.whole == nil {
		return w.part, false
	}
	return w.whole, true
}

func (w *wishful) Encode(context.Context, int) (int, error) { return 0, nil }

func (w *wishful) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.woken++
}

func (w *wishful) Forget(ids []evidence.PassageID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = append(w.gone, ids...)
}

func addresses(found []evidence.Found) (names []string) {
	for _, f := range found {
		names = append(names, f.Source.Title)
	}
	return names
}

func TestTheSentenceEncoderOrdersWhatWasFound(t *testing.T) {
	w := &wishful{wish: "weighs"}
	h := newHouse(t)
	h.meaning = w
	h.open()
	h.write("a.txt", "how heavy is heavy how heavy")
	h.write("b.txt", "the lens weighs three tonnes")
	h.addAll()
	found, err := h.Search(t.Context(), "how heavy is the lens", contract.Scope{}, 5)
	must(t, err)
	if names := addresses(found); len(names) != 2 || names[0] != "b.txt" {
		t.Fatalf("found %q", names)
	}
	if s := found[0].Score; !s.Encoded || s.Cosine != 0.9 || s.Fused < found[1].Score.Fused {
		t.Errorf("score is %+v", s)
	}
	if text := w.seen[0]; text.Title != "a" || text.Digest == "" || w.woken < 2 {
		t.Errorf("the encoder read %+v, was woken %d times", text, w.woken)
	}
	w.whole = []library.Hit{{ID: found[1].Passage.ID, Score: 0.8}}
	if found, err = h.Search(t.Context(), "how heavy is the lens", contract.Scope{Folders: []string{h.docs}}, 5); err != nil || found[0].Source.Title != "a.txt" || !found[0].Score.Encoded || len(w.within) != 2 {
		t.Errorf("over the whole library: %v, %v", found, err)
	}
	w.whole = nil
	if found, err = h.Search(t.Context(), "вес линзы", contract.Scope{}, 5); err != nil || slices.ContainsFunc(found, func(f evidence.Found) bool { return f.Score.Encoded }) {
		t.Errorf("in a language that it does not know: %v, %v", found, err)
	}
}

func TestWhatIsNearOfAPartIsFoundBesideTheWords(t *testing.T) {
	w := &wishful{wish: "cancelling"}
	h := newHouse(t)
	h.meaning = w
	h.open()
	h.write("a.txt", "how do I leave the club house")
	h.write("b.txt", "cancelling a membership takes one letter")
	h.addAll()
	b, err := h.Search(t.Context(), "cancelling", contract.Scope{}, 1)
	must(t, err)
	w.part = []library.Hit{{ID: b[0].Passage.ID, Score: 0.9}}
	found, err := h.Search(t.Context(), "how do I leave", contract.Scope{}, 5)
	must(t, err)
	if names := addresses(found); len(names) != 2 || names[0] != "b.txt" || !found[0].Score.Encoded {
		t.Errorf("found %q", names)
	}
}

func TestWhatIsRemovedIsForgottenByTheEncoder(t *testing.T) {
	w := &wishful{}
	h := newHouse(t)
	h.meaning = w
	h.open()
	h.write("a.txt", "one text")
	h.addAll()
	must(t, h.Remove(t.Context(), h.files()[0].ID))
	h.eventually("forgotten", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.gone) == 1
	})
}

func TestVectorsOfAnotherLengthAreMadeAnewWhileSearchWorks(t *testing.T) {
	h := newHouse(t).open()
	h.write("a.txt", "the bridge was opened in march")
	h.addAll()
	h.close()
	h.embedder.length.Store(32) // the model was replaced under its name
	h.open()
	h.write("b.txt", "another bridge")
	h.addAll()
	wantNames(t, h.finds("bridge"), "a.txt", "b.txt")
	h.eventually("both have vectors of the new length", func() bool {
		h.index.mu.Lock()
		defer h.index.mu.Unlock()
		n := 0
		for _, e := range h.index.entries {
			if len(e.Vector) == 32 {
				n++
			}
		}
		return n == 2
	})
	h.close()
	texts := h.embedder.texts.Load()
	h.open()
	wantNames(t, h.finds("bridge"), "a.txt", "b.txt")
	if again := h.embedder.texts.Load() - texts; again > 1 {
		t.Errorf("%d texts were embedded again after a restart", again)
	}
}
