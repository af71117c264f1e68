package journal

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer/contract"
)

// book is a journal that can refuse a run.
type book struct {
	mu      sync.Mutex
	commits [][]contract.Event
	refused contract.RunID
}

func (b *book) Append(_ context.Context, events ...contract.Event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		if e.Run == b.refused {
			return errors.New("disk full")
		}
	}
	b.commits = append(b.commits, events)
	return nil
}

func (b *book) Since(context.Context, contract.RunID, int) ([]contract.Event, error) { return nil, nil }

func (b *book) has(e contract.Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, commit := range b.commits {
		for _, known := range commit {
			if known.Run == e.Run && known.Seq == e.Seq {
				return true
			}
		}
	}
	return false
}

func runsOn(b *book, ids ...contract.RunID) []*Live {
	w := NewWriter(b, time.Now, slog.New(slog.DiscardHandler))
	runs := make([]*Live, len(ids))
	for i, id := range ids {
		runs[i] = w.Open(contract.Run{ID: id})
	}
	return runs
}

func TestEventsCloseTogetherAreOneCommitAndKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{}
		runs := runsOn(b, "run_1", "run_2")
		for range 5 {
			runs[0].Emit(contract.Thinking{Delta: "x"})
			runs[1].Emit(contract.Thinking{Delta: "y"})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(b.commits) != 1 || len(b.commits[0]) != 10 {
			t.Fatalf("%d commits", len(b.commits))
		}
		for _, run := range runs {
			events, _ := run.Since(0)
			for i, e := range events {
				if e.Seq != i+1 || e.Run != run.Run.ID {
					t.Errorf("event %d of %s at place %d", e.Seq, e.Run, i+1)
				}
			}
		}
	})
}

func TestNobodySeesWhatIsNotInTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{}
		run := runsOn(b, "run_1")[0]
		go func() {
			for range 200 {
				run.Emit(contract.Thinking{Delta: "x"})
				time.Sleep(700 * time.Microsecond)
			}
			run.End(contract.StoppedRun{}, nil, func() {})
		}()
		seen := 0
		for {
			events, changed := run.Since(seen)
			for _, e := range events {
				if seen++; !b.has(e) {
					t.Fatalf("event %d was shown before it was written", e.Seq)
				}
			}
			if changed == nil {
				break
			}
			<-changed
		}
		if seen != 201 {
			t.Errorf("saw %d events", seen)
		}
	})
}

func TestARunThatTheJournalRefusesTakesNoOtherWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{refused: "run_1"}
		runs := runsOn(b, "run_1", "run_2")
		for _, run := range runs {
			run.Emit(contract.Thinking{Delta: "x"})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		b.refused = "" // there is room again: the journal of run_1 would have a gap
		for _, run := range runs {
			run.Emit(contract.Thinking{Delta: "y"})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for i, run := range runs {
			events, _ := run.Since(0)
			if len(events) != 2 || b.has(events[0]) != (i == 1) || b.has(events[1]) != (i == 1) {
				t.Errorf("%s: %d events shown, in the journal %v %v", run.Run.ID, len(events), b.has(events[0]), b.has(events[1]))
			}
		}
	})
}

func TestWhoeverSeesTheEndFindsItKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &book{}
		run := runsOn(b, "run_1")[0]
		kept := false
		run.End(contract.FailedRun{}, nil, func() {
			kept = b.has(contract.Event{Run: "run_1", Seq: 1})
			if events, _ := run.Since(0); len(events) > 0 {
				t.Error("the end was shown before it was kept")
			}
		})
		if events, changed := run.Since(0); !kept || len(events) != 1 || changed != nil {
			t.Errorf("kept %v, %d events", kept, len(events))
		}
	})
}
