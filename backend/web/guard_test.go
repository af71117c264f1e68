package web

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer/gather"
)

// shared is a path below the reference folder beside the project; the test is
// skipped when the folder is not there.
func shared(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	full := filepath.Join(dir, "..", "shared", path)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no %s beside the project", path)
	}
	return full
}

type addressCase struct{ URL, Expect, Why string }

func addressCases(t testing.TB, file string) []addressCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []addressCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func checkAddresses(t *testing.T, cases []addressCase) {
	t.Helper()
	g := NewGuard(nil)
	wrong := 0
	for _, c := range cases {
		err := g.CheckURL(c.URL)
		if (err != nil) != (c.Expect == "block") {
			wrong++
			t.Errorf("%q (%s): %v, want %s", c.URL, c.Why, err, c.Expect)
		}
		var refused *gather.UnreadError
		if err != nil && (!errors.As(err, &refused) || refused.Code == "" || refused.Reason == "") {
			t.Errorf("%q: refused without a reason: %v", c.URL, err)
		}
	}
	t.Logf("%d addresses, %d wrong", len(cases), wrong)
}

func TestEveryAddressGetsItsVerdict(t *testing.T) {
	checkAddresses(t, addressCases(t, "testdata/addresses.json"))
}

func TestTheSharedAddressCorpusGetsItsVerdicts(t *testing.T) {
	checkAddresses(t, addressCases(t, shared(t, "faults/ssrf_urls.json")))
}

func TestOnlyTheExactPrivateOriginIsExcepted(t *testing.T) {
	g := NewGuard(func() []string {
		return []string{"http://127.0.0.1:9123", " https://Wiki.Corp.Example ", "http://u:p@10.0.0.1:80", "junk"}
	})
	for raw, ok := range map[string]bool{
		"http://127.0.0.1:9123/page":   true,
		"https://wiki.corp.example/":   true,
		"http://127.0.0.1:9124/":       false,
		"http://127.0.0.1/":            false,
		"https://127.0.0.1:9123/":      false,
		"http://localhost:9123/":       false,
		"http://[::1]:9123/":           false,
		"http://x@127.0.0.1:9123/":     false,
		"http://10.0.0.1/":             false,
		"http://127.0.0.1:9123.x.com/": false,
	} {
		if err := g.CheckURL(raw); (err == nil) != ok {
			t.Errorf("%s: %v, allowed should be %v", raw, err, ok)
		}
	}
}

// counting is a loopback server that counts connections, and a resolver that
// sends names there or elsewhere.
func counting(t *testing.T) (port string, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port(), hits
}

func TestANameThatTurnsPrivateIsNotDialled(t *testing.T) {
	asked := 0
	d := dialer{connect: time.Second, resolve: func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked == 1 {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil // documentation: refused as well
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}}
	port, hits := counting(t)
	for range 3 {
		_, err := d.DialContext(context.Background(), "tcp", net.JoinHostPort("rebind.example", port))
		var refused *gather.UnreadError
		if !errors.As(err, &refused) || refused.Code != "private-address" {
			t.Fatalf("got %v", err)
		}
	}
	if hits.Load() != 0 {
		t.Fatal("the private address was contacted")
	}
}

func TestOnlyThePublicSideOfAMixedAnswerIsDialled(t *testing.T) {
	var dialled []netip.Addr
	mixed := []netip.Addr{}
	for _, s := range []string{"127.0.0.1", "::1", "93.184.216.34", "::ffff:10.0.0.1", "2606:2800:220:1::1", "64:ff9b::7f00:1"} {
		mixed = append(mixed, netip.MustParseAddr(s).Unmap())
	}
	for _, a := range mixed {
		if publicOnly.permits(a) {
			dialled = append(dialled, a)
		}
	}
	if len(dialled) != 2 || dialled[0].String() != "93.184.216.34" || dialled[1].String() != "2606:2800:220:1::1" {
		t.Errorf("permitted: %v", dialled)
	}
}

func TestAnExceptedOriginReachesLoopbackAndAStrangerDoesNot(t *testing.T) {
	port, hits := counting(t)
	origin := "http://127.0.0.1:" + port
	client := NewClient(Options{Guard: NewGuard(func() []string { return []string{origin} })})
	resp, err := client.Get(origin + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	_, err = NewClient(Options{Guard: NewGuard(nil)}).Get(origin + "/")
	var refused *gather.UnreadError
	if !errors.As(err, &refused) || hits.Load() != 1 {
		t.Errorf("%v, %d hits", err, hits.Load())
	}
}

func TestADeadAddressDoesNotHideALivingOne(t *testing.T) {
	port, hits := counting(t)
	d := dialer{connect: time.Minute, resolve: func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")}, nil
	}}
	ctx := context.WithValue(context.Background(), reachKey{}, anywhere)
	began := time.Now()
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort("some.example", port))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if time.Since(began) > 30*time.Second || hits.Load() != 0 {
		t.Errorf("took %v", time.Since(began))
	}
}

func TestASilentResolverIsKnownWithinThreeSeconds(t *testing.T) {
	t.Parallel()
	d := dialer{connect: 5 * time.Second, resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	began := time.Now()
	_, err := d.DialContext(context.Background(), "tcp", "lost.example:443")
	if !Unreachable(err) || time.Since(began) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func FuzzGuard(f *testing.F) {
	for _, c := range addressCases(f, "testdata/addresses.json") {
		f.Add(c.URL)
	}
	g := NewGuard(nil)
	f.Fuzz(func(t *testing.T, raw string) {
		if g.CheckURL(raw) != nil {
			return
		}
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatalf("%q was allowed and cannot be parsed", raw)
		}
		host, err := canonicalHost(u.Hostname())
		if err != nil || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") {
			t.Fatalf("%q was allowed", raw)
		}
		if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast()) {
			t.Fatalf("%q leads to %v", raw, ip)
		}
		if strings.HasSuffix(host, "localhost") && (host == "localhost" || strings.HasSuffix(host, ".localhost")) {
			t.Fatalf("%q is this machine", raw)
		}
	})
}

func TestAHostThatTheReaderBlockedIsRefusedAlsoWhereRedirectsLead(t *testing.T) {
	g := NewGuard(func() []string { return []string{"http://example.org:80"} }).Blocking(func(host string) bool { return host == "example.org" })
	for address, want := range map[string]string{"https://example.org/a": "blocked-by-reader", "http://EXAMPLE.org/": "blocked-by-reader", "https://example.net/": ""} {
		err := g.CheckURL(address)
		var refused *gather.UnreadError
		if errors.As(err, &refused); want == "" && err != nil || want != "" && (refused == nil || refused.Code != want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}
