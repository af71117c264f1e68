package answer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/web/webtest"
)

// gallery keeps every picture but those of addresses that fail or never come.
type gallery struct {
	mu    sync.Mutex
	asked []string
	ended <-chan struct{} // with the test
}

// taken gives what was asked for since it was last called, in order. A picture
// that is stuck outlives its run, so that the lock is needed here as well.
func (g *gallery) taken() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked := slices.Sorted(slices.Values(g.asked))
	g.asked = nil
	return asked
}

func (g *gallery) Keep(ctx context.Context, _ evidence.SourceID, address string) error {
	g.mu.Lock()
	g.asked = append(g.asked, address)
	g.mu.Unlock()
	switch {
	case strings.Contains(address, "broken"):
		return errors.New("no picture")
	case strings.Contains(address, "slow"):
		<-ctx.Done()
		return ctx.Err()
	case strings.Contains(address, "stuck"): // and does not hear that it shall end
		<-g.ended
	}
	return nil
}

func TestPreviewsComeAfterTheAnswerAndNeverHoldItUp(t *testing.T) {
	g := &gallery{ended: t.Context().Done()}
	s := set(t, nil, func(s *stage) {
		s.shelf, s.pictures, s.set.Web.ImageTimeoutMs = nil, g, 200
		s.web = &webtest.Frozen{Seen: day}
		for i, picture := range []string{"fine", "broken", "slow", "fine", "stuck"} {
			name := string(rune('a' + i))
			s.web.Pages = append(s.web.Pages, webtest.Page{Address: "https://" + name + ".example/lorne", Title: "Lorne bridge", Image: "https://pictures.example/" + picture,
				Text: "The Lorne bridge is 503 metres long. " + strings.Repeat(name+"ord ", 12)})
		}
	})
	events := s.ask(t, "How long is the Lorne bridge?", nil)
	a := finished(t, events)
	with := 0
	for _, src := range a.Sources {
		if src.Image != nil {
			with++
			if *src.Image != "/api/sources/"+string(src.ID)+"/image" {
				t.Errorf("image is %s", *src.Image)
			}
		}
	}
	asked := g.taken()
	if a.Outcome != contract.Extracted || with != 1 || !has(events, "image") || len(asked) != 4 || len(slices.Compact(slices.Clone(asked))) != 4 {
		t.Errorf("%s, %d with a picture, asked for %v", a.Outcome, with, asked)
	}
	for what, change := range map[string]func(*contract.Question){"private": func(q *contract.Question) { q.Private = true }, "offline": func(q *contract.Question) { q.Offline = true }} {
		finished(t, s.ask(t, "How long is the Lorne bridge?", change))
		if asked := g.taken(); len(asked) != 0 {
			t.Errorf("%s asked for %v", what, asked)
		}
	}
	s.set.Web.Images = false
	finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
	if asked := g.taken(); len(asked) != 0 {
		t.Errorf("switched off, asked for %v", asked)
	}
}
