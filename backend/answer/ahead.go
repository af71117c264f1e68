package answer

import (
	"context"

	"footnote/backend/rank"
)

// encodeAhead has the sentence encoder read the snippets that an early search
// found, as far as they will be candidates, while the question is still being
// reworded: what is asked of it then is at hand.
func (p *pipeline) encodeAhead(ctx context.Context, query string, found []EngineResult) {
	if p.task.Question.Mode != ModeSpeed && p.task.Question.Mode != ModeBalanced || p.engine.Meaning == nil {
		return
	}
	leads := p.candidateLeads(ctx, query, p.unblocked(rank.FuseLeads(leadsOf(found)...)))
	web := p.candidatesOf(nil, leads)
	p.scoreWeb(ctx, query, web)
	p.encode(ctx, query, web)
}
