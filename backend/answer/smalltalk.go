package answer

import (
	"strings"

	"footnote/backend/answer/intent"
	"footnote/backend/lang"
)

// intentOf tells what the question is, as far as that needs no search. What comes
// along with it, or was said before, may be what it is about.
func (p *pipeline) intentOf() (intent.Intent, lang.Code) {
	if p.task.Question.Focus == FocusWriting {
		return intent.Search, lang.Unknown
	}
	spoken := len(p.task.History) > 0 || p.task.Question.Context != "" || !p.task.Question.Scope.Empty()
	return intent.Of(p.task.Question.Text, spoken, p.task.Question.Replaces != "")
}

// smallTalk replies at once to greetings, thanks and questions about Footnote:
// nothing is searched, and no model is asked. done is false for other messages.
func (p *pipeline) smallTalk() (a Answer, done bool) {
	is, code := p.intentOf()
	text := intent.Reply(p.replyIn(code), is)
	if is == intent.Search || text == "" {
		return Answer{}, false
	}
	p.tell.begin(StagePlan)
	p.plan = Plan{Planned: Planned{Standalone: p.task.Question.Text, Queries: []string{}, By: "rules", Reason: "small talk needs no search"}}
	if is == intent.About {
		p.plan.Reason = "it is about Footnote itself"
	}
	p.choosePreset()
	p.tell.emit(p.plan.Planned)
	p.tell.timing.Plan = p.tell.finish(0, 0)
	p.tell.begin(StageCompose)
	p.tell.notice(Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	p.tell.say(text)
	p.tell.timing.Compose = p.tell.finish(0, 1)
	return p.conclude(text, Chatted, nil, noReport(), nil), true
}

// replyIn is the language of a reply: the one that the reader chose, else that of
// the message.
func (p *pipeline) replyIn(code lang.Code) lang.Code {
	chosen, _, _ := strings.Cut(strings.ToLower(p.task.Question.Language), "-")
	if lang.Code(chosen).Known() {
		return lang.Code(chosen)
	}
	return code
}
