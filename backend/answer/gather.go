package answer

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/rank"
)

const (
	shelfDeadline = 30 * time.Second
	shelfGrace    = 400 * time.Millisecond // after "answer now"
	maxSnippets   = 15                     // leads that serve as candidates in speed
	cardSnippet   = 300                    // characters of a snippet on a card
)

// ShelfPassages is how many passages of the reader's files are candidates of one
// answer.
const ShelfPassages = 24

// shelved is what a search of the reader's files brought, or why it brought
// nothing.
type shelved struct {
	found []evidence.Found
	err   error
}

// RetrieveDeps are the ports of searching and reading.
type RetrieveDeps struct {
	Web    WebSearch
	Reader Reader
	Shelf  Shelf
	paces  *pace
}

// retriever searches and reads, and holds what that brought so far. What looks
// several times, an agent or a dimension of research, adds to it.
type retriever struct {
	deps     RetrieveDeps
	tell     *Teller
	task     *Task
	models   *RoleModels
	scorer   *scorer
	early    *early
	plan     Plan
	evidence Evidence
	unreadMu sync.Mutex // of the pages that could not be read
}

// searchShelf starts the local search at once, beside the rewrite; the channel
// gives its result exactly once.
func (p *retriever) searchShelf(ctx context.Context) <-chan shelved {
	out := make(chan shelved, 1)
	if !p.task.wantsShelf() {
		out <- shelved{}
		return out
	}
	query := standaloneByRules(p.task.Question.Text, p.task.History)
	go func() {
		h, err := p.searchFiles(ctx, query, ShelfPassages, anyAlike)
		out <- shelved{h.Found, err}
	}()
	return out
}

func shelfCards(found []evidence.Found) []LeadCard {
	seen := map[evidence.SourceID]bool{}
	cards := []LeadCard{}
	for _, f := range found {
		if seen[f.Source.ID] || len(cards) == 5 {
			continue
		}
		seen[f.Source.ID] = true
		cards = append(cards, LeadCard{
			Source: f.Source.ID, Title: f.Source.Title, Address: f.Source.Address, Snippet: oneLine(f.Passage.Text, cardSnippet),
			Published: dateOf(f.Source.Published), Score: f.Score.Fused,
		})
	}
	return cards
}

// gather asks the web and waits for both sides. The web does not wait for the
// shelf; either may fail and the other still answers.
func (p *retriever) gather(ctx context.Context, local <-chan shelved) {
	p.tell.begin(StageGather)
	var web sync.WaitGroup
	if p.plan.Search {
		web.Go(func() { p.searchWeb(ctx) })
	}
	shelf := await(ctx, local)
	if p.plan.Shelf {
		p.evidence.Found = shelf.found
		p.explainShelf(shelf.err)
		p.evidence.Empty = len(shelf.found) == 0 && shelf.err == nil && p.nothingToRead(ctx)
	}
	web.Wait()
	p.tell.counters.Sources = len(p.evidence.Leads) + len(p.evidence.Found)
	p.tell.emit(p.tell.counters)
	p.tell.timing.Gather = p.tell.finish(len(p.plan.Queries), len(p.evidence.Leads)+len(p.evidence.Found))
}

// await gives the local result. Answering now waits for it a little: it is
// nearly there, and the answer may rest on it alone.
func await(ctx context.Context, local <-chan shelved) shelved {
	select {
	case result := <-local:
		return result
	case <-ctx.Done():
	}
	select {
	case result := <-local:
		return result
	case <-time.After(shelfGrace):
		return shelved{}
	}
}

// explainShelf says that the reader's files were not searched, and why: an
// answer without them is not one that found nothing in them.
func (p *retriever) explainShelf(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	p.evidence.ShelfError = fault.Of(err)
	p.tell.notice(Notice{Code: "search-partial", Level: "warn", Message: "Your files were not searched. " + p.evidence.ShelfError.Message})
}

// searchWeb collects leads for the queries of the plan, and for the question as
// typed where that was asked early.
func (p *retriever) searchWeb(ctx context.Context) {
	var sets [][]evidence.Lead
	beside := p.askBeside(ctx)
	early := p.early.results(ctx)
	if !p.early.covers(p.plan.Queries) {
		for _, query := range p.plan.Queries {
			sets = append(sets, p.take(p.ask(ctx, p.task.webQuery(query, 1), p.task.webNames()))...)
		}
	}
	p.early.end() // not before: the encoder may read while engines are asked
	sets = append(sets, p.take(early)...)
	for _, results := range beside() {
		sets = append(sets, p.take(results)...)
	}
	p.evidence.Leads = p.task.unblocked(rank.FuseLeads(sets...))
	if n := max(1, p.task.Settings.Web.Candidates); len(p.evidence.Leads) > n {
		p.evidence.Leads = p.evidence.Leads[:n]
	}
	p.explainSearch()
}

