package meaning

import (
	"container/list"
	"context"
	"sync"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// recall holds the vectors used last, bounded by bytes.
type recall struct {
	mu    sync.Mutex
	room  int // bytes left
	used  *list.List
	by    map[evidence.PassageID]*list.Element
	least int // bytes of an entry beside its vectors
}

type remembered struct {
	id evidence.PassageID
	*encoded
}

func (r *recall) init(bytes int) {
	r.room, r.used, r.by, r.least = bytes, list.New(), map[evidence.PassageID]*list.Element{}, 200
}

func (r *recall) get(id evidence.PassageID, key [32]byte) *encoded {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.by[id]
	if at == nil || at.Value.(remembered).key != key {
		return nil
	}
	r.used.MoveToFront(at)
	return at.Value.(remembered).encoded
}

func (r *recall) put(id evidence.PassageID, e *encoded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remove(r.by[id])
	r.by[id] = r.used.PushFront(remembered{id, e})
	for r.room -= r.size(e); r.room < 0; {
		r.remove(r.used.Back())
	}
}

func (r *recall) drop(ids []evidence.PassageID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		r.remove(r.by[id])
	}
}

func (r *recall) remove(at *list.Element) {
	if at == nil {
		return
	}
	old := r.used.Remove(at).(remembered)
	delete(r.by, old.id)
	r.room += r.size(old.encoded)
}

func (r *recall) size(e *encoded) int { return r.least + embed.VectorSize*len(e.vectors) }

// known gives the vectors of texts that were made before, nil for the others.
func (r *Reranker) known(ctx context.Context, texts []rank.Text) []*encoded {
	found := make([]*encoded, len(texts))
	keys := make([][32]byte, len(texts))
	var unknown []evidence.PassageID
	for i, t := range texts {
		keys[i] = keyOf(t)
		if found[i] = r.recall.get(t.ID, keys[i]); found[i] == nil {
			unknown = append(unknown, t.ID)
		}
	}
	if len(unknown) == 0 {
		return found
	}
	stored, err := r.Store.Encoded(ctx, r.Encoder.ID(), unknown)
	r.complain(ctx, "read encoded passages", err)
	for i, t := range texts {
		packed, has := stored[t.ID]
		if found[i] != nil || !has {
			continue
		}
		if e, err := unpack(packed); err == nil && e.key == keys[i] {
			found[i] = e
			r.recall.put(t.ID, e)
		}
	}
	return found
}
