package answer

import (
	"strings"

	"footnote/backend/evidence"
)

// logChoices writes to the log what an answer rests on, where debug.llm or
// debug.web ask for it. Of a private conversation nothing is written.
func (p *pipeline) logChoices() {
	if p.task.Question.Private {
		return
	}
	if p.task.Settings.Debug.LLM {
		p.tell.Log.Info("models", "chat", p.models.Chat.Name, "system", p.models.System.Name, "calls", p.tell.Usage.Chat.Calls+p.tell.Usage.System.Calls,
			"prompt_tokens", p.tell.Usage.Chat.Prompt+p.tell.Usage.System.Prompt, "reply_tokens", p.tell.Usage.Chat.Completion+p.tell.Usage.System.Completion)
	}
	if p.task.Settings.Debug.Web {
		local, web := 0, 0
		for _, c := range p.selection.Chosen {
			if c.Source.Kind == evidence.File || c.Source.Kind == evidence.Pasted {
				local++
			} else {
				web++
			}
		}
		p.tell.Log.Info("search", "web", p.task.Question.Web && !p.task.Question.Offline, "files", strings.Join(p.task.Question.Scope.Files, " "), "queries", strings.Join(p.plan.Queries, " · "),
			"engines", strings.Join(p.evidence.Engines, " "), "results", len(p.evidence.Leads), "internal", local, "web_passages", web)
	}
}
