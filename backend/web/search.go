package web

import (
	"context"
	"errors"
	"slices"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Engine is a search engine under its name in the settings.
type Engine struct {
	Name    string
	Keyless bool // serves without anything configured
	gather.Finder
}

// SearchPlan is what the settings say about asking engines. The zero values of
// the numbers mean the defaults.
type SearchPlan struct {
	Order    []string      // web.engines
	Keyless  string        // web.keyless: fallback, always, never
	Parallel int           // web.parallel
	Close    time.Duration // web.close_ms
	Timeout  time.Duration // web.timeout_ms
	Off      string        // why the web is switched off; empty when it is not
}

func (p SearchPlan) filled() SearchPlan {
	if p.Parallel <= 0 {
		p.Parallel = 3
	}
	if p.Close <= 0 {
		p.Close = 3 * time.Second
	}
	if p.Timeout <= 0 {
		p.Timeout = 6 * time.Second
	}
	return p
}

// Searcher asks several engines beside each other. It implements
// answer.WebSearch.
type Searcher struct {
	engines func() []Engine
	plan    func() SearchPlan
	now     func() time.Time
}

// NewSearcher makes a searcher over the engines that are usable now, one
// finder each with its decorators.
func NewSearcher(engines func() []Engine, plan func() SearchPlan, now func() time.Time) *Searcher {
	return &Searcher{engines: engines, plan: plan, now: now}
}

// Search asks the first engines of the order at once and the next one for each
// that fails or finds nothing. The set closes at the close time when one has
// answered by then, else with the first answer, at the latest at the hard stop;
// engines that are late end with search-timeout. each is called once per engine
// that was asked, from one goroutine, before Search returns. Without a usable
// engine it is called once with an empty name and the reason.
func (s *Searcher) Search(ctx context.Context, q gather.WebQuery, names []string, each func(gather.EngineResult)) {
	plan := s.plan().filled()
	text, err := Query(q.Text, 0)
	q.Text = text
	first, spare := s.pick(plan, names)
	switch {
	case err != nil:
	case plan.Off != "":
		err = fault.New(fault.SearchFailed, plan.Off, "Switch the web on in the settings.")
	case len(first)+len(spare) == 0:
		err = fault.New(fault.SearchFailed, "No search engine is set up.", "Add one in the settings, for example the address of a SearXNG.")
	}
	if err != nil {
		each(gather.EngineResult{Err: err})
		return
	}
	r := round{searcher: s, plan: plan, query: q, each: each, queue: first, spare: spare}
	r.run(ctx)
}

// pick gives the engines to ask in order, and those that serve only when the
// first fail.
func (s *Searcher) pick(plan SearchPlan, names []string) (first, spare []Engine) {
	engines := s.engines()
	named := names != nil
	if !named {
		names = plan.Order
	}
	for _, name := range names {
		i := slices.IndexFunc(engines, func(e Engine) bool { return e.Name == name })
		switch {
		case i < 0:
		case !engines[i].Keyless || named || plan.Keyless == "always":
			first = append(first, engines[i])
		case plan.Keyless != "never":
			spare = append(spare, engines[i])
		}
	}
	return first, spare
}

// round is one search over the engines.
type round struct {
	searcher *Searcher
	plan     SearchPlan
	query    gather.WebQuery
	each     func(gather.EngineResult)

	queue, spare []Engine
	results      chan gather.EngineResult
	open         map[string]time.Time // engines that are asked, since when
	answered     bool
}

func (r *round) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.plan.Timeout)
	defer cancel()
	r.results = make(chan gather.EngineResult, len(r.queue)+len(r.spare))
	r.open = map[string]time.Time{}
	for range r.plan.Parallel {
		r.start(ctx)
	}
	closing := time.NewTimer(r.plan.Close)
	defer closing.Stop()
	closed := false
	for len(r.open) > 0 && !(closed && r.answered) {
		select {
		case result := <-r.results:
			r.take(ctx, result)
		case <-closing.C:
			closed = true
		case <-ctx.Done():
			r.giveUp(ctx)
			return
		}
	}
	r.giveUp(ctx)
}

// start asks the next engine of the queue; the spare ones follow when no
// configured one is left.
func (r *round) start(ctx context.Context) {
	if len(r.queue) == 0 && !r.answered && len(r.open) == 0 {
		r.queue, r.spare = r.spare, nil
	}
	if len(r.queue) == 0 {
		return
	}
	e := r.queue[0]
	r.queue = r.queue[1:]
	began := r.searcher.now()
	r.open[e.Name] = began
	go func() {
		leads, err := e.Find(ctx, r.query)
		r.results <- gather.EngineResult{Engine: e.Name, Leads: leads, Err: err, Took: r.searcher.now().Sub(began)}
	}()
}

func (r *round) take(ctx context.Context, result gather.EngineResult) {
	delete(r.open, result.Engine)
	if ctx.Err() != nil && result.Err != nil {
		result.Err = late(ctx, result.Engine)
	}
	if len(result.Leads) > r.query.N {
		result.Leads = result.Leads[:r.query.N]
	}
	r.each(result)
	if len(result.Leads) > 0 {
		r.answered = true
		return
	}
	r.start(ctx)
}

// giveUp reports the engines that did not answer in time.
func (r *round) giveUp(ctx context.Context) {
	for {
		select {
		case result := <-r.results: // came while the set was closing
			delete(r.open, result.Engine)
			if result.Err != nil && ctx.Err() != nil {
				result.Err = late(ctx, result.Engine)
			}
			r.each(result)
			continue
		default:
		}
		break
	}
	names := make([]string, 0, len(r.open))
	for name := range r.open {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.each(gather.EngineResult{Engine: name, Leads: []evidence.Lead{}, Err: late(ctx, name), Took: r.searcher.now().Sub(r.open[name])})
	}
}

func late(ctx context.Context, engine string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fault.New(fault.SearchTimeout, engine+" did not answer in time.", "The other results are used.").With("engine", engine)
}
