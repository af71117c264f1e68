package store

import (
	"sync"

	"footnote/backend/library"
)

// freshBytes is how much text is kept at hand between being stored and being
// indexed: what streams in while the index learns a batch.
const freshBytes = 8 << 20

// freshTexts are passages that were just stored and wait for the index, by the
// number of their text, so that they need not be read and unpacked again. They
// never change, and numbers of texts are never given again; what is due, and under
// which name, the tables tell. The oldest go when there are too many. The zero
// value is empty.
type freshTexts struct {
	mu    sync.Mutex
	bytes int
	order []int64
	by    map[int64][]library.Placed
}

func (f *freshTexts) put(text int64, placed []library.Placed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.by == nil {
		f.by = map[int64][]library.Placed{}
	}
	f.drop(text)
	f.by[text] = placed
	f.order = append(f.order, text)
	for f.bytes += wordBytes(placed); f.bytes > freshBytes; f.order = f.order[1:] {
		f.drop(f.order[0])
	}
}

// take gives the passages of a text, and forgets them; nil when they are not at
// hand.
func (f *freshTexts) take(text int64) []library.Placed {
	f.mu.Lock()
	defer f.mu.Unlock()
	placed := f.by[text]
	f.drop(text)
	if len(f.by) == 0 {
		f.order = nil
	}
	return placed
}

// clear forgets all: nothing waits.
func (f *freshTexts) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by, f.order, f.bytes = nil, nil, 0
}

func (f *freshTexts) drop(text int64) {
	f.bytes -= wordBytes(f.by[text])
	delete(f.by, text)
}

func wordBytes(placed []library.Placed) (n int) {
	for _, p := range placed {
		n += len(p.Passage.Text)
	}
	return n
}
