//go:build unix

package app

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/server"
)

// A program that is told to end first ends what is being answered.
func TestAProgramEndsAfterItsAnswers(t *testing.T) {
	var runs atomic.Int64
	runs.Store(1)
	ctx, signal := context.WithCancel(t.Context())
	serving, stop := drained(ctx, &server.Server{}, func() (int, int) { return 1, int(runs.Load()) })
	defer stop()
	signal()
	select {
	case <-serving.Done():
		t.Error("it ends while a question is being answered")
	case <-time.After(300 * time.Millisecond):
	}
	runs.Store(0)
	select {
	case <-serving.Done():
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
}
