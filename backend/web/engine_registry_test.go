package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/settings"
)

func newTestRegistry(address *string, made *int, clk *clock) *EngineRegistry {
	refused := false
	lines := []Line{
		{Name: "searxng", Kinds: []string{"general"}, Address: func() string { return *address }, Make: func(string) gather.Finder {
			*made++
			return gives(2, nil)
		}},
		{Name: "wikipedia", Keyless: true, Make: func(string) gather.Finder {
			return finderFunc(func(context.Context, gather.WebQuery) ([]evidence.Lead, error) {
				if refused = !refused; refused {
					return nil, Blocked("Wikipedia", &Block{Why: BlockForbidden}, clk.now())
				}
				return nil, Blocked("Wikipedia", &Block{Why: BlockTooMany}, clk.now())
			})
		}},
		{Name: "mojeek", Make: func(string) gather.Finder { return gives(1, nil) }},
	}
	wrap := func(l Line, f gather.Finder) *Breaker {
		return NewBreaker(f, BreakerOptions{Name: l.Name, Now: clk.now, Log: quiet})
	}
	return NewEngineRegistry(lines, settings.Default, wrap, clk.now)
}

func TestTheRegistryMakesAnEngineOncePerAddress(t *testing.T) {
	address, made := "", 0
	d := newTestRegistry(&address, &made, newClock())
	if n := len(d.Engines()); n != 2 || made != 0 {
		t.Errorf("%d engines, made %d without an address", n, made)
	}
	for _, address = range []string{"http://127.0.0.1:8888", "http://127.0.0.1:8888", "http://127.0.0.1:9999"} {
		d.Engines()
	}
	if made != 2 {
		t.Errorf("made %d times", made)
	}
}

func TestTheRegistryTellsHowEnginesStand(t *testing.T) {
	address, made, clk := "", 0, newClock()
	d := newTestRegistry(&address, &made, clk)
	for range 2 {
		for _, e := range d.Engines() {
			if e.Name == "wikipedia" {
				if _, err := e.Find(context.Background(), gather.WebQuery{Text: "q", N: 1}); fault.CodeOf(err) != fault.SearchBlocked {
					t.Error(err)
				}
			}
		}
	}
	states := map[string]Standing{}
	for _, s := range d.Standings(context.Background()) {
		states[s.Name] = s
	}
	if states["searxng"].State != "no-address" || states["mojeek"].State != "off" {
		t.Errorf("%+v", states)
	}
	if w := states["wikipedia"]; w.State != "suspended" || !w.SuspendedUntil.Equal(clk.now().Add(5*time.Minute)) || w.Reason == "" {
		t.Errorf("%+v", w)
	}
}

func TestTheRegistryTestsAnEngine(t *testing.T) {
	address, made := "http://127.0.0.1:8888", 0
	d := newTestRegistry(&address, &made, newClock())
	if n, err := d.Test(context.Background(), "searxng"); n != 2 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := d.Test(context.Background(), "nobody"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	address = ""
	if _, err := d.Test(context.Background(), "searxng"); fault.CodeOf(err) != fault.SearchFailed {
		t.Error(err)
	}
}

func TestAnEngineServesOnlyWithWhatItNeeds(t *testing.T) {
	set, key := settings.Default(), ""
	set.Web.Engines = []string{"tavily", "brave", "wikipedia"}
	finder := func(string) gather.Finder { return gives(1, nil) }
	d := NewEngineRegistry([]Line{
		{Name: "brave", Kinds: []string{"general"}, NeedsKey: true, Key: func() string { return key }, Make: finder},
		{Name: "tavily", Kinds: []string{"general"}, Keyless: true, Consent: true, Key: func() string { return key }, Make: finder},
		{Name: "wikipedia", Kinds: []string{"general", "knowledge"}, Keyless: true, Make: finder},
		{Name: "arxiv", Kinds: []string{"academic"}, Keyless: true, Make: finder},
	}, func() settings.Settings { return set }, func(l Line, f gather.Finder) *Breaker {
		return NewBreaker(f, BreakerOptions{Name: l.Name, Now: newClock().now, Log: quiet})
	}, newClock().now)
	states := func() (out string) {
		for _, s := range d.Standings(t.Context()) {
			out += s.Name + " " + s.State + ", "
		}
		return out
	}
	general := func() (out string) {
		for _, e := range d.General() {
			out += fmt.Sprintf("%s %v, ", e.Name, e.Keyless)
		}
		return out
	}
	if got := states(); got != "brave no-key, tavily no-consent, wikipedia ready, arxiv ready, " {
		t.Error(got)
	}
	if got := general(); got != "wikipedia true, " {
		t.Error(got)
	}
	if _, err := d.Test(t.Context(), "brave"); fault.CodeOf(err) != fault.SearchFailed || !strings.Contains(fault.Of(err).Message, "no key is set") {
		t.Error(err)
	}
	set.Web.Consent = []string{"tavily"}
	if got := general(); got != "tavily true, wikipedia true, " {
		t.Error(got)
	}
	set.Web.Consent, key = nil, "k"
	if got := general(); got != "tavily false, brave false, wikipedia true, " {
		t.Error(got)
	}
}
