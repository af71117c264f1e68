package gather

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

const (
	shelfDeadline = 30 * time.Second
	shelfGrace    = 400 * time.Millisecond // after "answer now"
	maxSnippets   = 15                     // leads that serve as candidates in speed
	CardSnippet   = 300                    // characters of a snippet on a card
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

// Deps are the ports of searching and reading.
type Deps struct {
	Web    WebSearch
	Reader Reader
	Shelf  Shelf
	Paces  *Pace
}

// Retriever searches and reads, and holds what that brought so far. What looks
// several times, an agent or a dimension of research, adds to it.
type Retriever struct {
	Deps     Deps
	Tell     *journal.Teller
	Task     *Task
	Models   *llm.RoleModels
	Scorer   *Scorer
	Early    *Early
	Settled  func(ctx context.Context, question string, e Evidence) bool // whether evidence answers a question in all its parts
	Plan     Plan
	Evidence Evidence
	local    chan shelved // what the local search brought
	unreadMu sync.Mutex   // of the pages that could not be read
}

// SearchShelf starts the local search at once, beside the rewrite.
func (r *Retriever) SearchShelf(ctx context.Context) {
	r.local = make(chan shelved, 1)
	if !r.Task.WantsShelf() {
		r.local <- shelved{}
		return
	}
	query := queries.Standalone(r.Task.Question.Text, r.Task.History)
	go func() {
		h, err := r.lookInFiles(ctx, query, ShelfPassages, anyAlike)
		r.local <- shelved{h.Found, err}
	}()
}

// TakeShelf adds what the local search brought and is alike enough, as SearchFiles
// would have given it.
func (r *Retriever) TakeShelf(ctx context.Context, alike float64) {
	shelf := await(ctx, r.local)
	r.Add(Results{Found: alikeEnough(shelf.found, alike)})
	r.explainShelf(shelf.err)
}

// CanRead reports whether pages can be read at all.
func (r *Retriever) CanRead() bool { return r.Deps.Reader != nil }

func ShelfCards(found []evidence.Found) []contract.LeadCard {
	seen := map[evidence.SourceID]bool{}
	cards := []contract.LeadCard{}
	for _, f := range found {
		if seen[f.Source.ID] || len(cards) == 5 {
			continue
		}
		seen[f.Source.ID] = true
		cards = append(cards, contract.LeadCard{
			Source: f.Source.ID, Title: f.Source.Title, Address: f.Source.Address, Snippet: plain.Excerpt(f.Passage.Text, CardSnippet),
			Published: DateOf(f.Source.Published), Score: f.Score.Fused,
		})
	}
	return cards
}

// Gather asks the web and waits for both sides. The web does not wait for the
// shelf; either may fail and the other still answers.
func (r *Retriever) Gather(ctx context.Context) {
	r.Tell.Begin(contract.StageGather)
	var web sync.WaitGroup
	if r.Plan.Search {
		web.Go(func() { r.searchWeb(ctx) })
	}
	shelf := await(ctx, r.local)
	if r.Plan.Shelf {
		r.Task.ReadFiles(shelf.found)
		r.Evidence.Found = shelf.found
		r.explainShelf(shelf.err)
		r.tellUnfound(ctx)
		r.Evidence.Empty = len(shelf.found) == 0 && shelf.err == nil && r.nothingToRead(ctx)
	}
	web.Wait()
	if r.Plan.Search {
		r.ExplainSearch() // what failed weighs by what both sides found
	}
	r.Tell.Counters.Sources = len(r.Evidence.Leads) + len(r.Evidence.Found)
	r.Tell.Emit(r.Tell.Counters)
	r.Tell.Timing.Gather = r.Tell.Finish(len(r.Plan.Queries), len(r.Evidence.Leads)+len(r.Evidence.Found))
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

// Unfinished is a Shelf that may not find everything yet: while files are read, and
// while its index is filled again. Unfound says so in a sentence, empty for nothing.
type Unfinished interface {
	Unfound(ctx context.Context) (string, error)
}

// tellUnfound says what the search of the reader's files could not find yet.
func (r *Retriever) tellUnfound(ctx context.Context) {
	shelf, can := r.Deps.Shelf.(Unfinished)
	if !can {
		return
	}
	if said, err := shelf.Unfound(ctx); err == nil && said != "" { // a catalog that fails is told by the search
		r.Tell.Notice(contract.Notice{Code: "index-rebuilding", Level: "info", Message: said})
	}
}

// explainShelf says that the reader's files were not searched, and why: an
// answer without them is not one that found nothing in them.
func (r *Retriever) explainShelf(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	r.Evidence.ShelfError = fault.Of(err)
	r.Tell.Notice(contract.Notice{Code: "search-partial", Level: "warn", Message: "Your files were not searched. " + r.Evidence.ShelfError.Message})
}

// searchWeb collects leads for the queries of the plan, and for the question as
// typed where that was asked early.
func (r *Retriever) searchWeb(ctx context.Context) {
	var sets [][]evidence.Lead
	beside := r.askBeside(ctx)
	early := r.Early.results(ctx)
	if !r.Early.Covers(r.Plan.Queries) {
		for _, query := range r.Plan.Queries {
			sets = append(sets, r.Take(r.Ask(ctx, r.Task.WebQuery(query, 1), r.Task.WebEngines()))...)
		}
	}
	r.Early.end() // not before: the encoder may read while engines are asked
	sets = append(sets, r.Take(early)...)
	for _, results := range beside() {
		sets = append(sets, r.Take(results)...)
	}
	r.Evidence.Leads = r.Task.Unblocked(rank.FuseLeads(sets...))
	if n := max(1, r.Task.Settings.Web.Candidates); len(r.Evidence.Leads) > n {
		r.Evidence.Leads = r.Evidence.Leads[:n]
	}
}

// Ask puts a query to the engines and tells what each found. Several may run
// beside each other.
func (r *Retriever) Ask(ctx context.Context, q WebQuery, names []string) []EngineResult {
	var results []EngineResult
	if q.Text = r.Task.Sendable(q.Text); q.Text == "" {
		return []EngineResult{{Err: ErrWithheld}}
	}
	q = bound(r.Task.Question, q)
	r.Deps.Web.Search(privacy.WithPurpose(ctx, "search"), q, names, func(result EngineResult) {
		result.Leads = allowed(r.Task.Question, result.Leads)
		for i := range result.Leads {
			result.Leads[i].Source.ID = evidence.NewSourceID(result.Leads[i].Source.Kind, result.Leads[i].Source.Address, "")
		}
		if q.Page > 1 && Ended(result.Err) && ctx.Err() != nil {
			return // it came too late
		}
		body := contract.FoundLeads{Query: q.Text, Engine: result.Engine, Count: len(result.Leads), Ms: result.Took.Milliseconds(), Leads: leadCards(result.Leads), Dimension: r.Task.Part}
		if result.Err != nil && !(Ended(result.Err) && ctx.Err() != nil) {
			body.Error = FailureOf(result.Err)
			r.Tell.Log.Warn("search the web", "engine", result.Engine, "err", result.Err)
		}
		if slow := time.Duration(r.Task.Settings.Web.CloseMs) * time.Millisecond; slow > 0 && result.Took >= slow {
			r.Tell.Log.Warn("slow search", "engine", result.Engine, "took", result.Took)
		}
		r.Tell.Emit(body)
		results = append(results, result)
	})
	return results
}

// Take notes which engines answered and which failed, and gives the leads.
func (r *Retriever) Take(results []EngineResult) [][]evidence.Lead {
	if len(results) > 0 {
		r.Tell.Counters.Searches++
	}
	for _, result := range results {
		if result.Err != nil && !(Ended(result.Err) && r.Tell.CutShort()) {
			r.Evidence.WebError = result.Err
		}
		if result.Engine != "" && !slices.Contains(r.Evidence.Engines, result.Engine) {
			r.Evidence.Engines = append(r.Evidence.Engines, result.Engine)
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

// ExplainSearch says what a failed search means for the answer.
func (r *Retriever) ExplainSearch() {
	if r.Evidence.WebError == nil || r.Tell.CutShort() {
		return
	}
	f := fault.Of(r.Evidence.WebError)
	code := "search-partial"
	switch {
	case f.Code == fault.Offline || f.Code == fault.LocalOnly:
		code = "offline"
	case len(r.Evidence.Leads) == 0:
		code = "search-blocked"
	}
	if f.Code == fault.Offline && r.Plan.Shelf {
		r.Tell.Notice(contract.Notice{Code: code, Level: "warn", Message: "You are offline; only your files were searched."})
		return
	}
	rest := " The answer rests on the others."
	switch {
	case len(r.Evidence.Leads) == 0 && len(r.Evidence.Found) == 0:
		rest = "" // there is nothing that an answer could rest on
	case len(r.Evidence.Leads) == 0:
		rest = " The answer rests on your files."
	}
	r.Tell.Notice(contract.Notice{Code: code, Level: "warn", Message: f.Message + rest})
}

// Interleave merges result sets by position: every engine's first before any
// second.
func Interleave(sets [][]evidence.Lead) []evidence.Lead {
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

func leadCards(leads []evidence.Lead) []contract.LeadCard {
	cards := make([]contract.LeadCard, 0, len(leads))
	for _, l := range leads {
		cards = append(cards, contract.LeadCard{
			Source: l.Source.ID, Title: l.Source.Title, Address: l.Source.Address, Domain: evidence.Domain(l.Source.Address),
			Snippet: plain.OneLine(l.Snippet, CardSnippet), Published: DateOf(l.Source.Published), Score: l.Score,
		})
	}
	return cards
}

func FailureOf(err error) *contract.Failure {
	f := fault.Of(err)
	return &contract.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}

func DateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// nothingToRead reports whether the files that were to be searched have no text at
// all. A shelf that cannot say has some.
func (r *Retriever) nothingToRead(ctx context.Context) bool {
	stocked, can := r.Deps.Shelf.(Stocked)
	if !can {
		return false
	}
	n, err := stocked.Stock(ctx, r.Task.Question.Scope)
	if err != nil {
		r.Tell.Log.Warn("count texts", "err", err)
	}
	return err == nil && n == 0
}

// Ended reports whether err only says that ctx was cut short.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
