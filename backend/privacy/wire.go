package privacy

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
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
	payer atomic.Pointer[account]
}

func (c *countedConn) Read(p []byte) (int, error) {
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

// count adds bytes; the nil account is nobody's.
func (a *account) count(out, in int) {
	if a != nil && (out != 0 || in != 0) {
		a.add(out, in, 0)
	}
}

// paidBy gives the request's connections to an account, nil to nobody's.
func paidBy(req *http.Request, a *account) *http.Request {
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if c := countedBelow(info.Conn); c != nil {
			c.payer.Store(a)
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
