package answer

import (
	"context"
	"fmt"
	"strings"

	"footnote/backend/evidence"
)

// Namer is a Shelf whose collections, files and folders can be named in a
// question, as @name.
type Namer interface {
	Named(ctx context.Context, text string, scope Scope) (evidence.Named, error)
}

// lookUpNames lets the @names of a question, and the collections that were
// ticked, restrict the search of files: from here on the question is without
// them. The error is of a collection that does not exist.
func (p *pipeline) lookUpNames(ctx context.Context) error {
	p.names = evidence.Named{Text: p.q.Text, Ticked: p.q.Scope, Scope: p.q.Scope}
	namer, can := p.Shelf.(Namer)
	if !can || len(p.q.Scope.Collections) == 0 && !strings.Contains(p.q.Text, "@") || fromBrowser(p.q.Text) {
		return nil
	}
	n, err := namer.Named(ctx, p.q.Text, p.q.Scope)
	if err != nil || !p.focusHasFiles() {
		p.names.Text = n.Text
		return err
	}
	p.names, p.q.Text, p.q.Scope = n, n.Text, n.Scope
	return nil
}

func (p *pipeline) focusHasFiles() bool { return p.q.Focus == FocusLocal || p.q.Focus == FocusAll }

// tellNames says which names restrict nothing, and why.
func (p *pipeline) tellNames() {
	if p.names.Text != p.q.Text {
		p.notice(Notice{Code: "scope-unused", Level: "info", Message: "This focus leaves your files out, so the names after @ restrict nothing."})
		return
	}
	for _, u := range p.names.Unknown {
		p.notice(Notice{Code: "unknown-name", Level: "warn",
			Message: fmt.Sprintf("No collection, file or folder is called “%s”, so @%s restricts nothing. %s", u.Name, u.Name, u.Hint)})
	}
	for _, name := range p.names.Empty {
		p.notice(Notice{Code: "empty-collection", Level: "warn", Message: fmt.Sprintf("The collection “%s” is empty, so nothing of it was searched.", name)})
	}
}
