package answer

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer/journal"
	"footnote/backend/settings"
)

func TestTheEngineRestsOnceNothingIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rests atomic.Int32
		e := NewEngine(Config{Settings: settings.Default, Stores: Stores{Journal: unwritten{}}, Now: time.Now, Log: slog.New(slog.DiscardHandler), AtRest: func(context.Context) { rests.Add(1) }})
		turn := func(change func()) {
			e.mu.Lock()
			defer e.mu.Unlock()
			change()
			e.stirred()
		}
		begin, end := func() { e.live["run_1"] = &journal.Live{} }, func() { delete(e.live, "run_1") }
		after := func(d time.Duration, want int32) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if rests.Load() != want {
				t.Errorf("%d rests, want %d", rests.Load(), want)
			}
		}
		turn(begin)
		after(time.Hour, 0) // a long answer
		turn(end)
		after(quietTime-time.Second, 0)
		turn(begin) // soon after the first
		turn(end)
		after(quietTime-time.Second, 0)
		after(2*time.Second, 1)
		after(time.Hour, 1)
		turn(begin)
		turn(end)
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
		after(time.Hour, 1)
	})
}
