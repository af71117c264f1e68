package gather

import (
	"footnote/backend/answer/contract"
)

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/answer/queries"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Early is a search for the question as typed, begun while a model rewords it
// (the search is then done when the rewording is). Further pages of results are
// asked for one behind the other and taken when they are there in time. The nil
// early found nothing and covers nothing.
type Early struct {
	Query string
	pages chan []EngineResult // of results; the first always comes, closed at the end
	stop  context.CancelFunc
	leave context.CancelFunc // the encoder's work as well
	took  time.Duration      // by the first page; stands when that was received
	came  time.Time          // when it did
	now   func() time.Time
	here  atomic.Bool    // the first page has come
	ahead sync.WaitGroup // the encoder, which reads what was received
}

const (
	resultPages = 3                      // of an early search
	secondGrace = 100 * time.Millisecond // that the second page is waited for, if it should come within
)

// SearchEarly asks the engines at once where a model is going to reword the
// question, the rules are sure that it needs the web, and it stands alone: what
// leaves the machine is what would leave it without a model.
func (r *Retriever) SearchEarly(ctx context.Context) {
	if !r.Task.WantsWeb() || r.Models.Chat.Model == nil && r.Models.System.Model == nil || !queries.SurelySearched(r.Task.Question, r.Task.History) {
		return
	}
	whole, leave := context.WithCancel(ctx)
	ctx, stop := context.WithCancel(whole)
	e := &Early{Query: queries.ByRules(r.Task.Question.Text, r.Tell.Now()), pages: make(chan []EngineResult, resultPages), stop: stop, leave: leave, now: r.Tell.Now}
	r.Early = e
	standalone, began := queries.Standalone(r.Task.Question.Text, r.Task.History), r.Tell.Now()
	go func() {
		defer stop()
		defer close(e.pages)
		var found []EngineResult
		for n := 1; n <= resultPages; n++ {
			page := r.Ask(ctx, r.Task.WebQuery(e.Query, n), r.Task.WebEngines())
			if found = slices.Concat(found, page); ctx.Err() == nil || n == 1 {
				read := found
				e.ahead.Go(func() { r.encodeAhead(whole, standalone, read) })
			}
			if n == 1 {
				e.came = r.Tell.Now()
				e.took = e.came.Sub(began)
			}
			e.pages <- page
			e.here.Store(true)
			if ctx.Err() != nil || !slices.ContainsFunc(page, func(result EngineResult) bool { return len(result.Leads) >= r.Task.Settings.Web.Results }) {
				return
			}
		}
	}()
}

// results waits for the first page of what the early search found, a moment for
// the second, and takes what else has come. Its engines have their own deadline.
// Nothing is asked for any more then; end waits for the encoder.
func (e *Early) results(ctx context.Context) []EngineResult {
	if e == nil {
		return nil
	}
	defer e.stop()
	var found []EngineResult
	select {
	case found = <-e.pages:
	case <-ctx.Done():
		e.stop()
		found = <-e.pages
	}
	grace := time.NewTimer(e.grace())
	defer grace.Stop()
	select {
	case page := <-e.pages:
		found = slices.Concat(found, page)
	case <-grace.C:
	case <-ctx.Done():
	}
	for {
		select {
		case page, more := <-e.pages:
			if found = slices.Concat(found, page); more {
				continue
			}
		default:
		}
		return found
	}
}

// grace is how long the second page is worth waiting for. It should take as long
// as the first, and has twice that time.
func (e *Early) grace() time.Duration {
	since := e.now().Sub(e.came)
	if e.took-since > secondGrace {
		return 0
	}
	return min(2*e.took-since, secondGrace)
}

// end stops what is still asked for and waits for that.
func (e *Early) end() {
	if e == nil {
		return
	}
	e.stop()
	for range e.pages {
	}
	e.ahead.Wait()
	e.leave()
}

// Drop ends an early search that the plan has no use for.
func (e *Early) Drop() {
	if e != nil {
		e.leave()
		e.end()
	}
}

// Covers reports whether the early search asked for the same as the queries: all
// their words, and not much besides.
func (e *Early) Covers(queries []string) bool {
	return e != nil && len(queries) == 1 && e.share(queries[0]) >= 0.5
}

// Agrees reports whether a rewriter that has said this much need not be heard to
// its end: the results of the early search are here, and the query so far, up to
// its last whole word, has nearly all words that were searched for and no other.
func (e *Early) Agrees(said string) bool {
	if e == nil || !e.here.Load() {
		return false
	}
	query, _ := queries.Clean(said[:strings.LastIndexAny(said, " \n")+1])
	return e.share(query) > 0.75
}

// share is how much of what was searched for a query asks for, 0 when it asks for
// anything else.
func (e *Early) share(query string) float64 {
	asked, wanted := plain.Distinct(rank.Terms(e.Query)), plain.Distinct(rank.Terms(query))
	for _, term := range wanted {
		if !slices.Contains(asked, term) {
			return 0
		}
	}
	return float64(len(wanted)) / float64(max(1, len(asked)))
}

// encodeAhead has the sentence encoder read the snippets that an early search
// found, as far as they will be candidates, while the question is still being
// reworded: what is asked of it then is at hand.
func (r *Retriever) encodeAhead(ctx context.Context, query string, found []EngineResult) {
	if r.Task.Question.Mode != contract.ModeSpeed && r.Task.Question.Mode != contract.ModeBalanced || r.Scorer.Deps.Meaning == nil {
		return
	}
	leads := r.Scorer.CandidateLeads(ctx, query, r.Task.Unblocked(rank.FuseLeads(leadsOf(found)...)), &Evidence{})
	web := r.Task.CandidatesOf(nil, leads)
	r.Scorer.ScoreWeb(ctx, query, web)
	r.Scorer.Encode(ctx, query, web)
}
