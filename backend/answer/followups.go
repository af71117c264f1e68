package answer

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
)

const followUpTime = 4 * time.Second

// suggestion is what the system model proposes to ask next.
type suggestion struct {
	questions []string
	usage     *llm.Usage // nil when nothing was asked
}

// suggest asks for follow-up questions beside the check; the channel gives
// them, or nothing, exactly once.
func (p *Pipeline) suggest(ctx context.Context, text string) <-chan suggestion {
	out := make(chan suggestion, 1)
	if p.Task.Question.Mode == contract.ModeSpeed || p.Models.System.Model == nil || p.Task.Settings.Ask.FollowUps == 0 || p.Tell.CutShort() {
		out <- suggestion{}
		return out
	}
	go func() {
		ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "follow-ups"), followUpTime)
		defer cancel()
		said, usage, err := llm.Complete(ctx, p.Models.System, llm.Call{Messages: prompts.FollowUps(p.Task.Question.Text, text), MaxTokens: 300, Purpose: "follow-ups"})
		if err != nil {
			p.Tell.Log.Info("no follow-up questions", "err", err)
		}
		out <- suggestion{parseFollowUps(said), &usage}
	}()
	return out
}

// propose publishes the follow-up questions once they are there.
func (p *Pipeline) propose(next suggestion) []string {
	if next.usage != nil {
		p.Tell.Count(&p.Tell.Usage.System, p.Models.System.Name, *next.usage)
		p.Tell.Emit(contract.FollowUps{Questions: plain.Full(next.questions)})
	}
	return next.questions
}

// parseFollowUps reads a JSON array of questions out of what a model said.
// Anything else gives nothing.
func parseFollowUps(said string) []string {
	start, end := strings.IndexByte(said, '['), strings.LastIndexByte(said, ']')
	if start < 0 || end < start {
		return nil
	}
	var questions []string
	if json.Unmarshal([]byte(said[start:end+1]), &questions) != nil {
		return nil
	}
	var out []string
	for _, q := range questions {
		if q = plain.OneLine(q, 200); q != "" && len(out) < 3 {
			out = append(out, q)
		}
	}
	return out
}
