package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/privacy"
)

// WarmRequest says that a question is being typed, to which model: empty is the
// one of the settings.
type WarmRequest struct {
	Model string `json:"model"`
}

// Warm opens connections to the model and the engines that the reader chose, so
// that the question finds them open. It does nothing while the web is off.
func (s Discovery) Warm(_ context.Context, in WarmRequest) (Nothing, error) {
	if s.Warmer != nil {
		s.Warmer.Warm(in.Model)
	}
	return Nothing{}, nil
}

// aside are the lines of what went out and is in no run's ledger: ahead of a
// question, and beside all questions.
func (s Runs) aside(ctx context.Context, q LedgerQuery) ([]LedgerLine, error) {
	if q.Run != "" || q.After != "" {
		return nil, nil
	}
	var entries []privacy.LedgerEntry
	if s.Warmer != nil {
		ahead, err := s.Warmer.Opened(ctx)
		if err != nil {
			return nil, err
		}
		entries = ahead
	}
	if s.Aside != nil {
		entries = append(entries, s.Aside.Entries(ctx)...)
	}
	return linesOf("", entries, q.Host), nil
}

func linesOf(run contract.RunID, entries []privacy.LedgerEntry, host string) []LedgerLine {
	var lines []LedgerLine
	for _, e := range entries {
		if host == "" || e.Host == host {
			lines = append(lines, LedgerLine{run, e, []LedgerFile{}})
		}
	}
	return lines
}
