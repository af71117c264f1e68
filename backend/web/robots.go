package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"footnote/backend/privacy"
)

const (
	robotsLimit  = 3 * time.Second
	robotsBytes  = 500 << 10
	robotsKept   = 24 * time.Hour
	robotsSoon   = 10 * time.Minute // after a server error
	robotsHosts  = 500
	robotsAgent  = "Footnote"
	robotsReason = "The site asks programs not to read this page (robots.txt)."
)

// robots remembers what sites allow programs to read. A site without rules
// allows all; one whose server fails allows nothing for a while; one that does
// not answer at all is left to the page's own request to judge.
type robots struct {
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	sites map[string]*rules
}

type rules struct {
	ready chan struct{}
	until time.Time
	data  *robotRules // nil allows all
}

func newRobots(client *http.Client, now func() time.Time) *robots {
	return &robots{client: client, now: now, sites: map[string]*rules{}}
}

// allow reports whether a page may be read. The error is the context's.
func (r *robots) allow(ctx context.Context, u *url.URL) (bool, error) {
	site := r.site(ctx, originOf(u))
	select {
	case <-site.ready:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return site.data == nil || site.data.allows(u.RequestURI()), nil
}

// site gives the rules of an origin and starts fetching them when they are not
// known; all readers of one site wait for one request.
func (r *robots) site(ctx context.Context, origin string) *rules {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sites[origin]; s != nil && (s.until.IsZero() || r.now().Before(s.until)) {
		return s
	}
	if len(r.sites) >= robotsHosts {
		clear(r.sites)
	}
	s := &rules{ready: make(chan struct{})}
	r.sites[origin] = s
	go r.fetch(context.WithoutCancel(ctx), origin, s)
	return s
}

func (r *robots) fetch(ctx context.Context, origin string, s *rules) {
	defer close(s.ready)
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "robots"), robotsLimit)
	defer cancel()
	data, keep := r.read(ctx, origin)
	r.mu.Lock()
	defer r.mu.Unlock()
	s.data, s.until = data, r.now().Add(keep)
}

func (r *robots) read(ctx context.Context, origin string) (*robotRules, time.Duration) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/robots.txt", nil)
	if err != nil {
		return nil, robotsSoon
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, robotsSoon
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, robotsBytes))
	if err != nil && !errors.Is(err, ErrCut) {
		return nil, robotsSoon
	}
	data, err := robotRulesOf(resp.StatusCode, body)
	if err != nil {
		return nil, robotsSoon
	}
	if resp.StatusCode >= 500 {
		return data, robotsSoon
	}
	return data, robotsKept
}
