package answer_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/settings"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

// slowTenth is an engine that hangs at every tenth query.
type slowTenth struct {
	*webtest.Frozen
	asked atomic.Int64
}

func (s *slowTenth) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	if s.asked.Add(1)%10 == 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Frozen.Find(ctx, q)
}

func TestASearchThatHangsNowAndThenFailsNoRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checker, err := cite.NewChecker()
		if err != nil {
			t.Fatal(err)
		}
		frozen := &webtest.Frozen{Seen: day, Pages: []webtest.Page{{Address: "https://example.org/lorne", Title: "Lorne bridge", Text: bridgePage}}}
		engine, kept := &slowTenth{Frozen: frozen}, newMemory()
		searcher := web.NewSearcher(func() []web.Engine { return []web.Engine{{Name: "frozen", Finder: engine}} },
			func() web.SearchPlan { return web.SearchPlan{Order: []string{"frozen"}} }, time.Now)
		s := &stage{memory: kept, set: settings.Default()}
		s.Engine = answer.NewEngine(answer.Config{
			Settings: func() settings.Settings { return s.set }, Stores: answer.Stores{Journal: kept, Records: kept, Archive: kept}, Web: searcher, Reader: frozen,
			Models: oneModel{}, Checker: checker, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		failed, late := 0, 0
		for i := range 60 {
			events := s.ask(t, fmt.Sprintf("How long is the Lorne bridge, asked for the time %d?", i), func(q *contract.Question) { q.Mode, q.Cache = contract.ModeSpeed, false })
			last, ok := events[len(events)-1].Body.(contract.FinishedRun)
			switch {
			case !ok:
				failed++
			case last.Outcome == contract.NoEvidence:
				if late++; !strings.Contains(last.Answer.Answer, "did not answer in time") {
					t.Errorf("the reader is told %q", last.Answer.Answer)
				}
			}
			if took := events[len(events)-1].At.Sub(events[0].At); took > 8*time.Second {
				t.Errorf("run %d took %v", i, took)
			}
		}
		t.Logf("60 runs: %d failed, %d ended without the search", failed, late)
		if failed > 0 || late == 0 || late > 12 {
			t.Errorf("%d failed, %d late", failed, late)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestAPageThatIsNotReadIsNamedAndNeverCited(t *testing.T) {
	for _, code := range []string{"captcha", "paywall", "consent", "timeout", "http-404", "blocked", "too-large", "age-restricted"} {
		s := set(t, nil, func(s *stage) {
			s.shelf = nil
			s.web.Pages = append(s.web.Pages, webtest.Page{
				Address: "https://closed.example/bridge", Title: "Lorne bridge length", Text: "The Lorne bridge is 999 metres long, says the closed page.", Unread: code,
			})
		})
		events := s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Mode = contract.ModeBalanced })
		named := false
		for _, e := range events {
			if u, ok := e.Body.(contract.Unread); ok && u.Address == "https://closed.example/bridge" {
				named = u.Code == code && u.Reason != ""
			}
		}
		if !named {
			t.Errorf("%s: not named", code)
		}
		a := finished(t, events)
		for _, card := range a.Sources {
			if card.URL == "https://closed.example/bridge" && (len(card.Flags) == 0 || card.Flags[0] != "snippet") {
				t.Errorf("%s: cited as if it were read: %+v", code, card)
			}
		}
	}
}
