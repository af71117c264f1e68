package answer

import (
	"strings"

	"footnote/backend/evidence"
)

// logChoices writes to the log what an answer rests on, where debug.llm or
// debug.web ask for it. Of a private conversation nothing is written.
func (p *Pipeline) logChoices() {
	if p.Task.Question.Private {
		return
	}
	if p.Task.Settings.Debug.LLM {
		p.Tell.Log.Info("models", "chat", p.Models.Chat.Name, "system", p.Models.System.Name, "calls", p.Tell.Usage.Chat.Calls+p.Tell.Usage.System.Calls,
			"prompt_tokens", p.Tell.Usage.Chat.Prompt+p.Tell.Usage.System.Prompt, "reply_tokens", p.Tell.Usage.Chat.Completion+p.Tell.Usage.System.Completion)
	}
	if p.Task.Settings.Debug.Web {
		local, web := 0, 0
		for _, c := range p.Selection.Chosen {
			if c.Source.Kind == evidence.File || c.Source.Kind == evidence.Pasted {
				local++
			} else {
				web++
			}
		}
		p.Tell.Log.Info("search", "web", p.Task.Question.Web && !p.Task.Question.Offline, "files", strings.Join(p.Task.Question.Scope.Files, " "), "queries", strings.Join(p.Plan.Queries, " · "),
			"engines", strings.Join(p.Evidence.Engines, " "), "results", len(p.Evidence.Leads), "internal", local, "web_passages", web)
	}
}
