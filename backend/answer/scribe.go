package answer

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// scribe writes the events of all runs into the journal, those together that
// come close upon each other, and publishes each when it is written: a run does
// not wait for the disk, and still nobody sees what is not in the journal. It
// works while there is something to write and has no goroutine besides. Safe for
// concurrent use.
type scribe struct {
	journal Journal
	log     *slog.Logger

	mu      sync.Mutex
	waiting []entry // in the order of their numbers, run by run
	writing bool
}

// entry is an event on its way. then runs between the journal and the readers;
// it may be nil.
type entry struct {
	run   *live
	event Event
	then  func()
}

const (
	together    = 5 * time.Millisecond // events this close are written with one commit
	journalTime = 10 * time.Second     // for one commit
)

// note takes an event. Events of one run are to come in order.
func (s *scribe) note(e entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, e)
	if !s.writing {
		s.writing = true
		go s.work()
	}
}

func (s *scribe) work() {
	for more := true; more; more = s.more() {
		time.Sleep(together)
		batch := s.take()
		s.write(batch)
		for _, e := range batch {
			if e.then != nil {
				e.then()
			}
			e.run.publish()
		}
	}
}

func (s *scribe) take() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.waiting
	s.waiting = nil
	return batch
}

// more reports whether events came meanwhile; when none did, the work is over.
func (s *scribe) more() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = len(s.waiting) > 0
	return s.writing
}

// write journals a batch. When that fails, each run is written by itself, so
// that one cannot take the others with it.
func (s *scribe) write(batch []entry) {
	var all []Event
	byRun := map[*live][]Event{}
	for _, e := range batch {
		if e.run.journaled() {
			all = append(all, e.event)
			byRun[e.run] = append(byRun[e.run], e.event)
		}
	}
	if len(all) == 0 || s.append(all) == nil {
		return
	}
	for run, events := range byRun {
		if err := s.append(events); err != nil {
			run.lose()
			s.log.Error("journal events", "run", run.run.ID, "seq", events[0].Seq, "events", len(events), "err", err)
		}
	}
}

func (s *scribe) append(events []Event) error {
	ctx, cancel := context.WithTimeout(context.Background(), journalTime)
	defer cancel()
	return s.journal.Append(ctx, events...)
}
