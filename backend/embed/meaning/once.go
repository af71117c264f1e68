package meaning

import (
	"context"
	"sync"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// once keeps the same from being encoded by two at a time: several questions, or
// one of them ahead and for its answer, want the same passages. The zero value is
// ready.
type once struct {
	mu    sync.Mutex
	doing map[flight]chan struct{} // closed when it is done
}

type flight struct {
	id  evidence.PassageID
	key [32]byte
}

func flightOf(text rank.Text) flight { return flight{text.ID, keyOf(text)} }

func (o *once) busy(f flight) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.doing[f] != nil
}

// take gives nil when the caller is to do the work and call done, else what to
// wait for.
func (o *once) take(f flight) (other <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if at, ok := o.doing[f]; ok {
		return at
	}
	if o.doing == nil {
		o.doing = map[flight]chan struct{}{}
	}
	o.doing[f] = make(chan struct{})
	return nil
}

func (o *once) done(f flight) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.doing[f])
	delete(o.doing, f)
}

// encodeOnce is encode for one who shares the vectors with whoever makes them
// just now. When that one gives up, the next does the work.
func (r *Reranker) encodeOnce(ctx context.Context, text rank.Text) (*encoded, error) {
	f := flightOf(text)
	for {
		if e := r.recall.get(f.id, f.key); e != nil {
			return e, nil
		}
		other := r.once.take(f)
		if other == nil {
			defer r.once.done(f)
			if e := r.recall.get(f.id, f.key); e != nil { // made since it was looked for
				return e, nil
			}
			return r.encode(ctx, text)
		}
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// questions has the vectors of the questions asked last: one question is held
// against several sets of texts. The zero value is ready.
type questions struct {
	mu  sync.Mutex
	all [16]questioned
	at  int
}

type questioned struct {
	text   string
	vector embed.Vector
}

func (q *questions) get(text string) (embed.Vector, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.all {
		if q.all[i].text == text && text != "" {
			return q.all[i].vector, true
		}
	}
	return embed.Vector{}, false
}

func (q *questions) put(text string, v embed.Vector) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all[q.at] = questioned{text, v}
	q.at = (q.at + 1) % len(q.all)
}
