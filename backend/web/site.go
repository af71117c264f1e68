package web

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Site finds pages of one site through general engines, for a site that does not
// let itself be asked. It implements answer.Finder.
type Site struct {
	name, host string
	engines    func() []Engine
}

// NewSite makes the engine of a site: engines are asked in order until one finds
// a page of the host or of one below it.
func NewSite(name, host string, engines func() []Engine) *Site {
	return &Site{name, host, engines}
}

// Find asks for the query with a site filter. Errors are those of the last
// engine asked.
func (s *Site) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	text, err := Query(q.Text, QueryRunes-len(s.host)-10)
	if err != nil {
		return nil, err
	}
	last := error(fault.New(fault.SearchFailed, "No search engine that could look into "+s.host+" is set up.", "Add one in the settings."))
	q.Text = text + " site:" + s.host
	for _, engine := range s.engines() {
		leads, err := engine.Find(ctx, q)
		leads = slices.DeleteFunc(slices.Clone(leads), func(l evidence.Lead) bool { return !s.holds(l.Source.Address) })
		if len(leads) > 0 {
			for i := range leads {
				leads[i].Via = s.name
			}
			return leads, nil
		}
		if last = err; ctx.Err() != nil {
			return nil, EngineError(s.name, ctx.Err())
		}
	}
	return nil, last
}

func (s *Site) holds(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Hostname() == s.host || strings.HasSuffix(u.Hostname(), "."+s.host))
}

var _ gather.Finder = (*Site)(nil)
