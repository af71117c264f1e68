package web

import (
	"context"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/settings"
)

// knowing is an engine that completes questions and notes what it is asked.
type knowing struct {
	asked *[]gather.WebQuery
	leads int
	err   error
}

func (k knowing) Find(_ context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	*k.asked = append(*k.asked, q)
	return make([]evidence.Lead, k.leads), k.err
}

func (k knowing) Suggest(_ context.Context, typed string) ([]string, error) {
	return []string{typed + " post"}, nil
}

func mediaRegistry(set func() settings.Settings, lines ...Line) *EngineRegistry {
	now := newClock().now
	return NewEngineRegistry(lines, set, func(l Line, f gather.Finder) *Breaker {
		return NewBreaker(f, BreakerOptions{Name: l.Name, Now: now, Log: quiet})
	}, now)
}

func line(name string, f gather.Finder, kinds ...string) Line {
	return Line{Name: name, Kinds: kinds, Make: func(string) gather.Finder { return f }}
}

func TestPicturesVideosAndNewsAreAskedOfTheEnginesThatHaveThem(t *testing.T) {
	var first, second []gather.WebQuery
	failing := fault.New(fault.SearchFailed, "no", "wait")
	d := mediaRegistry(settings.Default,
		line("youtube", knowing{&second, 2, nil}, KindVideo), line("searxng", knowing{&first, 0, failing}, "general", KindImages, KindVideo),
		line("wikipedia", knowing{&second, 9, nil}, "general"))
	leads, err := d.Look(t.Context(), KindVideo, gather.WebQuery{Text: " lamp ", N: 5})
	if err != nil || len(leads) != 2 || len(first) != 1 || first[0].Category != "videos" || first[0].Text != "lamp" {
		t.Errorf("%d leads, %v, asked %+v", len(leads), err, first)
	}
	if _, err := d.Look(t.Context(), KindImages, gather.WebQuery{Text: "lamp"}); err != failing {
		t.Errorf("the failure of the only engine became %v", err)
	}
	if _, err := d.Look(t.Context(), KindNews, gather.WebQuery{Text: "lamp"}); fault.CodeOf(err) != fault.SearchFailed || !strings.Contains(err.Error(), "gives news") {
		t.Error(err)
	}
	if _, err := d.Look(t.Context(), KindVideo, gather.WebQuery{Text: "undefined"}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Error(err)
	}
	if len(second) != 1 {
		t.Errorf("an engine without such things was asked: %+v", second)
	}
}

func TestSuggestionsComeFromAnEngineThatGivesThem(t *testing.T) {
	var asked []gather.WebQuery
	off := func() settings.Settings {
		s := settings.Default()
		s.Web.Enabled = false
		return s
	}
	plain, completing := line("wikipedia", gives(1, nil), "general"), line("searxng", knowing{&asked, 1, nil}, "general")
	if got, err := mediaRegistry(settings.Default, plain, completing).Suggest(t.Context(), "lamp"); err != nil || !slices.Equal(got, []string{"lamp post"}) {
		t.Errorf("%q %v", got, err)
	}
	if got, err := mediaRegistry(settings.Default, completing).Suggest(t.Context(), " "); err != nil || got == nil || len(got) != 0 {
		t.Errorf("%q %v", got, err)
	}
	if _, err := mediaRegistry(settings.Default, plain).Suggest(t.Context(), "lamp"); fault.CodeOf(err) != fault.SearchFailed {
		t.Error(err)
	}
	if _, err := mediaRegistry(off, completing).Suggest(t.Context(), "lamp"); fault.CodeOf(err) != fault.LocalOnly || len(asked) != 0 {
		t.Error(err)
	}
}
