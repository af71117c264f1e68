package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// Limits of a stranger's answer (security.md §3 in the design). The total time
// is the context's.
const (
	connectLimit = 5 * time.Second
	headerLimit  = 10 * time.Second
	idleLimit    = 10 * time.Second
	headerBytes  = 256 << 10
	maxHops      = 5
)

// UserAgent is what Footnote calls itself when the settings say nothing else.
const UserAgent = "Footnote/1 (+contact)"

// Options make a guarded client. Guard is needed; Scope gives privacy.scope as
// it is now (nil means "all"); UserAgent gives web.user_agent (nil or empty
// means the default); Resolve nil means the system's resolver.
type Options struct {
	Guard     *Guard
	Scope     func() string
	UserAgent func() string
	Resolve   Resolver

	idle, header time.Duration // tests shorten them
}

// NewClient makes the one client for strangers: pages, pictures, results. It
// keeps no cookies, sends no referrer, uses no proxy of the environment, follows
// at most five redirects, each checked, and decodes and limits every body (see
// ErrCut). Refusals are *answer.UnreadError; while the scope is local-only every
// address beyond loopback fails with the fault local-only.
func NewClient(opt Options) *http.Client {
	if opt.Resolve == nil {
		opt.Resolve = systemResolver
	}
	if opt.idle == 0 {
		opt.idle, opt.header = idleLimit, headerLimit
	}
	transport := newTransport(dialer{resolve: opt.Resolve, connect: connectLimit})
	transport.ResponseHeaderTimeout = opt.header
	transport.MaxResponseHeaderBytes = headerBytes
	g := &gate{
		next:      privacy.Metered(transport),
		admit:     func(ctx context.Context, u *url.URL) (reach, error) { return opt.admit(ctx, u) },
		userAgent: opt.UserAgent,
		idle:      opt.idle,
		limited:   true,
	}
	return &http.Client{Transport: g, CheckRedirect: checkHop}
}

func (o Options) admit(ctx context.Context, u *url.URL) (reach, error) {
	if localScope(ctx, o.Scope) {
		if !onLoopback(u) {
			return 0, notLocal(loopbackOnly, u.Hostname())
		}
		return loopbackOnly, o.Guard.check(u)
	}
	if err := o.Guard.check(u); err != nil {
		return 0, err
	}
	if o.Guard.excepted(u) {
		return anywhere, nil
	}
	return publicOnly, nil
}

// checkHop runs before each redirect; where it leads is checked by the gate.
func checkHop(req *http.Request, via []*http.Request) error {
	if len(via) > maxHops {
		return refuse("redirects", "The page redirects too often.", nil)
	}
	req.Header.Del("Referer") // the standard client adds one
	return nil
}

// newTransport is the base of all clients: no proxy, no transparent unpacking,
// own dialler.
func newTransport(d dialer) *http.Transport {
	return &http.Transport{
		DialContext:           privacy.MeteredDial(d.DialContext),
		TLSHandshakeTimeout:   connectLimit,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   4,
		DisableCompression:    true,
		ForceAttemptHTTP2:     true,
	}
}

// gate is the round tripper that all requests of this process pass: it decides
// how far a request may reach, also for connections that are already open.
type gate struct {
	next      http.RoundTripper
	admit     func(context.Context, *url.URL) (reach, error)
	userAgent func() string
	idle      time.Duration // 0 = no idle limit
	limited   bool          // unpack and limit the body
	sleep     sleepWatch
}

// RoundTrip checks, sends and wraps the answer's body.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	may, err := g.admit(req.Context(), req.URL)
	if err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	if g.sleep.slept(time.Now()) {
		g.CloseIdleConnections()
	}
	ctx, cancel := context.WithCancelCause(context.WithValue(req.Context(), reachKey{}, may))
	resp, err := g.next.RoundTrip(g.dress(req.Clone(ctx)))
	if err != nil {
		cancel(err)
		return nil, err
	}
	resp.Body = watch(ctx, cancel, resp.Body, g.idle)
	if !g.limited {
		return resp, nil
	}
	if err := limitBody(resp); err != nil {
		return nil, err
	}
	return resp, nil
}

func (g *gate) dress(req *http.Request) *http.Request {
	agent := ""
	if g.userAgent != nil {
		agent = g.userAgent()
	}
	if agent == "" {
		agent = UserAgent
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", agent)
	}
	if g.limited {
		req.Header.Set("Accept-Encoding", "gzip, deflate")
	}
	return req
}

// CloseIdleConnections drops the connections that wait for use.
func (g *gate) CloseIdleConnections() {
	if c, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

const localOnly, noCloudModels = "local-only", "no-cloud-models"

func localScope(ctx context.Context, scope func() string) bool {
	return privacy.LocalOnly(ctx) || (scope != nil && scope() == localOnly)
}

func notLocal(r reach, host string) error {
	if r == privateOnly {
		return fault.New(fault.LocalOnly, "Models in the cloud are switched off, and "+host+" is not a local address.",
			"Choose a local model, or allow cloud models under Privacy.")
	}
	return fault.New(fault.LocalOnly, "Footnote works locally only; "+host+" was not contacted.",
		"Switch \"Local only\" off under Privacy to use the network.")
}

// Unreachable reports whether an error means that the network itself is away: a
// name cannot be looked up or no route leads there. When all engines say so, the
// machine is offline.
func Unreachable(err error) bool {
	var refused *gather.UnreadError
	return err != nil && !errors.As(err, &refused) && networkAway(err)
}
