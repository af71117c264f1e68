package answer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// enginePrior is what the first place in an engine's list is worth against the
// likeness of title and snippet to the question.
const enginePrior = 0.3

// ScoreDeps are the encoders that score.
type ScoreDeps struct {
	Embedder llm.Embedder
	Meaning  Meaning
}

// scorer says how well candidates fit a query.
type scorer struct {
	deps ScoreDeps
	task *Task
	tell *journal.Teller
}

// bestLeads are the n leads of the run to read. The sentence encoder is asked
// where it has read their snippets ahead.
func (r *Retriever) bestLeads(ctx context.Context, n int) []evidence.Lead {
	query, leads := r.Plan.Standalone, r.Evidence.Leads
	if len(leads) <= n || r.early == nil || r.scorer.deps.Meaning == nil {
		return r.scorer.bestOf(ctx, query, leads, n)
	}
	leads = r.scorer.fitting(ctx, query, leads, maxSnippets)
	cands := r.scorer.snippetsOf(ctx, query, leads)
	r.scorer.encode(ctx, query, cands)
	return pick(leads, byFit(cands, r.scorer.gatesOf(query).Encoder)[:min(n, len(leads))])
}

// candidateLeads are the leads whose snippets are candidates beside the pages
// that were read.
func (s *scorer) candidateLeads(ctx context.Context, query string, leads []evidence.Lead, in *Evidence) []evidence.Lead {
	unread := slices.DeleteFunc(slices.Clone(leads), func(lead evidence.Lead) bool {
		_, read := in.PageAt(lead.Source.Address)
		return read || strings.TrimSpace(lead.Snippet) == ""
	})
	return s.fitting(ctx, query, unread, maxSnippets*(1+len(in.Facets)))
}

// fitting are the n of leads that fit a query best, in the order they came.
func (s *scorer) fitting(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	if len(leads) <= n {
		return leads
	}
	order := byFit(s.snippetsOf(ctx, query, leads), rank.WordsOnly)[:n]
	slices.Sort(order)
	return pick(leads, order)
}

// bestOf are the n of leads whose title and snippet fit a query best, best first,
// as far as the engines do not know better.
func (s *scorer) bestOf(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	if len(leads) <= n {
		return leads
	}
	return pick(leads, byFit(s.snippetsOf(ctx, query, leads), rank.WordsOnly)[:n])
}

// BestOf are the n of leads that fit a query best, best first.
func (r *Retriever) BestOf(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	return r.scorer.bestOf(ctx, query, leads, n)
}

func pick(leads []evidence.Lead, order []int) []evidence.Lead {
	out := make([]evidence.Lead, len(order))
	for i, at := range order {
		out[i] = leads[at]
	}
	return out
}

// snippetsOf are the snippets of leads as candidates, scored for a query.
func (s *scorer) snippetsOf(ctx context.Context, query string, leads []evidence.Lead) []rank.Candidate {
	cands := make([]rank.Candidate, len(leads))
	for i, lead := range leads {
		cands[i] = snippetCandidate(lead, lead.Snippet, i)
	}
	s.scoreWeb(ctx, query, cands)
	return cands
}

// byFit lists the places of snippets, best first: by S1, or S2 with the gate of
// the sentence encoder where that spoke for them, and by the order of the engines.
func byFit(cands []rank.Candidate, encoder rank.Gate) []int {
	best, encoded := 0.0, false
	for _, c := range cands {
		best, encoded = max(best, c.Score.BM25), encoded || c.Score.Encoded
	}
	scores, order := make([]float64, len(cands)), make([]int, len(cands))
	for i, c := range cands {
		words := c.Score.BM25 / max(best, math.SmallestNonzeroFloat64)
		scores[i], order[i] = enginePrior*(1-float64(i)/float64(len(cands))), i
		switch {
		case encoded && !c.Score.Encoded: // its cosine is another model's
		case encoded:
			scores[i] += rank.S2(encoder, words, c.Score.Cosine)
		case best > 0:
			scores[i] += rank.S1(words, c.Score.Cosine)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
