package gather

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// What searches and reading bring in the modes that look several times. They
// change nothing of the run themselves, so that several may go on beside each
// other; add appends what they brought to the evidence, one after another.

const (
	readPerSearch = 3   // pages of a search that are read at once
	ExcerptRunes  = 700 // of a page or passage, as a model is shown it
)

// Results are what one search, or reading one page, brought. All of it may be cited
// once it is added.
type Results struct {
	Query     string         // what was looked for; evidence is ranked by it as well
	Engines   []EngineResult // of the engines that were asked
	Leads     []evidence.Lead
	Documents []evidence.Document
	Found     []evidence.Found
	Usage     *llm.Usage // of the system model; nil when it was not asked

	Told  string // as a model is told it: quotations
	Shown string // in one line, for the reader
}

// SearchWith asks the engines and reads the best pages at once. The results name
// the query only when something came.
func (r *Retriever) SearchWith(ctx context.Context, q WebQuery, names []string) Results {
	var h Results
	h.Engines = r.Ask(ctx, q, names)
	h.Leads = rank.FuseLeads(leadsOf(h.Engines)...)
	if len(h.Leads) > q.N {
		h.Leads = h.Leads[:q.N]
	}
	if len(h.Leads) == 0 {
		return h
	}
	h.Query = q.Text
	unread := slices.DeleteFunc(slices.Clone(h.Leads), func(lead evidence.Lead) bool {
		_, read := r.Evidence.PageAt(lead.Source.Address)
		return read
	})
	h.Documents = r.FetchPages(ctx, r.Scorer.bestOf(ctx, q.Text, unread, readPerSearch), r.Task.ReadWait())
	return h
}

// anyAlike lets passages be as unlike the question as they may be.
const anyAlike = -1

// SearchFiles searches the reader's files; what is not alike enough is left out.
func (r *Retriever) SearchFiles(ctx context.Context, query string, n int, alike float64) (Results, error) {
	h, err := r.lookInFiles(ctx, query, n, alike)
	r.Task.ReadFiles(h.Found)
	return h, err
}

// lookInFiles is SearchFiles for what nobody who asks for searches is shown yet:
// whoever shows it notes that files were read.
func (r *Retriever) lookInFiles(ctx context.Context, query string, n int, alike float64) (Results, error) {
	ctx, cancel := context.WithTimeout(ctx, shelfDeadline)
	defer cancel()
	r.Tell.Emit(contract.Searching{Query: query, Engine: "library", Page: 1, Dimension: r.Task.Part})
	began := r.Tell.Now()
	found, err := searchShelf(ctx, r.Deps.Shelf, query, r.Task.Question.Scope, n)
	found = alikeEnough(found, alike)
	found = found[:min(n, len(found))]
	body := contract.FoundLeads{Query: query, Engine: "library", Count: len(found), Ms: r.Tell.Now().Sub(began).Milliseconds(), Leads: ShelfCards(found), Dimension: r.Task.Part}
	if err != nil {
		body.Error = FailureOf(err)
		r.Tell.Log.Warn("search the library", "err", err)
	}
	r.Tell.Emit(body)
	return Results{Query: query, Found: found}, err
}

// alikeEnough leaves out passages whose vectors are less alike a query than that.
func alikeEnough(found []evidence.Found, alike float64) []evidence.Found {
	return slices.DeleteFunc(found, func(f evidence.Found) bool { return f.Score.Vector && f.Score.Cosine < alike })
}

// PageAt is the page of an address that this run has read.
func (e *Evidence) PageAt(address string) (evidence.Document, bool) {
	want := rank.NormalizeURL(address)
	at := slices.IndexFunc(e.Documents, func(doc evidence.Document) bool { return rank.NormalizeURL(doc.Source.Address) == want })
	if at < 0 {
		return evidence.Document{}, false
	}
	return e.Documents[at], true
}

// LeadAt is the search result of this run with an address.
func (e *Evidence) LeadAt(address string) (evidence.Lead, bool) {
	want := rank.NormalizeURL(address)
	at := slices.IndexFunc(e.Leads, func(l evidence.Lead) bool { return rank.NormalizeURL(l.Source.Address) == want })
	if at < 0 {
		return evidence.Lead{}, false
	}
	return e.Leads[at], true
}

// Add appends results to the evidence of the run and tells how much of it is new.
func (r *Retriever) Add(h Results) (fresh int) {
	r.Take(h.Engines)
	for _, lead := range h.Leads {
		if _, known := r.Evidence.LeadAt(lead.Source.Address); !known {
			r.Evidence.Leads = append(r.Evidence.Leads, lead)
			fresh++
		}
	}
	for _, doc := range h.Documents {
		if _, known := r.Evidence.PageAt(doc.Source.Address); !known {
			r.Evidence.Documents = append(r.Evidence.Documents, doc)
			fresh++
		}
	}
	r.Task.ReadFiles(h.Found)
	for _, f := range h.Found {
		if !slices.ContainsFunc(r.Evidence.Found, func(g evidence.Found) bool { return g.Passage.ID == f.Passage.ID }) {
			r.Evidence.Found = append(r.Evidence.Found, f)
			fresh++
		}
	}
	if h.Usage != nil {
		r.Tell.Count(&r.Tell.Usage.System, r.Models.System.Name, *h.Usage)
	}
	r.addFacet(h.Query)
	r.Tell.Counters.Sources, r.Tell.Counters.Pages = len(r.Evidence.Leads)+len(r.Evidence.Found), len(r.Evidence.Documents)
	return fresh
}

// addFacet notes one more thing that was looked for. The same words in another
// order are the same.
func (r *Retriever) addFacet(query string) {
	terms := plain.Distinct(rank.Terms(query))
	same := func(other string) bool { return slices.Equal(plain.Distinct(rank.Terms(other)), terms) }
	if len(terms) > 0 && !same(r.Plan.Standalone) && !slices.ContainsFunc(r.Evidence.Facets, same) {
		r.Evidence.Facets = append(r.Evidence.Facets, query)
	}
}

// Excerpt is what of a page speaks to a query, at most n characters.
func (r *Retriever) Excerpt(doc evidence.Document, query string, n int) string {
	passages := r.Task.SplitDocument(doc, rank.Candidate{})
	if len(passages) == 0 {
		return ""
	}
	texts := make([]string, len(passages))
	for i, c := range passages {
		texts[i] = RankText(c)
	}
	scores := rank.NewBM25(texts).Scores(query)
	order := make([]int, len(passages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	var parts []string
	for _, at := range order {
		text := strings.TrimSpace(passages[at].Passage.Text)
		if n -= utf8.RuneCountInString(text); n < 0 && len(parts) > 0 {
			break
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n")
}
