package answer

import (
	"context"

	"footnote/backend/rank"
)

// encodeAhead has the sentence encoder read the snippets that an early search
// found, as far as they will be candidates, while the question is still being
// reworded: what is asked of it then is at hand.
func (p *Retriever) encodeAhead(ctx context.Context, query string, found []EngineResult) {
	if p.Task.Question.Mode != ModeSpeed && p.Task.Question.Mode != ModeBalanced || p.scorer.deps.Meaning == nil {
		return
	}
	leads := p.scorer.candidateLeads(ctx, query, p.Task.Unblocked(rank.FuseLeads(leadsOf(found)...)), &Evidence{})
	web := p.Task.candidatesOf(nil, leads)
	p.scorer.scoreWeb(ctx, query, web)
	p.scorer.encode(ctx, query, web)
}
