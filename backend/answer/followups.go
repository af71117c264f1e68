package answer

import (
	"context"
	"time"

	"footnote/backend/llm"
	"footnote/backend/plain"
)

const followUpTime = 4 * time.Second

// suggestion is what the system model proposes to ask next.
type suggestion struct {
	questions []string
	usage     *llm.Usage // nil when nothing was asked
}

// suggest asks for follow-up questions beside the check; the channel gives
// them, or nothing, exactly once.
func (p *pipeline) suggest(ctx context.Context, text string) <-chan suggestion {
	out := make(chan suggestion, 1)
	if p.task.Question.Mode == ModeSpeed || p.models.System.Model == nil || p.task.Settings.Ask.FollowUps == 0 || p.tell.CutShort() {
		out <- suggestion{}
		return out
	}
	go func() {
		ctx, cancel := context.WithTimeout(WithPurpose(ctx, "follow-ups"), followUpTime)
		defer cancel()
		said, usage, err := Complete(ctx, p.models.System, llm.Call{Messages: followUpMessages(p.task.Question.Text, text), MaxTokens: 300, Purpose: "follow-ups"})
		if err != nil {
			p.tell.Log.Info("no follow-up questions", "err", err)
		}
		out <- suggestion{parseFollowUps(said), &usage}
	}()
	return out
}

// propose publishes the follow-up questions once they are there.
func (p *pipeline) propose(next suggestion) []string {
	if next.usage != nil {
		p.tell.Count(&p.tell.Usage.System, p.models.System.Name, *next.usage)
		p.tell.Emit(FollowUps{Questions: plain.Full(next.questions)})
	}
	return next.questions
}
