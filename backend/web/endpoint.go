package web

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"footnote/backend/fault"
	"footnote/backend/privacy"
)

const endpointConnect = 10 * time.Second

// keyHeaders carry keys in the protocols Footnote speaks; none of them follows
// a redirect.
var keyHeaders = []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "X-Subscription-Token", "Cookie"}

// NewEndpointClient makes a client for one endpoint that the user set, such as
// SearXNG: it reaches the scheme, host and port of origin and nothing else, may
// be private, and has no total time, so that streams live. Another origin,
// a redirect to one, or an origin that is none fails with invalid-setting or
// origin-not-allowed; scope (nil means "all") local-only refuses all but loopback.
func NewEndpointClient(origin string, scope func() string) *http.Client {
	return newEndpoint(endpoint{origin: origin, scope: scope})
}

// NewModelClient is NewEndpointClient for a model server. While the scope is
// no-cloud-models it reaches loopback and, of the origins that private lists,
// non-public addresses only.
func NewModelClient(origin string, scope func() string, private func() []string) *http.Client {
	return newEndpoint(endpoint{origin: origin, scope: scope, model: true, private: private})
}

type endpoint struct {
	origin  string
	scope   func() string
	model   bool
	private func() []string
	resolve Resolver // tests only
}

func newEndpoint(e endpoint) *http.Client {
	if e.resolve == nil {
		e.resolve = systemResolver
	}
	if u, err := url.Parse(e.origin); err == nil {
		e.origin = originOf(u)
	} else {
		e.origin = ""
	}
	transport := newTransport(dialer{resolve: e.resolve, connect: endpointConnect})
	transport.MaxResponseHeaderBytes = headerBytes
	return &http.Client{
		Transport: &gate{next: privacy.Metered(transport), admit: e.admit},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			for _, h := range keyHeaders {
				req.Header.Del(h)
			}
			if err := checkHop(req, via); err != nil {
				return fault.Wrap(err, fault.OriginNotAllowed, "The service sent Footnote on and on, from one address of its own to the next.", "Check its address in the settings.")
			}
			return nil
		},
	}
}

func (e endpoint) admit(ctx context.Context, u *url.URL) (reach, error) {
	if e.origin == "" {
		return 0, fault.New(fault.InvalidSetting, "The address of this service is not an http or https address.",
			"Correct it in the settings, for example http://127.0.0.1:8888.")
	}
	if originOf(u) != e.origin || u.User != nil {
		return 0, fault.New(fault.OriginNotAllowed, "The service sent Footnote on to another address, "+cmp.Or(u.Host, u.Scheme+":")+", which was not contacted.",
			"Set that address in the settings if it is the right one.")
	}
	switch {
	case localScope(ctx, e.scope):
		return e.within(loopbackOnly, u)
	case e.model && e.scope != nil && e.scope() == noCloudModels:
		if onLoopback(u) {
			return e.within(loopbackOnly, u)
		}
		return e.within(privateOnly, u)
	}
	return anywhere, nil
}

func (e endpoint) within(r reach, u *url.URL) (reach, error) {
	ok := onLoopback(u)
	if r == privateOnly {
		ok = e.private != nil && listed(e.origin, e.private())
	}
	if !ok {
		return 0, notLocal(r, u.Hostname())
	}
	return r, nil
}

// onLoopback reports a host that is loopback by its writing; other names are
// not even looked up while the scope is local.
func onLoopback(u *url.URL) bool {
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return false
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost"
}
