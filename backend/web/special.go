package web

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"

	"footnote/backend/evidence"
)

// Special reads the addresses of one site by the site's own interface, where the
// page itself is no text: a video is read by its captions. Claims says which
// addresses are its own. Read gives text, title, date, picture, kind and the
// address under which the thing is known; identity is added by the Reader.
// Errors are *answer.UnreadError or those of a request.
type Special interface {
	Claims(u *url.URL) bool
	Read(ctx context.Context, u *url.URL) (evidence.Document, error)
}

// FetchBody sends a request of a Special and gives the body of a good answer. A
// status other than success is an *answer.UnreadError.
func FetchBody(client *http.Client, req *http.Request) ([]byte, error) {
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if refused := refusedStatus(resp); refused != nil {
		return nil, refused
	}
	return io.ReadAll(io.LimitReader(resp.Body, decodedBytes))
}

// special gives the one that reads an address, or nil.
func (r *Reader) special(u *url.URL) Special {
	if i := slices.IndexFunc(r.opt.Specials, func(s Special) bool { return s.Claims(u) }); i >= 0 {
		return r.opt.Specials[i]
	}
	return nil
}

func (r *Reader) readSpecial(ctx context.Context, s Special, u *url.URL, lead evidence.Lead) (evidence.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, r.opt.Timeout())
	defer cancel()
	doc, err := s.Read(ctx, u)
	if err != nil {
		return evidence.Document{}, err
	}
	if evidence.Instructs(doc.Text) {
		doc.Flags = append(doc.Flags, "instructions")
	}
	doc.Image = r.picture(u, doc.Image)
	at := u
	if known, err := parseAddress(doc.Source.Address); err == nil {
		at = known
	}
	r.finish(&doc, at, lead)
	return doc, nil
}
