package llmtest

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"footnote/backend/llm"
)

// inBubble runs a test against a server of its own, in time that passes only when
// everyone waits: limits of minutes end at once, and no busy machine shifts them.
func (s *suite) inBubble(t *testing.T, run func(t *testing.T, s *suite)) {
	synctest.Test(t, func(t *testing.T) {
		own := &server{scripts: scripts(), hangups: map[string]int{}}
		wire := &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})}
		serving := &http.Server{Handler: http.HandlerFunc(own.handle)}
		go func() { _ = serving.Serve(wire) }() // ends with Close
		client := &http.Client{Transport: &http.Transport{DialContext: wire.dial}}
		run(t, &suite{server: own, open: s.open, model: s.open("http://model.test", client)})
		client.CloseIdleConnections()
		if err := serving.Close(); err != nil {
			t.Error(err)
		}
	})
}

// pipes is a network of one server, in memory.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.dialled <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.closed); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// opener makes the model under test for a server.
type opener func(baseURL string, client *http.Client) llm.Model