func (t *Task) webQuery(text string, page int) WebQuery {
	return WebQuery{Text: text, N: t.Settings.Web.Results, Page: page}
}

// ask puts a query to the engines and tells what each found. Several may run
// beside each other.
func (p *retriever) ask(ctx context.Context, q WebQuery, names []string) []EngineResult {
	var results []EngineResult
	q = p.task.Question.bound(q)
	p.deps.Web.Search(WithPurpose(ctx, "search"), q, names, func(r EngineResult) {
		r.Leads = p.task.Question.allowed(r.Leads)
		for i := range r.Leads {
			r.Leads[i].Source.ID = evidence.NewSourceID(r.Leads[i].Source.Kind, r.Leads[i].Source.Address, "")
		}
		if q.Page > 1 && ended(r.Err) && ctx.Err() != nil {
			return // it came too late
		}
		body := FoundLeads{Query: q.Text, Engine: r.Engine, Count: len(r.Leads), Ms: r.Took.Milliseconds(), Leads: leadCards(r.Leads), Dimension: p.task.Part}
		if r.Err != nil && !(ended(r.Err) && ctx.Err() != nil) {
			body.Error = failureOf(r.Err)
			p.tell.log.Warn("search the web", "engine", r.Engine, "err", r.Err)
		}
		if slow := time.Duration(p.task.Settings.Web.CloseMs) * time.Millisecond; slow > 0 && r.Took >= slow {
			p.tell.log.Warn("slow search", "engine", r.Engine, "took", r.Took)
		}
		p.tell.emit(body)
		results = append(results, r)
	})
	return results
}

// take notes which engines answered and which failed, and gives the leads.
func (p *retriever) take(results []EngineResult) [][]evidence.Lead {
	if len(results) > 0 {
		p.tell.counters.Searches++
	}
	for _, r := range results {
		if r.Err != nil && !(ended(r.Err) && p.tell.cutShort()) {
			p.evidence.WebError = r.Err
		}
		if r.Engine != "" && !slices.Contains(p.evidence.Engines, r.Engine) {
			p.evidence.Engines = append(p.evidence.Engines, r.Engine)
		}
	}
	return leadsOf(results)
}

// leadsOf are the leads of the results of one query, a list an engine: its pages
// of results stand one behind the other.
func leadsOf(results []EngineResult) [][]evidence.Lead {
	var sets [][]evidence.Lead
	at := map[string]int{}
	for _, r := range results {
		i, further := at[r.Engine]
		if !further {
			i = len(sets)
			at[r.Engine], sets = i, append(sets, nil)
		}
		sets[i] = append(sets[i], r.Leads...)
	}
	return sets
}

// explainSearch says what a failed search means for the answer.
func (p *retriever) explainSearch() {
	if p.evidence.WebError == nil || p.tell.cutShort() {
		return
	}
	f := fault.Of(p.evidence.WebError)
	code := "search-partial"
	switch {
	case f.Code == fault.Offline || f.Code == fault.LocalOnly:
		code = "offline"
	case len(p.evidence.Leads) == 0:
		code = "search-blocked"
	}
	if f.Code == fault.Offline && p.plan.Shelf {
		p.tell.notice(Notice{Code: code, Level: "warn", Message: "You are offline; only your files were searched."})
		return
	}
	rest := " The answer rests on the others."
	if len(p.evidence.Leads) == 0 {
		rest = " The answer rests on your files."
	}
	p.tell.notice(Notice{Code: code, Level: "warn", Message: f.Message + rest})
}

// interleave merges result sets by position: every engine's first before any
// second.
func interleave(sets [][]evidence.Lead) []evidence.Lead {
	var out []evidence.Lead
	for i := 0; ; i++ {
		any := false
		for _, set := range sets {
			if i < len(set) {
				out, any = append(out, set[i]), true
			}
		}
		if !any {
			return out
		}
	}
}

func leadCards(leads []evidence.Lead) []LeadCard {
	cards := make([]LeadCard, 0, len(leads))
	for _, l := range leads {
		cards = append(cards, LeadCard{
			Source: l.Source.ID, Title: l.Source.Title, Address: l.Source.Address, Domain: domainOf(l.Source.Address),
			Snippet: oneLine(l.Snippet, cardSnippet), Published: dateOf(l.Source.Published), Score: l.Score,
		})
	}
	return cards
}

func failureOf(err error) *Failure {
	f := fault.Of(err)
	return &Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}

func domainOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
