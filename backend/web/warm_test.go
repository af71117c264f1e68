package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"footnote/backend/answer/gather"
	"footnote/backend/privacy"
	"footnote/backend/settings"
)

// shelfBook is a book in memory.
type shelfBook struct {
	mu      sync.Mutex
	entries []privacy.LedgerEntry
}

func (b *shelfBook) Load(context.Context) ([]privacy.LedgerEntry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.entries), nil
}

func (b *shelfBook) Save(_ context.Context, entries []privacy.LedgerEntry) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries = slices.Clone(entries)
	return nil
}

// frontDoor is a server that tells how many connections it took and what was
// asked over which.
type frontDoor struct {
	*httptest.Server
	taken atomic.Int64
	mu    sync.Mutex
	asked []string // method, path and the other side's port
	keys  []string
}

func openDoor(t *testing.T) *frontDoor {
	c := &frontDoor{}
	c.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = append(c.asked, r.Method+" "+r.URL.Path+" "+r.RemoteAddr)
		for _, h := range append([]string{"Referer"}, keyHeaders...) {
			c.keys = append(c.keys, r.Header.Values(h)...)
		}
	}))
	c.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			c.taken.Add(1)
		}
	}
	c.Start()
	t.Cleanup(c.Close)
	return c
}

func (c *frontDoor) requests() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// named is the server under a name that is no loopback's, and a client for it.
func (c *frontDoor) named(t *testing.T, scope func() string) (string, *http.Client) {
	t.Helper()
	u, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	address := "http://engine.example:" + u.Port()
	return address, newEndpoint(endpoint{origin: address, scope: scope, resolve: func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}})
}

func warmerOf(book privacy.Book, clk *clock, shut *bool, hosts ...Host) *Warmer {
	return NewWarmer(WarmOptions{
		Hosts: func(context.Context, string) []Host { return hosts }, Shut: func() bool { return *shut }, Book: book, Now: clk.now, Log: quiet,
	})
}

func TestAWarmConnectionIsThere(t *testing.T) {
	server := openDoor(t)
	client := NewEndpointClient(server.URL, nil)
	shut, clk := false, newClock()
	w := warmerOf(&shelfBook{}, clk, &shut, Host{server.URL + "/healthz", client})
	defer w.Close()
	for range 3 { // once in a while, however much is typed
		<-w.Warm("")
	}
	exchange(t, context.Background(), client, server.URL, "/search")
	asked := server.requests()
	if server.taken.Load() != 1 || len(asked) != 2 || !strings.HasPrefix(asked[0], "HEAD /healthz ") || strings.Fields(asked[0])[2] != strings.Fields(asked[1])[2] {
		t.Errorf("%d connections, asked %q", server.taken.Load(), asked)
	}
	clk.pass(warmEvery)
	if <-w.Warm(""); len(server.requests()) != 3 {
		t.Errorf("after a while: %q", server.requests())
	}
	if len(server.keys) != 0 {
		t.Errorf("there went along %q", server.keys)
	}
	if opened, err := w.Opened(t.Context()); err != nil || len(opened) != 0 {
		t.Errorf("nothing left this computer, and yet %+v %v", opened, err)
	}
}

func TestWarmingIsTold(t *testing.T) {
	server, book := openDoor(t), &shelfBook{}
	address, client := server.named(t, nil)
	shut, clk := false, newClock()
	w := warmerOf(book, clk, &shut, Host{address + "/", client})
	for range 2 {
		<-w.Warm("")
		clk.pass(warmEvery)
	}
	w.Close()
	again := warmerOf(book, clk, &shut) // after a restart
	defer again.Close()
	host := strings.TrimPrefix(address, "http://")
	opened, err := again.Opened(t.Context())
	if err != nil || len(opened) != 1 || opened[0].Host != host || opened[0].Purpose != "connect" || opened[0].Requests != 2 || opened[0].BytesOut == 0 || opened[0].BytesIn == 0 {
		t.Fatalf("%+v %v", opened, err)
	}
	if taken, err := again.TakeOpened(t.Context()); err != nil || fmt.Sprint(taken) != fmt.Sprint(opened) {
		t.Errorf("taken %+v %v", taken, err)
	}
	if left, err := again.TakeOpened(t.Context()); err != nil || len(left) != 0 || len(book.entries) != 0 {
		t.Errorf("taken twice: %+v %v", left, err)
	}
}

func TestNothingIsWarmedWhereTheWebIsShut(t *testing.T) {
	server := openDoor(t)
	shut, scope := true, ""
	address, client := server.named(t, func() string { return scope })
	w := warmerOf(&shelfBook{}, newClock(), &shut, Host{server.URL + "/", NewEndpointClient(server.URL, nil)}, Host{address + "/", client})
	defer w.Close()
	<-w.Warm("")
	if server.taken.Load() != 0 {
		t.Error("a connection was opened while the web is shut")
	}
	shut, scope = false, "local-only" // said just after Shut was asked: the dialler refuses
	if <-w.Warm(""); server.taken.Load() != 1 {
		t.Errorf("%d connections, wanted the one to loopback", server.taken.Load())
	}
	if opened, err := w.Opened(t.Context()); err != nil || len(opened) != 0 {
		t.Errorf("%+v %v", opened, err)
	}
	w.Close()
	if <-w.Warm(""); server.taken.Load() != 1 {
		t.Error("opened after the end")
	}
}

func TestOnlyChosenEnginesAreWarmed(t *testing.T) {
	set, key, clk := settings.Default(), "", newClock()
	address := ""
	at := func(a string) func() string { return func() string { return a } }
	mk := func(string) gather.Finder { return gives(1, nil) }
	lines := []Line{
		{Name: "searxng", Address: func() string { return address }, At: func() string { return address }, Idle: "/healthz", Make: mk},
		{Name: "brave", NeedsKey: true, Key: func() string { return key }, At: at("https://brave.example"), Make: mk},
		{Name: "tavily", Keyless: true, Consent: true, Key: at(""), At: at("https://tavily.example"), Make: mk},
		{Name: "wikipedia", Keyless: true, Make: mk},
		{Name: "exa", NeedsKey: true, Key: at("k"), At: at("https://exa.example"), Make: mk},
	}
	set.Web.Engines, set.Web.Consent = []string{"wikipedia", "tavily", "searxng", "brave", "exa"}, []string{"tavily"}
	d := NewEngineRegistry(lines, func() settings.Settings { return set }, func(l Line, f gather.Finder) *Breaker {
		return NewBreaker(f, BreakerOptions{Name: l.Name, Now: clk.now, Log: quiet})
	}, clk.now)
	if got := d.Chosen(t.Context()); len(got) != 0 {
		t.Errorf("nothing is chosen, and yet %q", got)
	}
	address, key, set.Web.Parallel = "http://127.0.0.1:8888/", "k", 4
	if got := d.Chosen(t.Context()); !slices.Equal(got, []string{"http://127.0.0.1:8888/healthz", "https://brave.example/"}) {
		t.Errorf("%q", got)
	}
}
