package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

const (
	mostRequests = 150
	mostBytes    = 20 << 20
	atOnce       = 8
)

// wanted are the kinds of request that a page's text may need. Pictures, sounds,
// fonts and notices to the site are none of them.
var wanted = map[network.ResourceType]bool{
	network.ResourceTypeDocument: true, network.ResourceTypeScript: true, network.ResourceTypeStylesheet: true,
	network.ResourceTypeXHR: true, network.ResourceTypeFetch: true,
}

// gate answers what a page asks for.
type gate struct {
	client *http.Client
	places chan struct{}
	work   sync.WaitGroup
	open   atomic.Int64
	count  atomic.Int64
	bytes  atomic.Int64
}

func newGate(client *http.Client) *gate {
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the browser asks again
	return &gate{client: &own, places: make(chan struct{}, atOnce)}
}

func (g *gate) busy() bool { return g.open.Load() > 0 }

// serve answers requests until the tab is closed.
func (g *gate) serve(tab context.Context, paused iter.Seq2[fetch.EventRequestPaused, error]) {
	for ev, err := range paused {
		if err != nil {
			return // the tab is closed
		}
		g.open.Add(1)
		g.work.Go(func() {
			defer g.open.Add(-1)
			g.answer(tab, ev)
		})
	}
}

// answer gives the browser what the guarded client brings, or a refusal. A tab
// that is closed meanwhile needs neither.
func (g *gate) answer(tab context.Context, ev fetch.EventRequestPaused) {
	reply, err := g.fetch(tab, ev)
	act := func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if err != nil {
			_, failed := cdp.Call(ctx, t, fetch.FailRequest, fetch.FailRequestParams{RequestID: ev.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
			return chromedp.Void{}, failed
		}
		_, failed := cdp.Call(ctx, t, fetch.FulfillRequest, reply)
		return chromedp.Void{}, failed
	}
	if tab.Err() == nil {
		_, _ = chromedp.Run(tab, act)
	}
}

var errUnwanted = errors.New("request of a page refused")

func (g *gate) fetch(ctx context.Context, ev fetch.EventRequestPaused) (fetch.FulfillRequestParams, error) {
	reply := fetch.FulfillRequestParams{RequestID: ev.RequestID}
	if ev.Request == nil || ev.Request.Method != http.MethodGet || !wanted[ev.ResourceType] || g.count.Add(1) > mostRequests || g.bytes.Load() > mostBytes {
		return reply, errUnwanted
	}
	g.places <- struct{}{}
	defer func() { <-g.places }()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, ev.Request.URL, nil)
	if err != nil {
		return reply, fmt.Errorf("make request of a page: %w", err)
	}
	for _, name := range []string{"Accept", "Origin"} {
		if value, ok := ev.Request.Headers[name].(string); ok {
			req.Header.Set(name, value)
		}
	}
	resp, err := g.client.Do(req)
	if err != nil {
		return reply, err
	}
	defer resp.Body.Close()
	if reply.Body, err = io.ReadAll(resp.Body); err != nil {
		return reply, fmt.Errorf("read answer for a page: %w", err)
	}
	g.bytes.Add(int64(len(reply.Body)))
	reply.ResponseCode, reply.ResponseHeaders = int64(resp.StatusCode), headers(resp.Header)
	return reply, nil
}

// headers are those of an answer without what concerns its transport or would
// leave something behind.
func headers(h http.Header) []*fetch.HeaderEntry {
	var out []*fetch.HeaderEntry
	for name, values := range h {
		switch name {
		case "Set-Cookie", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Alt-Svc", "Strict-Transport-Security", "Report-To", "Nel":
			continue
		}
		for _, value := range values {
			out = append(out, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	return out
}
