package gather

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const NamedWait = 15 * time.Second // for pages that the reader asked for

// ReadNamed reads the pages a question names, in every mode. Where none can be
// read, what else the question says is searched for.
func (r *Retriever) ReadNamed(ctx context.Context) {
	r.Tell.Begin(contract.StageRead)
	for _, a := range r.Plan.Pages {
		r.Evidence.Leads = append(r.Evidence.Leads, evidence.Lead{Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, a, ""), Kind: evidence.Web, Title: evidence.Domain(a), Address: a, Seen: r.Tell.Now(),
		}, Via: "you"})
	}
	r.ReadAll(ctx, r.Evidence.Leads, NamedWait)
	switch {
	case len(r.Evidence.Documents) > 0 && r.Plan.Summary:
		r.Plan.Standalone = r.Evidence.Documents[0].Source.Title
	case len(r.Evidence.Documents) == 0 && !r.Plan.Summary && len(rank.Terms(r.Plan.Standalone)) >= 3:
		r.Tell.Notice(contract.Notice{Code: "page-unread", Level: "warn", Message: "The page in your question could not be read, so the web was searched."})
		r.Plan.Search, r.Plan.Queries = true, []string{queries.ByRules(r.Plan.Standalone, r.Tell.Now())}
		r.searchWeb(ctx)
		r.ExplainSearch()
		r.ReadAll(ctx, r.bestLeads(ctx, r.Task.Settings.Web.ReadPages), r.Task.ReadWait())
	}
	r.Tell.Counters.Sources = len(r.Evidence.Leads)
	r.Tell.Emit(r.Tell.Counters)
	r.Tell.Timing.Read = r.Tell.Finish(len(r.Evidence.Leads), len(r.Evidence.Documents))
}
