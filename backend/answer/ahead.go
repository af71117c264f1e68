package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/rank"
)

// encodeAhead has the sentence encoder read the snippets that an early search
// found, as far as they will be candidates, while the question is still being
// reworded: what is asked of it then is at hand.
func (r *Retriever) encodeAhead(ctx context.Context, query string, found []EngineResult) {
	if r.Task.Question.Mode != contract.ModeSpeed && r.Task.Question.Mode != contract.ModeBalanced || r.scorer.deps.Meaning == nil {
		return
	}
	leads := r.scorer.candidateLeads(ctx, query, r.Task.Unblocked(rank.FuseLeads(leadsOf(found)...)), &Evidence{})
	web := r.Task.candidatesOf(nil, leads)
	r.scorer.scoreWeb(ctx, query, web)
	r.scorer.encode(ctx, query, web)
}
