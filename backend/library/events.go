package library

import (
	"context"
	"encoding/json"
	"iter"
	"sync"
	"time"

	"footnote/backend/library/walk"
)

// Event is one numbered fact about the library, as in the API (§3.2).
type Event struct {
	Seq  int64
	At   time.Time
	Body EventBody
}

// EventBody is the payload of one kind of event.
type EventBody interface{ Kind() string }

// The bodies, one a kind.
type (
	// Seen is a file that was met for the first time.
	Seen struct {
		File string `json:"file"`
		Path string `json:"path"`
	}
	// SkippedPath was left out, with the reason for people.
	SkippedPath walk.Skip
	// Queued is a file that waits to be read.
	Queued struct {
		File string `json:"file"`
	}
	// Extracting is a file that is being read.
	Extracting struct {
		File    string `json:"file"`
		Percent int    `json:"percent"`
	}
	// Searchable is a file whose words are in the index.
	Searchable struct {
		File   string `json:"file"`
		Chunks int    `json:"chunks"`
	}
	// ReadyFile is a file whose text is stored and searchable.
	ReadyFile struct {
		File     string  `json:"file"`
		Coverage float64 `json:"coverage"` // share of it that was read, 0 to 1
	}
	// FailedFile gave no text.
	FailedFile struct {
		File   string `json:"file"`
		Code   string `json:"code"`
		Reason string `json:"reason"`
	}
	// Gone is a file, or a root, that is no longer there.
	Gone struct {
		File  string `json:"file"`
		State string `json:"state"` // removed, not-reachable
	}
	// Rebuilding tells that a cache is being filled again.
	Rebuilding struct {
		What    string `json:"what"`
		Percent int    `json:"percent"`
	}
	// Noticed tells people of a state that needs no action, or says which.
	Noticed struct {
		Code    string `json:"code"` // disk-full, data-damaged, watch-limit, index-trouble, vectors-missing
		Message string `json:"message"`
	}
)

func (Seen) Kind() string        { return "seen" }
func (SkippedPath) Kind() string { return "skipped" }
func (Queued) Kind() string      { return "queued" }
func (Extracting) Kind() string  { return "extracting" }
func (Searchable) Kind() string  { return "searchable" }
func (ReadyFile) Kind() string   { return "ready" }
func (FailedFile) Kind() string  { return "failed" }
func (Gone) Kind() string        { return "gone" }
func (Progress) Kind() string    { return "progress" }
func (Rebuilding) Kind() string  { return "rebuilding" }
func (Noticed) Kind() string     { return "notice" }

// Bodies gives an empty body of each kind of event.
func Bodies() []EventBody {
	return []EventBody{Seen{}, SkippedPath{}, Queued{}, Extracting{}, Searchable{}, ReadyFile{}, FailedFile{}, Gone{}, Progress{}, Rebuilding{}, Noticed{}}
}

// MarshalJSON writes seq, at, kind and body.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Seq  int64     `json:"seq"`
		At   string    `json:"at"`
		Kind string    `json:"kind"`
		Body EventBody `json:"body"`
	}{e.Seq, e.At.UTC().Format("2006-01-02T15:04:05.000Z"), e.Body.Kind(), e.Body})
}

// kept is how many events are told again to who comes late.
const kept = 4096

// bus keeps the last events in a ring and wakes subscribers by closing a channel.
// Numbers begin at the time of its making, so that they grow from one process to
// the next: who followed an earlier one misses nothing and takes nothing for old.
type bus struct {
	mu    sync.Mutex
	now   func() time.Time
	ring  [kept]Event
	first int64 // the number before the first event
	last  int64
	news  chan struct{}

	closed bool
}

func (b *bus) init(now func() time.Time) {
	b.now = now
	b.first = max(0, now().UnixMilli())
	b.last = b.first
	b.news = make(chan struct{})
}

func (b *bus) publish(bodies ...EventBody) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(bodies) == 0 {
		return
	}
	for _, body := range bodies {
		b.last++
		b.ring[b.last%kept] = Event{b.last, b.now(), body}
	}
	close(b.news)
	b.news = make(chan struct{})
}

func (b *bus) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.news)
	}
}

// after gives the events past a number that are still kept. ok is false when there
// will be no more.
func (b *bus) after(seq int64) (events []Event, news chan struct{}, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for n := max(seq, b.first, b.last-kept) + 1; n <= b.last; n++ {
		events = append(events, b.ring[n%kept])
	}
	return events, b.news, !b.closed || len(events) > 0
}

// Events gives the events after a number, then live ones as they come. Negative
// means from now on. Who fell more than 4096 events behind goes on with the oldest
// that is kept: the numbers show the gap. It ends with ctx and with Close.
func (l *Library) Events(ctx context.Context, after int64) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		seq := after
		if seq < 0 || seq > l.bus.number() { // a number of nobody's
			seq = l.bus.number()
		}
		for {
			events, news, ok := l.bus.after(seq)
			if !ok {
				return
			}
			for _, e := range events {
				if !yield(e) {
					return
				}
				seq = e.Seq
			}
			if len(events) > 0 {
				continue
			}
			select {
			case <-news:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Publish sends something else that open windows should hear of along with the
// library's events.
func (l *Library) Publish(body EventBody) { l.bus.publish(body) }

// Stirs yields whenever files were read, could not be, or are gone, and when it
// fell behind: something may have been missed. It ends with ctx and with Close.
func Stirs(ctx context.Context, l *Library) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		seq := l.bus.number()
		for e := range l.Events(ctx, seq) {
			missed := e.Seq > seq+1
			seq = e.Seq
			switch e.Body.(type) {
			case ReadyFile, FailedFile, Gone:
				missed = true
			}
			if missed && !yield(struct{}{}) {
				return
			}
		}
	}
}

// LastEvent is the number of the last event; numbers grow, and begin anywhere.
func (l *Library) LastEvent() int64 { return l.bus.number() }

func (b *bus) number() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}
