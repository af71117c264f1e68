package answer

import (
	"context"
	"fmt"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
)

// Namer is a Shelf whose collections, files and folders can be named in a
// question, as @name.
type Namer interface {
	Named(ctx context.Context, text string, scope contract.Scope) (evidence.Named, error)
}

// lookUpNames lets the @names of a question, and the collections that were
// ticked, restrict the search of files: from here on the question is without
// them, and what it names is asked alone, without the web. The error is of a collection that does not exist.
func (p *Pipeline) lookUpNames(ctx context.Context) error {
	p.Task.Names = evidence.Named{Text: p.Task.Question.Text, Ticked: p.Task.Question.Scope, Scope: p.Task.Question.Scope}
	namer, can := p.engine.Shelf.(Namer)
	if !can || len(p.Task.Question.Scope.Collections) == 0 && !strings.Contains(p.Task.Question.Text, "@") || fromBrowser(p.Task.Question.Text) {
		return nil
	}
	n, err := namer.Named(ctx, p.Task.Question.Text, p.Task.Question.Scope)
	if err != nil || !focusHasFiles(p.Task) {
		p.Task.Names.Text = n.Text
		return err
	}
	if n.Text != p.Task.Question.Text { // what is named is asked, and nothing else
		p.Task.Question.Focus = contract.FocusLocal
	}
	p.Task.Names, p.Task.Question.Text, p.Task.Question.Scope = n, n.Text, n.Scope
	return nil
}

func focusHasFiles(t *gather.Task) bool {
	return t.Question.Focus == contract.FocusLocal || t.Question.Focus == contract.FocusAll
}

// tellNames says which names restrict nothing, and why.
func (p *Pipeline) tellNames() {
	if p.Task.Names.Text != p.Task.Question.Text {
		p.Tell.Notice(contract.Notice{Code: "scope-unused", Level: "info", Message: "This focus leaves your files out, so the names after @ restrict nothing."})
		return
	}
	for _, u := range p.Task.Names.Unknown {
		p.Tell.Notice(contract.Notice{Code: "unknown-name", Level: "warn",
			Message: fmt.Sprintf("No collection, file or folder is called “%s”, so @%s restricts nothing. %s", u.Name, u.Name, u.Hint)})
	}
	for _, name := range p.Task.Names.Empty {
		p.Tell.Notice(contract.Notice{Code: "empty-collection", Level: "warn", Message: fmt.Sprintf("The collection “%s” is empty, so nothing of it was searched.", name)})
	}
}
