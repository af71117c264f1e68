package meaning

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	wantedMost = 500              // passages that wait to be encoded for the next question
	batch      = 64               // passages stored at once
	retryAfter = 30 * time.Second // after an error
)

// work is what the background has to do beside the whole library. The worker
// begins with the first of it.
type work struct {
	mu     sync.Mutex
	wanted []rank.Text // asked for lately
	wake   chan struct{}
	begin  sync.Once
	begun  atomic.Bool
	ctx    context.Context // of the worker
	stop   context.CancelFunc
	ended  sync.WaitGroup
}

func (w *work) init() {
	w.wake = make(chan struct{}, 1)
	w.ctx, w.stop = context.WithCancel(context.Background())
}

func (w *work) close() {
	w.stop()
	w.begin.Do(func() {}) // from now on nothing begins
	w.ended.Wait()
}

// Wake tells that the library may have passages without vectors.
func (r *Reranker) Wake() {
	w := &r.work
	w.begin.Do(func() {
		w.begun.Store(true)
		w.ended.Go(func() { r.open(w.ctx) })
		w.ended.Go(func() { r.run(w.ctx) })
	})
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// lookEncoded is between two looks whether all is encoded.
const lookEncoded = 50 * time.Millisecond

// Encode waits until the passages without vectors have them, where there are no more than
// most and the encoder is on; left is how many still have none, as when ctx ends.
func (r *Reranker) Encode(ctx context.Context, most int) (left int, err error) {
	r.Wake()
	for {
		due, _, _, err := r.Store.Unencoded(ctx, r.Encoder.ID(), most+1)
		if err != nil || len(due) == 0 || len(due) > most || !r.Options().On || r.OnBattery != nil && r.OnBattery() {
			return len(due), err
		}
		select {
		case <-time.After(lookEncoded):
		case <-ctx.Done():
			return len(due), nil
		}
	}
}

// later has the vectors of texts made, unless that was done just now, and stored.
func (r *Reranker) later(texts []rank.Text) {
	if len(texts) == 0 {
		return
	}
	w := &r.work
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = append(w.wanted, texts...)
	w.wanted = w.wanted[max(0, len(w.wanted)-wantedMost):]
	r.Wake()
}

// run is the one worker. It has the lowest priority where the system knows any.
func (r *Reranker) run(ctx context.Context) {
	select {
	case <-r.opened:
	case <-ctx.Done():
		return
	}
	runtime.LockOSThread() // never unlocked: the thread ends with the worker
	lowerPriority()
	for ctx.Err() == nil {
		busy, err := r.step(ctx)
		if err != nil {
			r.complain(ctx, "encode in the background", err)
			r.sleep(ctx, retryAfter)
		} else if !busy {
			r.sleep(ctx, 0)
		}
	}
}

// sleep ends with the next wake, or after a limit that is not 0.
func (r *Reranker) sleep(ctx context.Context, limit time.Duration) {
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-r.work.wake:
	case <-late:
	case <-ctx.Done():
	}
}

// step encodes what was asked for lately, else a batch of the library.
func (r *Reranker) step(ctx context.Context) (busy bool, err error) {
	if err := r.idle(ctx); err != nil {
		return false, err
	}
	if texts := r.work.take(); len(texts) > 0 {
		_, err := r.encodeAll(ctx, texts)
		return true, err
	}
	due, have, all, err := r.Store.Unencoded(ctx, r.Encoder.ID(), batch)
	if err != nil {
		return false, err
	}
	if r.flat.covers(have, all); len(due) == 0 {
		return false, nil
	}
	texts := make([]rank.Text, len(due))
	for i, p := range due {
		texts[i] = rank.TextOf(evidence.Source{Kind: evidence.File, Address: p.Path, Digest: p.Digest}, p.Passage)
	}
	n, err := r.encodeAll(ctx, texts)
	return n > 0, err
}

func (w *work) take() []rank.Text {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := max(0, len(w.wanted)-batch)
	texts := w.wanted[n:] // of the latest question
	w.wanted = w.wanted[:n:n]
	return texts
}

// encodeAll makes and stores vectors, one passage at a time between holds. What
// stands when ctx ends is stored all the same: the next start goes on from there.
func (r *Reranker) encodeAll(ctx context.Context, texts []rank.Text) (n int, err error) {
	var ids []evidence.PassageID
	var digests []string
	var packed [][]byte
	var made []*encoded
	for _, t := range texts {
		if err = r.idle(ctx); err != nil {
			break
		}
		e := r.recall.get(t.ID, keyOf(t))
		if e == nil { // not once: a question is not to wait for a thread that gives way to all others
			if e, err = r.encode(ctx, t); err != nil {
				break
			}
		}
		ids, digests, packed, made = append(ids, t.ID), append(digests, t.Digest), append(packed, e.pack()), append(made, e)
	}
	if stored := r.Store.PutEncoded(context.WithoutCancel(ctx), r.Encoder.ID(), ids, packed); stored != nil {
		return 0, stored
	}
	r.flat.put(ids, digests, made)
	return len(ids), err
}
