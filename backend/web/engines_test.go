package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

type finderFunc func(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error)

func (f finderFunc) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	return f(ctx, q)
}

func gives(n int, err error) finderFunc {
	return func(context.Context, gather.WebQuery) ([]evidence.Lead, error) { return make([]evidence.Lead, n), err }
}

func TestQueriesAreCutAtAWordAndPlaceholdersRefused(t *testing.T) {
	for in, want := range map[string]string{
		"  how\ttall\nis it ": "how tall is it", "one two three four": "one two three", "": "!", "Undefined": "!", "null.": "!", `"NO_SEARCH"`: "!", "\u200b\u00ad": "!", "nullable types": "nullable types",
	} {
		got, err := Query(in, 14)
		if (err != nil) != (want == "!") || (err == nil && got != want) {
			t.Errorf("%q became %q, %v", in, got, err)
		}
	}
	if q, err := Query(strings.Repeat("ä", 5000), 0); err != nil || len([]rune(q)) != QueryRunes {
		t.Errorf("%d characters, %v", len([]rune(q)), err)
	}
}

func TestLeadsAreCleanAndFitToBeRead(t *testing.T) {
	hits := []Hit{
		{Title: "<b>Bold</b> &amp; &lt;plain&gt;", Address: "https://EXAMPLE.com/a?b=c#d", Snippet: "one <span class=\"searchmatch\">two</span><br>three<script>alert(1)</script> four"},
		{Title: "look-alike", Address: "HTTP://\u0430pple.com/"},
		{Title: "no address"}, {Address: "https://example.com/untitled"}, {Title: "js", Address: "javascript:alert(1)"}, {Title: "private", Address: "http://10.0.0.1/"},
		{Title: "quote", Address: `http://x.example/"onmouseover="alert(1)`}, {Title: "user", Address: "http://a@b.example/"}, {Title: "relative", Address: "//evil.example"},
	}
	leads := NewGuard(nil).Leads("engine", hits, 10)
	if len(leads) != 2 {
		t.Fatalf("%+v", leads)
	}
	if l := leads[0]; l.Source.Title != "Bold & <plain>" || l.Source.Address != "https://example.com/a?b=c#d" || l.Snippet != "one two three four" || l.Via != "engine" {
		t.Errorf("%+v", l)
	}
	if a := leads[1].Source.Address; a != "http://xn--pple-43d.com/" {
		t.Errorf("a look-alike host shows as %s", a)
	}
	hits = nil
	for i := range 40 { // each listed twice
		hits = append(hits, Hit{Title: "page", Address: fmt.Sprintf("https://example.com/%d?utm_source=a", i/2), Score: float64(i % 2)})
	}
	leads = NewGuard(nil).Leads("engine", hits, 10)
	if len(leads) != 10 || leads[9].Source.Address != "https://example.com/9?utm_source=a" || leads[8].Score != 1 {
		t.Errorf("%d leads: %+v", len(leads), leads)
	}
}

type memoryStates struct {
	mu   sync.Mutex
	kept map[string]EngineState
}

func (m *memoryStates) Load(_ context.Context, engine string) (EngineState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[engine], nil
}

func (m *memoryStates) Save(_ context.Context, engine string, s EngineState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[engine] = s
	return nil
}

func TestTheBreakerRestsAfterTwoRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		block Block
		rest  time.Duration
	}{
		"403":                  {Block{Why: BlockForbidden}, 5 * time.Minute},
		"429":                  {Block{Why: BlockTooMany}, 5 * time.Minute},
		"429 with Retry-After": {Block{Why: BlockTooMany, RetryAfter: 90 * time.Second}, 90 * time.Second},
		"429 for a day":        {Block{Why: BlockTooMany, RetryAfter: 24 * time.Hour}, 10 * time.Minute},
		"captcha":              {Block{Why: BlockCaptcha}, time.Hour},
	} {
		clk, asked := newClock(), 0
		states := &memoryStates{kept: map[string]EngineState{}}
		refusing := finderFunc(func(context.Context, gather.WebQuery) ([]evidence.Lead, error) {
			asked++
			return nil, Blocked("X", &c.block, clk.now())
		})
		opt := BreakerOptions{Name: "x", States: states, Now: clk.now, Log: quiet}
		b := NewBreaker(refusing, opt)
		for range 5 {
			if _, err := b.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); fault.CodeOf(err) != fault.SearchBlocked {
				t.Errorf("%s: %v", name, err)
			}
		}
		if asked != 2 {
			t.Errorf("%s: asked %d times", name, asked)
		}
		b = NewBreaker(refusing, opt) // after a restart
		clk.pass(c.rest - time.Second)
		if b.Usable(context.Background()) {
			t.Errorf("%s: usable before its time", name)
		}
		clk.pass(2 * time.Second)
		if !b.Usable(context.Background()) {
			t.Errorf("%s: still resting", name)
		}
		b.next = gives(1, nil)
		if _, err := b.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); err != nil || b.State(context.Background()).Blocks != 0 || states.kept["x"].LastSuccess.IsZero() {
			t.Errorf("%s: success did not heal: %v %+v", name, err, states.kept["x"])
		}
	}
}

func TestARefusedKeySwitchesTheEngineOffUntilTheProgramEnds(t *testing.T) {
	clk, states := newClock(), &memoryStates{kept: map[string]EngineState{}}
	opt := BreakerOptions{Name: "x", States: states, Now: clk.now, Log: quiet}
	b := NewBreaker(gives(0, Blocked("X", &Block{Why: BlockAuth}, clk.now())), opt)
	for range 2 {
		if _, err := b.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); fault.CodeOf(err) != fault.SearchBlocked {
			t.Error(err)
		}
	}
	clk.pass(24 * time.Hour)
	if b.Usable(context.Background()) || !NewBreaker(gives(0, nil), opt).Usable(context.Background()) {
		t.Error("wrong after a day or a restart")
	}
}

func TestTimeoutsAreNoRefusals(t *testing.T) {
	b := NewBreaker(gives(0, fault.New(fault.SearchTimeout, "late", "wait")), BreakerOptions{Name: "x", Now: newClock().now, Log: quiet})
	for range 5 {
		if _, err := b.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); fault.CodeOf(err) != fault.SearchTimeout {
			t.Error(err)
		}
	}
	if !b.Usable(context.Background()) {
		t.Error("rests")
	}
}

