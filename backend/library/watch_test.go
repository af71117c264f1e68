package library

import (
	"context"
	"log/slog"
	"syscall"
	"testing"
	"time"

	"footnote/backend/settings"
)

func TestWithoutWatchesFoldersAreLookedThroughAndItIsSaidOnce(t *testing.T) {
	hourly := settings.Settings{}
	hourly.Library.Rescan.Duration = time.Hour
	l := New(Config{Now: time.Now, Log: slog.New(slog.DiscardHandler), Settings: func() settings.Settings { return hourly }})
	w := &watcher{}
	l.watcher.Store(w)
	if got := l.rescanEvery(); got != time.Hour {
		t.Errorf("with watches it looks every %v", got)
	}
	for range 3 {
		l.pollInstead(w, syscall.ENOSPC)
	}
	if got := l.rescanEvery(); got != pollEvery {
		t.Errorf("without watches it looks every %v", got)
	}
	ctx, end := context.WithCancel(t.Context())
	l.bus.close()
	said := 0
	for e := range l.Events(ctx, 0) {
		if n, ok := e.Body.(Noticed); ok && n.Code == "watch-limit" {
			said++
		}
	}
	end()
	if said != 1 {
		t.Errorf("said %d times", said)
	}
}
