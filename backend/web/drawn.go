package web

import (
	"context"
	"errors"
	"net/url"

	"footnote/backend/evidence"
)

// Renderer draws a page whose text only scripts make, and gives its markup as it
// stands then and the address it ended at. Every request it makes on the way
// passes the guarded client. Errors are *answer.UnreadError or those of ctx.
type Renderer interface {
	Render(ctx context.Context, u *url.URL) (markup string, at *url.URL, err error)
}

// errScripted is the cause of a page without text that scripts would draw.
var errScripted = errors.New("drawn by scripts")

// drawn reads a page as the reader's browser draws it, if that is allowed.
func (r *Reader) drawn(ctx context.Context, u *url.URL, lead evidence.Lead) (evidence.Document, error) {
	var browser Renderer
	if r.opt.Browser != nil {
		browser = r.opt.Browser()
	}
	if browser == nil {
		return evidence.Document{}, refuse("empty", "The page has no readable text; it is drawn by scripts. Allow the use of your browser in the settings to read it.", nil)
	}
	markup, at, err := browser.Render(ctx, u)
	if err != nil {
		return evidence.Document{}, err
	}
	if err := r.opt.Guard.check(at); err != nil {
		return evidence.Document{}, err
	}
	doc, err := r.pageDocument(readPage(markup, at), at)
	if err != nil {
		return evidence.Document{}, err
	}
	r.finish(&doc, at, lead)
	return doc, nil
}