func TestOneQueryPerHostIsInFlightWithAnInterval(t *testing.T) {
	var open, most atomic.Int64
	p := NewPolite(finderFunc(func(context.Context, gather.WebQuery) ([]evidence.Lead, error) {
		most.Store(max(most.Load(), open.Add(1)))
		time.Sleep(5 * time.Millisecond)
		open.Add(-1)
		return nil, nil
	}), PoliteOptions{Interval: 40 * time.Millisecond, Now: time.Now, Random: func() float64 { return 0.5 }})
	began := time.Now()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := p.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 || time.Since(began) < 110*time.Millisecond {
		t.Errorf("%d at once, %v", most.Load(), time.Since(began))
	}
	slow := NewPolite(finderFunc(func(context.Context, gather.WebQuery) ([]evidence.Lead, error) { return nil, nil }),
		PoliteOptions{Interval: time.Hour, Now: time.Now, Random: func() float64 { return 0.5 }})
	if _, err := slow.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if _, err := slow.Find(ctx, gather.WebQuery{Text: "q", N: 1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestTheIntervalVariesByAQuarter(t *testing.T) {
	clk := newClock()
	for random, want := range map[float64]time.Duration{0: 750 * time.Millisecond, 0.5: time.Second, 0.999999: 1249 * time.Millisecond} {
		p := NewPolite(nil, PoliteOptions{Interval: time.Second, Now: clk.now, Random: func() float64 { return random }})
		p.reserve()
		if got := p.reserve().Truncate(time.Millisecond); got != want {
			t.Errorf("%v: %v", random, got)
		}
	}
}

func TestPassingFailuresAreTriedAgainAndOthersAreNot(t *testing.T) {
	resp := func(code int) error { return EngineStatus("X", &http.Response{StatusCode: code}, time.Time{}) }
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"503": {resp(503), 3}, "403": {resp(403), 1}, "404": {resp(404), 1}, "429": {resp(429), 1},
		"network": {EngineError("X", errors.New("reset")), 3}, "timeout": {EngineError("X", context.DeadlineExceeded), 1},
	} {
		asked := 0
		r := NewRetry(finderFunc(func(context.Context, gather.WebQuery) ([]evidence.Lead, error) { asked++; return nil, c.err }),
			func() (int, time.Duration) { return 2, time.Millisecond })
		if _, err := r.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); err == nil || asked != c.want {
			t.Errorf("%s: %d tries, %v", name, asked, err)
		}
	}
	r := NewRetry(gives(0, resp(500)), func() (int, time.Duration) { return 5, time.Hour })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Find(ctx, gather.WebQuery{Text: "q", N: 1}); fault.CodeOf(err) != fault.SearchFailed {
		t.Errorf("an ended wait: %v", err)
	}
}

func TestAnAnswerIsRememberedForAWhile(t *testing.T) {
	clk, asked := newClock(), 0
	r := NewRecall(finderFunc(func(_ context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
		asked++
		if q.Text == "bad" {
			return nil, errors.New("no")
		}
		return make([]evidence.Lead, 1), nil
	}), 10*time.Minute, clk.now)
	for _, q := range []string{"a", "a", "b", "bad", "bad"} {
		if _, err := r.Find(context.Background(), gather.WebQuery{Text: q, N: 5}); (err != nil) != (q == "bad") {
			t.Error(err)
		}
	}
	if _, err := r.Find(answer.WithFresh(context.Background()), gather.WebQuery{Text: "a", N: 5}); err != nil || asked != 5 {
		t.Errorf("fresh: asked %d times, %v", asked, err)
	}
	clk.pass(11 * time.Minute)
	if _, err := r.Find(context.Background(), gather.WebQuery{Text: "a", N: 5}); err != nil || asked != 6 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	now := newClock().now()
	for in, want := range map[string]time.Duration{"3600": time.Hour, " 5 ": 5 * time.Second, "Sat, 21 Nov 2026 12:30:00 GMT": 30 * time.Minute, "Sat, 21 Nov 2020 12:30:00 GMT": 0, "": 0, "soon": 0, "-4": 0, "999999999": 24 * time.Hour} {
		if got := RetryAfter(in, now); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// search runs a searcher over engines and gives what was reported, as lines.
func search(t *testing.T, ctx context.Context, plan SearchPlan, names []string, engines ...Engine) []string {
	t.Helper()
	for _, e := range engines {
		plan.Order = append(plan.Order, e.Name)
	}
	var lines []string
	s := NewSearcher(func() []Engine { return engines }, func() SearchPlan { return plan }, time.Now)
	s.Search(ctx, gather.WebQuery{Text: "a question", N: 10}, names, func(r gather.EngineResult) {
		lines = append(lines, fmt.Sprintf("%s %d %s", r.Engine, len(r.Leads), fault.CodeOf(r.Err)))
	})
	slices.Sort(lines)
	return lines
}

func slow(d time.Duration, n int) finderFunc {
	return func(ctx context.Context, _ gather.WebQuery) ([]evidence.Lead, error) {
		if err := wait(ctx, d); err != nil {
			return nil, err
		}
		return make([]evidence.Lead, n), nil
	}
}

func TestSearchAsksSeveralAndReplacesTheFailed(t *testing.T) {
	failed := gives(0, fault.New(fault.SearchFailed, "no", "wait"))
	offline := gives(0, fault.New(fault.Offline, "no", "wait"))
	quick := SearchPlan{Close: 200 * time.Millisecond, Timeout: 800 * time.Millisecond}
	for name, c := range map[string]struct {
		plan    SearchPlan
		names   []string
		engines []Engine
		want    []string
	}{
		"three at once, the fourth rests":   {quick, nil, []Engine{{"a", false, gives(3, nil)}, {"b", false, gives(2, nil)}, {"c", false, gives(20, nil)}, {"d", false, gives(1, nil)}}, []string{"a 3 ", "b 2 ", "c 10 "}},
		"the next replaces a failed one":    {quick, nil, []Engine{{"a", false, failed}, {"b", false, gives(2, nil)}, {"c", false, gives(1, nil)}, {"d", false, gives(1, nil)}}, []string{"a 0 search-failed", "b 2 ", "c 1 ", "d 1 "}},
		"keyless only when the others fail": {quick, nil, []Engine{{"a", false, failed}, {"wiki", true, gives(2, nil)}}, []string{"a 0 search-failed", "wiki 2 "}},
		"keyless not when one serves":       {quick, nil, []Engine{{"a", false, gives(1, nil)}, {"wiki", true, gives(2, nil)}}, []string{"a 1 "}},
		"keyless alone":                     {quick, nil, []Engine{{"wiki", true, gives(2, nil)}}, []string{"wiki 2 "}},
		"keyless never":                     {SearchPlan{Keyless: "never"}, nil, []Engine{{"wiki", true, gives(2, nil)}}, []string{" 0 search-failed"}},
		"keyless always":                    {SearchPlan{Keyless: "always"}, nil, []Engine{{"a", false, gives(1, nil)}, {"wiki", true, gives(2, nil)}}, []string{"a 1 ", "wiki 2 "}},
		"named ones only":                   {quick, []string{"b", "nobody"}, []Engine{{"a", false, gives(1, nil)}, {"b", true, gives(2, nil)}}, []string{"b 2 "}},
		"empty answers go on":               {quick, nil, []Engine{{"a", false, gives(0, nil)}, {"wiki", true, gives(2, nil)}}, []string{"a 0 ", "wiki 2 "}},
		"closes when one has answered":      {quick, nil, []Engine{{"a", false, gives(1, nil)}, {"b", false, slow(5*time.Second, 5)}}, []string{"a 1 ", "b 0 search-timeout"}},
		"waits for the first answer":        {quick, nil, []Engine{{"a", false, slow(450*time.Millisecond, 4)}, {"b", false, slow(5*time.Second, 5)}}, []string{"a 4 ", "b 0 search-timeout"}},
		"hard stop":                         {quick, nil, []Engine{{"a", false, slow(5*time.Second, 4)}}, []string{"a 0 search-timeout"}},
		"offline":                           {quick, nil, []Engine{{"a", false, offline}, {"wiki", true, offline}}, []string{"a 0 offline", "wiki 0 offline"}},
		"nothing set up":                    {quick, nil, nil, []string{" 0 search-failed"}},
		"switched off":                      {SearchPlan{Off: "The web is switched off."}, nil, []Engine{{"a", false, gives(1, nil)}}, []string{" 0 search-failed"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			if got := search(t, context.Background(), c.plan, c.names, c.engines...); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
			if time.Since(began) > 800*time.Millisecond {
				t.Errorf("%s took %v", name, time.Since(began))
			}
		})
	}
}

func TestACancelledSearchEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(30*time.Millisecond, cancel)
		began := time.Now()
		search(t, ctx, SearchPlan{}, nil, Engine{"a", false, slow(5*time.Second, 1)}, Engine{"b", false, slow(5*time.Second, 1)})
		if time.Since(began) > 30*time.Millisecond {
			t.Errorf("took %v", time.Since(began))
		}
	})
}
