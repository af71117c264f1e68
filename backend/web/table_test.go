package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/web"
)

// TestTheTableOfEngines prints what README.md shows: for each engine the results
// of its recorded answer, what broken ones give, the longest query it is sent and
// for how long it rests after refusals.
func TestTheTableOfEngines(t *testing.T) {
	x := newExchange(t)
	lines := []string{"engine           results broken        query    403   429 429+90s"}
	for _, s := range services() {
		x.answer(0, "", nil)
		x.query = ""
		finder := s.make(x.access(s.Engine))
		leads, err := finder.Find(t.Context(), gather.WebQuery{Text: strings.Repeat("wörter ", 2000), N: 50})
		if err != nil || len(leads) == 0 {
			t.Errorf("%s: %d leads, %v", s.Name, len(leads), err)
		}
		limit := utf8.RuneCountInString(x.query)
		if limit > 2000 {
			t.Errorf("%s: a query of %d characters", s.Name, limit)
		}
		broken := map[fault.Code]int{}
		for _, change := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:len(b)/2] }, func([]byte) []byte { return nil }, func([]byte) []byte { return []byte("<!doctype html><p>Welcome</p>") },
		} {
			x.answer(0, "", change)
			_, err := finder.Find(t.Context(), gather.WebQuery{Text: "lamp", N: 10})
			broken[fault.CodeOf(err)]++
		}
		if broken[fault.SearchFailed] != 3 {
			t.Errorf("%s: broken answers gave %v", s.Name, broken)
		}
		x.answer(0, "", nil)
		line := fmt.Sprintf("%-16s %7d %s ×%d %5d", s.Name, len(leads), fault.SearchFailed, broken[fault.SearchFailed], limit)
		for _, refusal := range []struct {
			status int
			wait   string
		}{{http.StatusForbidden, ""}, {http.StatusTooManyRequests, ""}, {http.StatusTooManyRequests, "90"}} {
			x.answer(refusal.status, refusal.wait, nil)
			line += fmt.Sprintf(" %6s", rest(t, finder))
		}
		lines = append(lines, line)
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}

func (x *exchange) answer(status int, wait string, body func([]byte) []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status, x.wait, x.body = status, wait, body
}

// rest is how long a breaker leaves an engine alone after two refusals.
func rest(t *testing.T, finder gather.Finder) time.Duration {
	t.Helper()
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b := web.NewBreaker(finder, web.BreakerOptions{Name: "x", Now: func() time.Time { return at }, Log: slog.New(slog.DiscardHandler)})
	for range 2 {
		if _, err := b.Find(context.Background(), gather.WebQuery{Text: "lamp", N: 10}); err == nil {
			t.Error("a refusal gave results")
		}
	}
	if until := b.State(t.Context()).Until; !until.IsZero() {
		return until.Sub(at)
	}
	return 0
}
