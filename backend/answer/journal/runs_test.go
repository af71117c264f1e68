package journal

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// begun starts a run that goes on until end is called.
func begun(t *testing.T, r *Runs, w *Writer, run contract.Run) (l *Live, end func()) {
	t.Helper()
	if err := r.Reserve(); err != nil {
		t.Fatal(err)
	}
	told := make(chan struct{})
	l = w.Open(run)
	r.Start(l, func(ctx context.Context, l *Live) {
		select {
		case <-told:
		case <-ctx.Done():
		}
	})
	return l, func() { close(told); <-l.Done }
}

func noWriter() *Writer { return NewWriter(nil, time.Now, slog.New(slog.DiscardHandler)) }

func TestItIsAtRestOnceNothingIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rests atomic.Int32
		r, w := NewRuns(2, func(context.Context) { rests.Add(1) }), noWriter()
		begin := func() func() {
			_, end := begun(t, r, w, contract.Run{ID: "run_1"})
			return end
		}
		after := func(d time.Duration, want int32) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if rests.Load() != want {
				t.Errorf("%d rests, want %d", rests.Load(), want)
			}
		}
		end := begin()
		after(time.Hour, 0) // a long answer
		end()
		after(quietTime-time.Second, 0)
		begin()() // soon after the first
		after(quietTime-time.Second, 0)
		after(2*time.Second, 1)
		after(time.Hour, 1)
		begin()()
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		after(time.Hour, 1)
	})
}

func TestAFewAreAtWorkAndAFewMoreMayWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := NewRuns(2, nil), noWriter()
		var atWork atomic.Int32
		for i := range 2 + queueLimit {
			if err := r.Reserve(); err != nil {
				t.Fatal(err)
			}
			r.Start(w.Open(contract.Run{ID: contract.RunID(fmt.Sprint(i))}), func(ctx context.Context, l *Live) {
				if ctx.Err() == nil {
					atWork.Add(1)
				}
				<-ctx.Done()
			})
		}
		synctest.Wait()
		if atWork.Load() != 2 {
			t.Errorf("%d at work, want 2", atWork.Load())
		}
		if err := r.Reserve(); fault.CodeOf(err) != fault.Busy {
			t.Errorf("one more than may wait: %v", err)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if all := r.InProgress(func(*Live) bool { return true }); len(all) != 0 {
			t.Errorf("after the end there go on %v", all)
		}
		if err := r.Reserve(); fault.CodeOf(err) != fault.Busy {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestWhatIsInNoJournalCanStillBeFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := NewRuns(1, nil), noWriter()
		for i := range 2 + unkeptRuns {
			id := contract.RunID(fmt.Sprint(i))
			_, end := begun(t, r, w, contract.Run{ID: id, Thread: "thr_p", Started: time.Now().Add(-time.Duration(i) * time.Second), Question: contract.Question{Private: true}})
			end()
		}
		_, end := begun(t, r, w, contract.Run{ID: "kept", Thread: "thr_p"})
		end()
		if r.Find("kept") != nil {
			t.Error("a run that the journal has is still held")
		}
		if r.Find("1") != nil || r.Find("2") == nil {
			t.Error("the oldest of too many is the one to go")
		}
		all := r.Private("thr_p")
		if len(all) != unkeptRuns || all[0].Run.ID != "17" || all[len(all)-1].Run.ID != "2" {
			t.Errorf("%d runs of the thread, want %d by their start", len(all), unkeptRuns)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
