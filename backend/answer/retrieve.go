package answer

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

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

// searchWith asks the engines and reads the best pages at once. The results name
// the query only when something came.
func (p *Retriever) SearchWith(ctx context.Context, q WebQuery, names []string) Results {
	var h Results
	h.Engines = p.Ask(ctx, q, names)
	h.Leads = rank.FuseLeads(leadsOf(h.Engines)...)
	if len(h.Leads) > q.N {
		h.Leads = h.Leads[:q.N]
	}
	if len(h.Leads) == 0 {
		return h
	}
	h.Query = q.Text
	unread := slices.DeleteFunc(slices.Clone(h.Leads), func(lead evidence.Lead) bool {
		_, read := p.Evidence.PageAt(lead.Source.Address)
		return read
	})
	h.Documents = p.FetchPages(ctx, p.scorer.bestOf(ctx, q.Text, unread, readPerSearch), p.Task.ReadWait())
	return h
}

// anyAlike lets passages be as unlike the question as they may be.
const anyAlike = -1

// searchFiles searches the reader's files; what is not alike enough is left out.
func (p *Retriever) SearchFiles(ctx context.Context, query string, n int, alike float64) (Results, error) {
	ctx, cancel := context.WithTimeout(ctx, shelfDeadline)
	defer cancel()
	p.Tell.Emit(Searching{Query: query, Engine: "library", Page: 1, Dimension: p.Task.Part})
	began := p.Tell.Now()
	found, err := p.deps.Shelf.Search(ctx, query, p.Task.Question.Scope, n)
	found = slices.DeleteFunc(found, func(f evidence.Found) bool { return f.Score.Vector && f.Score.Cosine < alike })
	found = found[:min(n, len(found))]
	body := FoundLeads{Query: query, Engine: "library", Count: len(found), Ms: p.Tell.Now().Sub(began).Milliseconds(), Leads: shelfCards(found), Dimension: p.Task.Part}
	if err != nil {
		body.Error = failureOf(err)
		p.Tell.Log.Warn("search the library", "err", err)
	}
	p.Tell.Emit(body)
	return Results{Query: query, Found: found}, err
}

// pageAt is the page of an address that this run has read.
func (e *Evidence) PageAt(address string) (evidence.Document, bool) {
	want := rank.NormalizeURL(address)
	at := slices.IndexFunc(e.Documents, func(doc evidence.Document) bool { return rank.NormalizeURL(doc.Source.Address) == want })
	if at < 0 {
		return evidence.Document{}, false
	}
	return e.Documents[at], true
}

// leadAt is the search result of this run with an address.
func (e *Evidence) LeadAt(address string) (evidence.Lead, bool) {
	want := rank.NormalizeURL(address)
	at := slices.IndexFunc(e.Leads, func(l evidence.Lead) bool { return rank.NormalizeURL(l.Source.Address) == want })
	if at < 0 {
		return evidence.Lead{}, false
	}
	return e.Leads[at], true
}

// add appends results to the evidence of the run and tells how much of it is new.
func (p *Retriever) Add(h Results) (fresh int) {
	p.Take(h.Engines)
	for _, lead := range h.Leads {
		if _, known := p.Evidence.LeadAt(lead.Source.Address); !known {
			p.Evidence.Leads = append(p.Evidence.Leads, lead)
			fresh++
		}
	}
	for _, doc := range h.Documents {
		if _, known := p.Evidence.PageAt(doc.Source.Address); !known {
			p.Evidence.Documents = append(p.Evidence.Documents, doc)
			fresh++
		}
	}
	for _, f := range h.Found {
		if !slices.ContainsFunc(p.Evidence.Found, func(g evidence.Found) bool { return g.Passage.ID == f.Passage.ID }) {
			p.Evidence.Found = append(p.Evidence.Found, f)
			fresh++
		}
	}
	if h.Usage != nil {
		p.Tell.Count(&p.Tell.Usage.System, p.Models.System.Name, *h.Usage)
	}
	p.addFacet(h.Query)
	p.Tell.Counters.Sources, p.Tell.Counters.Pages = len(p.Evidence.Leads)+len(p.Evidence.Found), len(p.Evidence.Documents)
	return fresh
}

// addFacet notes one more thing that was looked for. The same words in another
// order are the same.
func (p *Retriever) addFacet(query string) {
	terms := plain.Distinct(rank.Terms(query))
	same := func(other string) bool { return slices.Equal(plain.Distinct(rank.Terms(other)), terms) }
	if len(terms) > 0 && !same(p.Plan.Standalone) && !slices.ContainsFunc(p.Evidence.Facets, same) {
		p.Evidence.Facets = append(p.Evidence.Facets, query)
	}
}

// excerpt is what of a page speaks to a query, at most n characters.
func (p *Retriever) Excerpt(doc evidence.Document, query string, n int) string {
	passages := p.Task.splitDocument(doc, rank.Candidate{})
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
