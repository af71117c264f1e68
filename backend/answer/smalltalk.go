package answer

import (
	"strings"

	"footnote/backend/answer/intent"
	"footnote/backend/lang"
)

// intentOf tells what the question is, as far as that needs no search. What comes
// along with it, or was said before, may be what it is about.
func (p *pipeline) intentOf() (intent.Intent, lang.Code) {
	if p.q.Focus == FocusWriting {
		return intent.Search, lang.Unknown
	}
	spoken := len(p.history) > 0 || p.q.Context != "" || !p.q.Scope.Empty()
	return intent.Of(p.q.Text, spoken, p.q.Replaces != "")
}

// smallTalk replies at once to greetings, thanks and questions about Footnote:
// nothing is searched, and no model is asked. done is false for other messages.
func (p *pipeline) smallTalk() (a Answer, done bool) {
	is, code := p.intentOf()
	text := intent.Reply(p.replyIn(code), is)
	if is == intent.Search || text == "" {
		return Answer{}, false
	}
	p.begin(StagePlan)
	p.plan = plan{Planned: Planned{Standalone: p.q.Text, Queries: []string{}, By: "rules", Reason: "small talk needs no search"}}
	if is == intent.About {
		p.plan.Reason = "it is about Footnote itself"
	}
	p.choosePreset()
	p.emit(p.plan.Planned)
	p.timing.Plan = p.finish(0, 0)
	p.begin(StageCompose)
	p.notice(Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	p.say(text)
	p.timing.Compose = p.finish(0, 1)
	return p.conclude(text, Chatted, nil, noReport(), nil), true
}

// replyIn is the language of a reply: the one that the reader chose, else that of
// the message.
func (p *pipeline) replyIn(code lang.Code) lang.Code {
	chosen, _, _ := strings.Cut(strings.ToLower(p.q.Language), "-")
	if lang.Code(chosen).Known() {
		return lang.Code(chosen)
	}
	return code
}
