package gather

import (
	"context"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// What a question may say about the web it wants to be answered from, and about
// a conversation that is kept elsewhere: other programs ask with these.

// bound narrows what an engine is asked to what the question allows. One wanted
// domain is named to the engine; whatever it answers, the leads are held against
// the bounds as well.
func bound(q contract.Question, w WebQuery) WebQuery {
	if w.Since == "" {
		w.Since = q.Since
	}
	if wanted := wantedDomains(q); len(wanted) == 1 && !strings.Contains(w.Text, "site:") {
		w.Text += " site:" + wanted[0]
	}
	return w
}

func wantedDomains(q contract.Question) []string {
	return slices.DeleteFunc(slices.Clone(q.Domains), func(d string) bool { return strings.HasPrefix(d, "-") })
}

// allowed gives the leads that lie within the question's domains; a domain means
// its subdomains too.
func allowed(q contract.Question, leads []evidence.Lead) []evidence.Lead {
	if len(q.Domains) == 0 {
		return leads
	}
	wanted := wantedDomains(q)
	var kept []evidence.Lead
	for _, l := range leads {
		host := evidence.Domain(l.Source.Address)
		within := func(domain string) bool {
			return host == domain || strings.HasSuffix(host, "."+domain)
		}
		refused := slices.ContainsFunc(q.Domains, func(d string) bool { return strings.HasPrefix(d, "-") && within(d[1:]) })
		if !refused && (len(wanted) == 0 || slices.ContainsFunc(wanted, within)) {
			kept = append(kept, l)
		}
	}
	return kept
}

// askBeside asks the engines of the further focuses while those of the question's
// own are asked; the returned function waits for what they found.
func (r *Retriever) askBeside(ctx context.Context) (wait func() [][]EngineResult) {
	if len(r.Task.Question.Beside) == 0 || len(r.Plan.Queries) == 0 {
		return func() [][]EngineResult { return nil }
	}
	results := make([][]EngineResult, len(r.Task.Question.Beside))
	var asked sync.WaitGroup
	for i, focus := range r.Task.Question.Beside {
		asked.Go(func() { results[i] = r.Ask(ctx, r.Task.WebQuery(r.Plan.Queries[0], 1), r.Task.enginesOf(focus)) })
	}
	return func() [][]EngineResult { asked.Wait(); return results }
}
