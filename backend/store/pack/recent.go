package pack

import (
	"container/list"
	"sync"
)

// recentBytes is how much unpacked text is kept at hand: what a few searches
// show. While one types, most of it is shown again.
const recentBytes = 4 << 20

// Recent are the parts of texts that were read last. A part never changes,
// and the number of a text is never given again, so that nothing here is ever
// wrong: of a text that is gone, no passage leads to it. The zero value is empty.
type Recent struct {
	mu    sync.Mutex
	bytes int
	used  list.List // of recentPart, the one used last in front
	by    map[int64]*list.Element
}

type recentPart struct {
	key  int64
	text Ruler
}

// Get gives a copy to measure with; nil when the part is not at hand.
func (r *Recent) Get(key int64) *Ruler {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.by[key]
	if at == nil {
		return nil
	}
	r.used.MoveToFront(at)
	text := at.Value.(recentPart).text
	return &text
}

// Put keeps a part at hand; the one used longest ago goes when there are too many.
func (r *Recent) Put(key int64, text Ruler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by[key] != nil {
		return
	}
	if r.by == nil {
		r.by = map[int64]*list.Element{}
	}
	r.by[key] = r.used.PushFront(recentPart{key, text})
	for r.bytes += len(text.text); r.bytes > recentBytes; {
		old := r.used.Remove(r.used.Back()).(recentPart)
		delete(r.by, old.key)
		r.bytes -= len(old.text.text)
	}
}
