package answer_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/privacy"
)

// witness reads pages and tells whether it might have kept them.
type witness struct {
	gather.Reader
	kept, unkept atomic.Int32
}

func (w *witness) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	if privacy.Traceless(ctx) {
		w.unkept.Add(1)
	} else {
		w.kept.Add(1)
	}
	return w.Reader.Read(ctx, lead)
}

func TestPagesOfAPrivateRunAreReadWithoutTrace(t *testing.T) {
	for _, private := range []bool{true, false} {
		s := set(t, nil, func(s *stage) { s.shelf, s.web.Pages = nil, lornes(6, func(int) time.Duration { return 0 }) })
		w := &witness{Reader: s.web}
		s.Reader = w
		finished(t, s.ask(t, "How many lamps has the Lorne bridge?", func(q *contract.Question) { q.Private = private }))
		if private && (w.kept.Load() > 0 || w.unkept.Load() == 0) || !private && (w.unkept.Load() > 0 || w.kept.Load() == 0) {
			t.Errorf("private %v: %d pages with a trace, %d without", private, w.kept.Load(), w.unkept.Load())
		}
	}
}
