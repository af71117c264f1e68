package web

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

const (
	lookupLimit  = 2500 * time.Millisecond // so that "offline" is known within 3 s
	maxDialled   = 6                       // addresses of one name that are tried
	nextDialWait = 250 * time.Millisecond  // before the next address is tried beside a slow one
)

// Resolver looks up the addresses of a name. Tests replace it.
type Resolver func(ctx context.Context, host string) ([]netip.Addr, error)

func systemResolver(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// reach says which numbers a request may be connected to. It travels with the
// request's context from the gate, which knows the whole address, to the dialler,
// which knows the number.
type reach int

const (
	publicOnly   reach = iota // strangers
	loopbackOnly              // everything, while the scope is local-only
	privateOnly               // models, while the scope is no-cloud-models
	anywhere                  // origins the user set
)

type reachKey struct{}

func (r reach) permits(addr netip.Addr) bool {
	switch r {
	case publicOnly:
		return public(addr)
	case loopbackOnly:
		return addr.IsLoopback()
	case privateOnly:
		return !public(addr)
	}
	return true
}

func (r reach) refusal(host string) error {
	if r == publicOnly {
		return private(host)
	}
	return notLocal(r, host)
}

// dialer resolves, checks every number and dials a checked one: a name cannot
// change its mind between check and connection.
type dialer struct {
	resolve Resolver
	connect time.Duration
}

func (d dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	may, _ := ctx.Value(reachKey{}).(reach)
	ctx, cancel := context.WithTimeout(ctx, d.connect)
	defer cancel()
	found, err := d.lookUp(ctx, strings.TrimSuffix(host, "."))
	if err != nil {
		return nil, err
	}
	ok := slices.DeleteFunc(found, func(a netip.Addr) bool { return !may.permits(a) })
	if len(ok) == 0 {
		return nil, may.refusal(host)
	}
	return dialFirst(ctx, network, ok, port)
}

func (d dialer) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	within, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	found, err := d.resolve(within, host)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return nil, &net.DNSError{Err: "no answer in time", Name: host, IsTimeout: true}
	}
	if err != nil {
		return nil, err
	}
	out := make([]netip.Addr, len(found))
	for i, a := range found {
		out[i] = a.Unmap()
	}
	return out, nil
}

type dialled struct {
	conn net.Conn
	err  error
}

// dialFirst connects to the first of the addresses that answers. Each next one
// starts when the one before failed or has been slow; the losers are closed.
func dialFirst(ctx context.Context, network string, addrs []netip.Addr, port string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	addrs = spread(addrs)
	results := make(chan dialled, len(addrs))
	dialer := net.Dialer{KeepAlive: 30 * time.Second}
	start := func(a netip.Addr) {
		conn, err := dialer.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
		results <- dialled{conn, err}
	}
	var last error
	next, open := 0, 0
	for next < len(addrs) || open > 0 {
		var slow <-chan time.Time
		if next < len(addrs) {
			go start(addrs[next])
			next, open = next+1, open+1
			slow = time.After(nextDialWait)
		}
		select {
		case r := <-results:
			open--
			if r.err == nil {
				go closeLate(results, open)
				return r.conn, nil
			}
			last = r.err
		case <-slow:
		}
	}
	if last == nil {
		last = &net.AddrError{Err: "no address", Addr: port}
	}
	return nil, last
}

// closeLate closes the connections that came too late. It ends because the dial
// context is cancelled.
func closeLate(results <-chan dialled, open int) {
	for range open {
		if r := <-results; r.conn != nil {
			r.conn.Close()
		}
	}
}

// spread alternates IPv6 and IPv4, so that one broken family costs one wait,
// and keeps a handful.
func spread(addrs []netip.Addr) []netip.Addr {
	var six, four []netip.Addr
	for _, a := range addrs {
		if a.Is6() {
			six = append(six, a)
		} else {
			four = append(four, a)
		}
	}
	var out []netip.Addr
	for i := 0; i < max(len(six), len(four)) && len(out) < maxDialled; i++ {
		if i < len(six) {
			out = append(out, six[i])
		}
		if i < len(four) {
			out = append(out, four[i])
		}
	}
	return out[:min(len(out), maxDialled)]
}
