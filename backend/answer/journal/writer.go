package journal

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"footnote/backend/answer/contract"
)

// Writer writes the events of all runs into the journal, those together that
// come close upon each other, and publishes each when it is written: a run does
// not wait for the disk, and still nobody sees what is not in the journal. It
// works while there is something to write and has no goroutine besides. Safe for
// concurrent use.
type Writer struct {
	journal Store
	now     func() time.Time
	log     *slog.Logger

	mu      sync.Mutex
	waiting []entry // in the order of their numbers, run by run
	writing bool
}

// entry is an event on its way. With a last one, whole is to be stored as well;
// where it is nil or could not be, then runs between the journal and the readers.
// Both may be nil.
type entry struct {
	run   *Live
	event contract.Event
	whole *Ending
	then  func()
}

// NewWriter makes a writer into a journal.
func NewWriter(journal Store, now func() time.Time, log *slog.Logger) *Writer {
	return &Writer{journal: journal, now: now, log: log}
}

// Open makes a run whose events this writer takes.
func (w *Writer) Open(run contract.Run) *Live {
	return &Live{Run: run, journal: w, Now: w.now, Log: logOf(w.log, run), changed: make(chan struct{}), Done: make(chan struct{})}
}

// StoresEndings reports whether what is left of a run is stored with its last
// event.
func (w *Writer) StoresEndings() bool {
	_, ok := w.journal.(Enders)
	return ok
}

const (
	together    = 5 * time.Millisecond // events this close are written with one commit
	journalTime = 10 * time.Second     // for one commit
)

// note takes an event. Events of one run are to come in order.
func (w *Writer) note(e entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, e)
	if !w.writing {
		w.writing = true
		go w.work()
	}
}

func (w *Writer) work() {
	for more := true; more; more = w.more() {
		time.Sleep(together)
		batch := w.take()
		closed := w.write(batch)
		for _, e := range batch {
			if e.then != nil && !closed[e.run] {
				e.then()
			}
			e.run.publish()
		}
	}
}

func (w *Writer) take() []entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	batch := w.waiting
	w.waiting = nil
	return batch
}

// more reports whether events came meanwhile; when none did, the work is over.
func (w *Writer) more() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing = len(w.waiting) > 0
	return w.writing
}

// pages is what is to be written of one or more runs.
type pages struct {
	events  []contract.Event
	endings []Ending
}

func (p *pages) add(e entry) {
	p.events = append(p.events, e.event)
	if e.whole != nil {
		p.endings = append(p.endings, *e.whole)
	}
}

// write journals a batch and tells which runs have their ending stored. When that
// fails, each run is written by itself, so that one cannot take the others with
// it.
func (w *Writer) write(batch []entry) (closed map[*Live]bool) {
	var all pages
	var runs []*Live
	byRun := map[*Live]*pages{}
	for _, e := range batch {
		if !e.run.Journaled() {
			continue
		}
		if byRun[e.run] == nil {
			byRun[e.run], runs = &pages{}, append(runs, e.run)
		}
		all.add(e)
		byRun[e.run].add(e)
	}
	closed = map[*Live]bool{}
	whole := len(runs) == 0 || w.append(all) == nil
	for _, run := range runs {
		own := byRun[run]
		closed[run] = (whole || w.writeAlone(run, *own)) && len(own.endings) > 0
	}
	return closed
}

// writeAlone writes what came of one run, at least its events, and reports
// whether that was all of it.
func (w *Writer) writeAlone(run *Live, p pages) bool {
	err := w.append(p)
	if err == nil {
		return true
	}
	if len(p.endings) > 0 {
		run.Log.Error("store the end of a run as a whole", "err", err)
		err = w.append(pages{events: p.events})
	}
	if err != nil {
		run.lose()
		w.log.Error("journal events", "run", run.Run.ID, "seq", p.events[0].Seq, "events", len(p.events), "err", err)
	}
	return false
}

func (w *Writer) append(p pages) error {
	ctx, cancel := context.WithTimeout(context.Background(), journalTime)
	defer cancel()
	if enders, ok := w.journal.(Enders); ok && len(p.endings) > 0 {
		return enders.AppendEnding(ctx, p.events, p.endings)
	}
	return w.journal.Append(ctx, p.events...)
}
