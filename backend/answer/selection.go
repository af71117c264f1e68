package answer

import (
	"context"
	"strings"

	"footnote/backend/answer/contract"
)

// A browser's assistant button puts a page and what is selected on it into one
// message. Its form is fixed: it begins with the page and marks the selection.
const (
	onPage       = "i'm on page"
	selectedMark = "<selection>"
)

var straight = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "＇", "'")

// fromBrowser reports a message that a browser wrote about a selection.
func fromBrowser(text string) bool {
	text = strings.ToLower(straight.Replace(strings.TrimSpace(text)))
	return strings.HasPrefix(text, onPage) && strings.Contains(text, selectedMark)
}

// aboutSelection replies to such a message from what it brings along: nothing is
// searched and no tool is offered. done is false for other messages; the next
// one has its tools again.
func (p *Pipeline) aboutSelection(ctx context.Context) (a contract.Answer, done bool, err error) {
	if !fromBrowser(p.Task.Question.Text) {
		return contract.Answer{}, false, nil
	}
	p.Plan = p.planning().decided(contract.Planned{Standalone: p.Task.Question.Text, Queries: []string{}, By: "rules", Reason: "the message brings its page along, nothing is searched"})
	p.Tell.Notice(contract.Notice{Code: "browser-ai", Level: "info", Message: "This message came from a browser with the text it is about, so nothing was searched."})
	a, err = p.converse(ctx)
	return a, true, err
}
