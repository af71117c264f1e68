package journal

import (
	"context"
	"log/slog"

	"footnote/backend/answer/contract"
)

// logOf is the log of a run. Causes of errors have addresses and queries in them:
// of a private run only what happened is written, not with what.
func logOf(log *slog.Logger, run contract.Run) *slog.Logger {
	if run.Question.Private {
		return slog.New(bareHandler{log.Handler()})
	}
	return log.With("run", run.ID, "thread", run.Thread)
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
