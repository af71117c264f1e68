package answer

import (
	"strings"

	"footnote/backend/answer/intent"
	"footnote/backend/lang"
)

// intentOf tells what the question is, as far as that needs no search. What comes
// along with it, or was said before, may be what it is about.
func (t *Task) intentOf() (intent.Intent, lang.Code) {
	if t.Question.Focus == FocusWriting {
		return intent.Search, lang.Unknown
	}
	spoken := len(t.History) > 0 || t.Question.Context != "" || !t.Question.Scope.Empty()
	return intent.Of(t.Question.Text, spoken, t.Question.Replaces != "")
}

// smallTalk replies at once to greetings, thanks and questions about Footnote:
// nothing is searched, and no model is asked. done is false for other messages.
func (p *pipeline) smallTalk() (a Answer, done bool) {
	is, code := p.task.intentOf()
	text := intent.Reply(p.task.replyIn(code), is)
	if is == intent.Search || text == "" {
		return Answer{}, false
	}
	reason := "small talk needs no search"
	if is == intent.About {
		reason = "it is about Footnote itself"
	}
	p.plan = p.planning().decided(Planned{Standalone: p.task.Question.Text, Queries: []string{}, By: "rules", Reason: reason})
	p.tell.Begin(StageCompose)
	p.tell.Notice(Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	p.tell.say(text)
	p.tell.Timing.Compose = p.tell.Finish(0, 1)
	return p.conclude(text, Chatted, nil, noReport(), nil), true
}

// replyIn is the language of a reply: the one that the reader chose, else that of
// the message.
func (t *Task) replyIn(code lang.Code) lang.Code {
	chosen, _, _ := strings.Cut(strings.ToLower(t.Question.Language), "-")
	if lang.Code(chosen).Known() {
		return lang.Code(chosen)
	}
	return code
}
