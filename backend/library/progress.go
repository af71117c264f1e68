package library

import (
	"context"
	"sync"
	"time"
)

// Progress says how far the work is that is going on; files and bytes count
// from the moment the library was last at rest.
type Progress struct {
	FilesDone    int     `json:"files_done"`
	FilesTotal   int     `json:"files_total"`
	BytesDone    int64   `json:"bytes_done"`
	BytesTotal   int64   `json:"bytes_total"`
	Rate         float64 `json:"rate"`    // files a second
	LeftMs       int64   `json:"left_ms"` // estimate; 0 when there is none
	VectorsDone  int     `json:"vectors_done"`
	VectorsTotal int     `json:"vectors_total"`
}

// fileCost is how many bytes of text take as long as a file does by itself: a few
// large files are most of the work, and so are many small ones.
const fileCost = 16 << 10

// progressEvery is the least time between two progress events.
const progressEvery = 500 * time.Millisecond

// counter counts what was done since the queue was last empty.
type counter struct {
	mu    sync.Mutex
	since time.Time
	told  time.Time
	files int
	bytes int64
}

func (c *counter) add(files int, bytes int64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.IsZero() {
		c.since = now
	}
	c.files += files
	c.bytes += bytes
}

func (c *counter) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since, c.files, c.bytes = time.Time{}, 0, 0
}

// active reports whether anything was done since the last rest.
func (c *counter) active() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.since.IsZero()
}

// due reports whether a progress event may be told again.
func (c *counter) due(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.told) < progressEvery {
		return false
	}
	c.told = now
	return true
}

func (c *counter) progress(t Totals, now time.Time) Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{
		FilesDone: c.files, FilesTotal: c.files + t.Waiting, BytesDone: c.bytes, BytesTotal: c.bytes + t.Unread,
		VectorsDone: t.Vectors, VectorsTotal: t.Chunks,
	}
	spent := now.Sub(c.since)
	if c.since.IsZero() || spent <= 0 || c.files == 0 {
		return p
	}
	p.Rate = float64(c.files) / spent.Seconds()
	done := float64(c.bytes) + fileCost*float64(c.files)
	left := float64(t.Unread) + fileCost*float64(t.Waiting)
	p.LeftMs = int64(left / done * float64(spent.Milliseconds()))
	return p
}

// tellProgress publishes a progress event when one is due, or when the work is
// at an end.
func (l *Library) tellProgress(ctx context.Context, ended bool) {
	if !l.counter.due(l.Now()) && !ended {
		return
	}
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil {
		return // the reader of the catalog that matters reports it
	}
	l.bus.publish(l.counter.progress(totals, l.Now()))
}
