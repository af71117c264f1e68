package web

import (
	"context"
	"slices"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// Kinds of search beside the one for answers, as Line.Kinds names them.
const (
	KindNews   = "news"
	KindImages = "images"
	KindVideo  = "video"
)

// searches are the kinds: what an engine that knows categories calls them, and
// what a reader does.
var searches = map[string]struct{ category, named string }{
	KindNews: {"news", "news"}, KindImages: {"images", "pictures"}, KindVideo: {"videos", "videos"},
}

// Suggester completes what a reader has typed.
type Suggester interface {
	Suggest(ctx context.Context, typed string) ([]string, error)
}

// Look asks the engines that find things of a kind, in the settings' order, until
// one finds some. Where no engine that is set up finds them, that is the fault
// search-failed; other errors are those of the last engine.
func (r *EngineRegistry) Look(ctx context.Context, kind string, q gather.WebQuery) ([]evidence.Lead, error) {
	text, err := Query(q.Text, 0)
	if err != nil {
		return nil, err
	}
	q.Text, q.Category = text, searches[kind].category
	lines, err := r.asked(kind, searches[kind].named)
	if err != nil {
		return nil, err
	}
	var last error
	for _, line := range lines {
		leads, err := r.within(ctx, func(ctx context.Context) ([]evidence.Lead, error) { return r.engine(line).Find(ctx, q) })
		if len(leads) > 0 {
			return leads, nil
		}
		if last = err; ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return []evidence.Lead{}, last
}

// Suggest completes what a reader typed, by the first engine that can.
func (r *EngineRegistry) Suggest(ctx context.Context, typed string) ([]string, error) {
	typed, err := Query(typed, 200)
	if err != nil {
		return []string{}, nil // nothing is typed yet
	}
	lines, err := r.asked("general", "suggestions")
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		engine, ok := line.Make(line.address()).(Suggester)
		if !ok || !r.engine(line).Usable(ctx) {
			continue
		}
		ctx, cancel := r.limited(ctx)
		defer cancel()
		return engine.Suggest(ctx, typed)
	}
	return nil, notAvailable("suggestions")
}

// asked lists the usable engines of a kind, those of the settings' order first.
// Engines that need the consent of the reader or a key and have it not are left
// out, as everywhere.
func (r *EngineRegistry) asked(kind, named string) ([]Line, error) {
	set := r.settings().Web
	if !set.Enabled {
		return nil, fault.New(fault.LocalOnly, "The web is switched off.", "Switch the web on in the settings.")
	}
	order := slices.Concat(set.Engines, set.Video.Engines)
	var lines []Line
	for _, name := range order {
		i := slices.IndexFunc(r.lines, func(l Line) bool { return l.Name == name && slices.Contains(l.Kinds, kind) })
		if i < 0 {
			continue
		}
		if state, _ := r.lacks(r.lines[i]); state == "" {
			lines = append(lines, r.lines[i])
		}
	}
	if len(lines) == 0 {
		return nil, notAvailable(named)
	}
	return lines, nil
}

func notAvailable(named string) error {
	return fault.New(fault.SearchFailed, "None of the search engines that are set up gives "+named+".", "Add the address of a SearXNG in the settings.")
}

func (r *EngineRegistry) within(ctx context.Context, find func(context.Context) ([]evidence.Lead, error)) ([]evidence.Lead, error) {
	ctx, cancel := r.limited(ctx)
	defer cancel()
	return find(ctx)
}

func (r *EngineRegistry) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := SearchPlan{Timeout: time.Duration(r.settings().Web.TimeoutMs) * time.Millisecond}.filled().Timeout
	return context.WithTimeout(privacy.WithPurpose(ctx, "search"), limit)
}
