package web

import (
	"net/http"

	"footnote/backend/privacy"
)

// Booked has a client put what it sends beside runs, and beyond this computer, into
// a ledger.
func Booked(c *http.Client, ledger *privacy.Aside) *http.Client {
	c.Transport = booked{c.Transport, ledger}
	return c
}

type booked struct {
	next   http.RoundTripper
	ledger *privacy.Aside
}

// RoundTrip implements http.RoundTripper.
func (b booked) RoundTrip(req *http.Request) (*http.Response, error) {
	if !onLoopback(req.URL) {
		req = req.WithContext(b.ledger.Pays(req.Context(), req.URL.Host))
	}
	return b.next.RoundTrip(req)
}

// CloseIdleConnections drops the idle connections of the transport below.
func (b booked) CloseIdleConnections() {
	if c, ok := b.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
