package privacy

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"
)

type payerKey struct{}

// Dial opens a connection, as a transport does.
type Dial = func(ctx context.Context, network, addr string) (net.Conn, error)

// MeteredDial counts every byte that the connections of dial send and receive,
// below encryption and framing: greeting, headers and bodies as they stand on
// the wire. They go to the account of the exchange that has the connection; what
// opening it took, to the one that asked for it. Exchanges that share a
// connection at the same time (HTTP/2) are counted on the one that came last.
func MeteredDial(dial Dial) Dial {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		counted := &countedConn{Conn: conn}
		if a, ok := ctx.Value(payerKey{}).(*account); ok {
			counted.payer.Store(a)
		}
		return counted, nil
	}
}

// countedConn counts on the account of whoever has it; on nobody's when nil.
type countedConn struct {
	net.Conn
	payer   atomic.Pointer[account]
	reading sync.Mutex
	closed  bool
}

func (c *countedConn) Read(p []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.closed {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(p)
	c.payer.Load().count(0, n)
	return n, err
}

// Write counts before it writes: the reply to what is written may be there, and
// its run over, before Write goes on.
func (c *countedConn) Write(p []byte) (int, error) {
	a := c.payer.Load()
	a.count(len(p), 0)
	n, err := c.Conn.Write(p)
	a.count(n-len(p), 0)
	return n, err
}

// Close counts what has arrived and was not read as well: an answer that is cut
// off has come over the wire all the same.
func (c *countedConn) Close() error {
	if err := c.Conn.SetReadDeadline(time.Unix(1, 0)); err != nil { // a Read that waits gives way
		return c.Conn.Close()
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if !c.closed {
		c.closed = true
		c.payer.Load().count(0, unread(c.Conn))
	}
	return c.Conn.Close()
}

// count adds bytes; the nil account is nobody's.
func (a *account) count(out, in int) {
	if a != nil && (out != 0 || in != 0) {
		a.add(out, in, 0)
	}
}

// holder remembers the connection that an exchange has.
type holder struct{ conn atomic.Pointer[countedConn] }

// cut closes the connection of an answer that is not read to its end, as the
// transport is about to do, so that it is counted by now. Where exchanges share
// a connection (HTTP/2), it stays.
func (h *holder) cut(resp *http.Response) {
	if c := h.conn.Load(); c != nil && resp.ProtoMajor == 1 {
		_ = c.Close() // the transport closes it again, and tells
	}
}

// paidBy gives the request's connections to an account, nil to nobody's.
func paidBy(req *http.Request, a *account, h *holder) *http.Request {
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if c := countedBelow(info.Conn); c != nil {
			c.payer.Store(a)
			h.conn.Store(c)
		}
	}}
	ctx := context.WithValue(req.Context(), payerKey{}, a)
	return req.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// countedBelow finds the counted connection below encryption.
func countedBelow(conn net.Conn) *countedConn {
	for {
		switch c := conn.(type) {
		case *countedConn:
			return c
		case interface{ NetConn() net.Conn }:
			conn = c.NetConn()
		default:
			return nil
		}
	}
}
