package answer

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"footnote/backend/answer/contract"
)

// JournalWriter writes the events of all runs into the journal, those together that
// come close upon each other, and publishes each when it is written: a run does
// not wait for the disk, and still nobody sees what is not in the journal. It
// works while there is something to write and has no goroutine besides. Safe for
// concurrent use.
type JournalWriter struct {
	journal Journal
	log     *slog.Logger

	mu      sync.Mutex
	waiting []entry // in the order of their numbers, run by run
	writing bool
}

// entry is an event on its way. With a last one, whole is to be stored as well;
// where it is nil or could not be, then runs between the journal and the readers.
// Both may be nil.
type entry struct {
	run   *live
	event contract.Event
	whole *Ending
	then  func()
}

const (
	together    = 5 * time.Millisecond // events this close are written with one commit
	journalTime = 10 * time.Second     // for one commit
)

// note takes an event. Events of one run are to come in order.
func (w *JournalWriter) note(e entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, e)
	if !w.writing {
		w.writing = true
		go w.work()
	}
}

func (w *JournalWriter) work() {
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

func (w *JournalWriter) take() []entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	batch := w.waiting
	w.waiting = nil
	return batch
}

// more reports whether events came meanwhile; when none did, the work is over.
func (w *JournalWriter) more() bool {
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
func (w *JournalWriter) write(batch []entry) (closed map[*live]bool) {
	var all pages
	var runs []*live
	byRun := map[*live]*pages{}
	for _, e := range batch {
		if !e.run.journaled() {
			continue
		}
		if byRun[e.run] == nil {
			byRun[e.run], runs = &pages{}, append(runs, e.run)
		}
		all.add(e)
		byRun[e.run].add(e)
	}
	closed = map[*live]bool{}
	whole := len(runs) == 0 || w.append(all) == nil
	for _, run := range runs {
		own := byRun[run]
		closed[run] = (whole || w.writeAlone(run, *own)) && len(own.endings) > 0
	}
	return closed
}

// writeAlone writes what came of one run, at least its events, and reports
// whether that was all of it.
func (w *JournalWriter) writeAlone(run *live, p pages) bool {
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

func (w *JournalWriter) append(p pages) error {
	ctx, cancel := context.WithTimeout(context.Background(), journalTime)
	defer cancel()
	if enders, ok := w.journal.(Enders); ok && len(p.endings) > 0 {
		return enders.AppendEnding(ctx, p.events, p.endings)
	}
	return w.journal.Append(ctx, p.events...)
}
