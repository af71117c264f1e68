package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/intent"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/selection"
	"footnote/backend/lang"
)

// intentOf tells what the question is, as far as that needs no search. What comes
// along with it, or was said before, may be what it is about.
func intentOf(t *gather.Task, read func(text string) []float32) (intent.Intent, lang.Code) {
	if t.Question.Focus == contract.FocusWriting {
		return intent.Search, lang.Unknown
	}
	spoken := len(t.History) > 0 || t.Question.Context != "" || !t.Question.Scope.Empty()
	return intent.Of(t.Question.Text, spoken, t.Question.Replaces != "", read)
}

// smallTalk replies at once to greetings, thanks and questions about Footnote:
// nothing is searched, and no model is asked. What only looks like one about Footnote is
// asked of the files first, where there are any, and never of the web. done is false for other messages.
func (p *Pipeline) smallTalk(ctx context.Context) (a contract.Answer, done bool) {
	is, code := intentOf(p.Task, p.vector(ctx))
	text := intent.Reply(p.Task.ReplyIn(code), is)
	if is == intent.Search || text == "" {
		return contract.Answer{}, false
	}
	if is == intent.About && !intent.ByHeart(p.Task.Question.Text) && p.Task.Question.Mode != contract.ModeDeep && p.hasFiles(ctx) {
		p.introduction, p.Task.Question.Web = text, false
		return contract.Answer{}, false
	}
	reason := "small talk needs no search"
	if is == intent.About {
		reason = "it is about Footnote itself"
	}
	p.Plan = p.planning().decided(contract.Planned{Standalone: p.Task.Question.Text, Queries: []string{}, By: "rules", Reason: reason})
	return p.chat(text, contract.Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"}), true
}

// chat says a text that rests on nothing.
func (p *Pipeline) chat(text string, notices ...contract.Notice) contract.Answer {
	p.Tell.Begin(contract.StageCompose)
	for _, n := range notices {
		p.Tell.Notice(n)
	}
	p.Tell.Say(text)
	p.Tell.Timing.Compose = p.Tell.Finish(0, 1)
	return p.Conclude(text, contract.Chatted, nil, noReport(), nil)
}

// hasFiles reports whether the reader's files are to be searched and there are any.
func (p *Pipeline) hasFiles(ctx context.Context) bool {
	stocked, can := p.engine.Shelf.(gather.Stocked)
	if !can || !p.Task.WantsShelf() {
		return false
	}
	texts, err := stocked.Stock(ctx, p.Task.Question.Scope)
	if err != nil {
		p.Tell.Log.Warn("count the reader's files", "err", err)
	}
	return texts > 0
}

// introduced introduces Footnote to a question that is likely about it, unless the
// sources answer it: "How do I start the program?" may be asked of a handbook.
func (p *Pipeline) introduced(ctx context.Context) (a contract.Answer, done bool) {
	if p.introduction == "" {
		return contract.Answer{}, false
	}
	found := p.Selection.Quotation
	if found == nil {
		found = p.selecting().Extracted(ctx)
	}
	if found.State != quote.None {
		return contract.Answer{}, false
	}
	p.Selection = selection.Selection{}
	return p.chat(p.introduction), true
}

// vector reads messages by the sentence encoder, nil where there is none.
func (p *Pipeline) vector(ctx context.Context) func(text string) []float32 {
	if p.engine.Meaning == nil {
		return nil
	}
	return func(text string) []float32 { return p.engine.Meaning.Vector(ctx, text) }
}
