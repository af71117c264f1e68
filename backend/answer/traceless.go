package answer

import (
	"context"
	"log/slog"

	"footnote/backend/answer/contract"
)

type tracelessKey struct{}

// WithoutTrace has nothing kept of what is done under ctx: it is for a private
// conversation.
func WithoutTrace(ctx context.Context) context.Context {
	return context.WithValue(ctx, tracelessKey{}, true)
}

// Traceless reports whether nothing may be kept.
func Traceless(ctx context.Context) bool {
	on, _ := ctx.Value(tracelessKey{}).(bool)
	return on
}

// logOf is the log of a run. Causes of errors have addresses and queries in them:
// of a private run only what happened is written, not with what.
func (e *Engine) logOf(run contract.Run) *slog.Logger {
	if run.Question.Private {
		return slog.New(bareHandler{e.Log.Handler()})
	}
	return e.Log.With("run", run.ID, "thread", run.Thread)
}

// bareHandler writes level and message alone.
type bareHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h bareHandler) Handle(ctx context.Context, r slog.Record) error {
	return h.Handler.Handle(ctx, slog.NewRecord(r.Time, r.Level, r.Message, r.PC))
}

// WithAttrs implements slog.Handler.
func (h bareHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h bareHandler) WithGroup(string) slog.Handler { return h }
