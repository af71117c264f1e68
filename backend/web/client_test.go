package web

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// site serves a handler on loopback and gives a guarded client that may read it.
func site(t *testing.T, h http.HandlerFunc) (*httptest.Server, *http.Client, *Guard) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	g := NewGuard(func() []string { return []string{s.URL} })
	return s, NewClient(Options{Guard: g, idle: 300 * time.Millisecond, header: 5 * time.Second}), g
}

func unreadCode(err error) string {
	var u *gather.UnreadError
	if errors.As(err, &u) {
		return u.Code
	}
	return ""
}

func TestRedirectsAreCheckedOneByOne(t *testing.T) {
	canaryPort, hits := counting(t)
	s, client, _ := site(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		switch _, err := fmt.Sscanf(r.URL.Path, "/hop/%d", &n); {
		case err == nil && n > 0:
			http.Redirect(w, r, fmt.Sprintf("/hop/%d", n-1), http.StatusFound)
		case err == nil:
			fmt.Fprint(w, "there")
		case r.URL.Path == "/to":
			w.Header().Set("Location", r.URL.Query().Get("u"))
			w.WriteHeader(http.StatusFound)
		}
	})
	for hops, want := range map[int]string{0: "", 5: "", 6: "redirects", 50: "redirects"} {
		resp, err := client.Get(fmt.Sprintf("%s/hop/%d", s.URL, hops))
		if unreadCode(err) != want {
			t.Errorf("%d hops: %v", hops, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	for _, to := range []string{"http://127.0.0.1:" + canaryPort, "http://localhost:" + canaryPort, "http://[::1]:" + canaryPort, "//127.0.0.1:" + canaryPort, "file:///etc/hostname", "http://169.254.169.254/", "http://2130706433/"} {
		resp, err := client.Get(s.URL + "/to?u=" + to)
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s was followed", to)
		}
	}
	if hits.Load() != 0 {
		t.Error("the canary was contacted")
	}
}

func TestRequestsAreHonestAndForgetful(t *testing.T) {
	var seen []*http.Request
	s, client, _ := site(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	for range 2 {
		resp, err := client.Get(s.URL + "/a")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for _, r := range seen {
		if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || r.UserAgent() != UserAgent {
			t.Errorf("%s: %v", r.URL, r.Header)
		}
	}
}

func TestLocalOnlyRefusesEverythingBeyondLoopback(t *testing.T) {
	looked := 0
	resolve := func(context.Context, string) ([]netip.Addr, error) {
		looked++
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	scope := "all"
	client := NewClient(Options{Guard: NewGuard(nil), Scope: func() string { return scope }, Resolve: resolve})
	ctx := privacy.WithLocalOnly(context.Background())
	for name, try := range map[string]func() (*http.Response, error){
		"by the run": func() (*http.Response, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://example.com/", nil)
			if err != nil {
				t.Fatal(err)
			}
			return client.Do(req)
		},
		"by the settings": func() (*http.Response, error) { scope = "local-only"; return client.Get("http://93.184.216.34/") },
		"an endpoint": func() (*http.Response, error) {
			return newEndpoint(endpoint{origin: "http://models.example", scope: func() string { return "local-only" }, resolve: resolve}).Get("http://models.example/")
		},
		"a name of this machine that leads away": func() (*http.Response, error) {
			return newEndpoint(endpoint{origin: "http://localhost", scope: func() string { return "local-only" }, resolve: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
			}}).Get("http://localhost/")
		},
	} {
		resp, err := try()
		if err == nil {
			resp.Body.Close()
		}
		if fault.CodeOf(err) != fault.LocalOnly {
			t.Errorf("%s: %v", name, err)
		}
	}
	if looked != 0 {
		t.Errorf("%d names were looked up", looked)
	}
}

func TestLocalOnlyStillReachesALocalEndpoint(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	resp, err := NewEndpointClient(s.URL, func() string { return "local-only" }).Get(s.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func TestCloudModelsAreRefusedWhenSwitchedOff(t *testing.T) {
	scope := func() string { return "no-cloud-models" }
	lan := func() []string { return []string{"http://10.1.2.3:8000", "http://cloud.example"} }
	toPublic := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	for origin, model := range map[string]bool{"https://api.example": true, "http://10.9.9.9": true, "http://cloud.example": true} {
		_, err := newEndpoint(endpoint{origin: origin, scope: scope, model: model, private: lan, resolve: toPublic}).Get(origin + "/v1")
		if fault.CodeOf(err) != fault.LocalOnly {
			t.Errorf("%s: %v", origin, err)
		}
	}
	e := endpoint{origin: "http://10.1.2.3:8000", scope: scope, model: true, private: lan}
	req, err := http.NewRequest(http.MethodGet, "http://10.1.2.3:8000/v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if may, err := e.admit(context.Background(), req.URL); err != nil || may != privateOnly {
		t.Errorf("the listed LAN server: %v %v", may, err)
	}
}

func TestAnEndpointKeepsToItsOriginAndItsKey(t *testing.T) {
	port, hits := counting(t)
	var auth []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth = append(auth, r.Header.Get("Authorization"))
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://127.0.0.1:"+port+"/", http.StatusTemporaryRedirect)
		case "/inside":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer s.Close()
	client := NewEndpointClient(s.URL+"/v1", nil)
	get := func(address string) error {
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer key")
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(s.URL + "/away"); fault.CodeOf(err) != fault.OriginNotAllowed {
		t.Errorf("redirect away: %v", err)
	}
	if err := get("http://127.0.0.1:" + port + "/"); fault.CodeOf(err) != fault.OriginNotAllowed {
		t.Errorf("other origin: %v", err)
	}
	if err := get(s.URL + "/inside"); err != nil {
		t.Error(err)
	}
	if hits.Load() != 0 {
		t.Error("another origin was contacted")
	}
	if len(auth) != 3 || auth[1] != "Bearer key" || auth[2] != "" {
		t.Errorf("keys: %q", auth)
	}
	if err := get(s.URL + "/round"); fault.CodeOf(err) != fault.OriginNotAllowed {
		t.Errorf("redirects without end: %v", err)
	}
	if err := get(s.URL + "/file"); fault.CodeOf(err) != fault.OriginNotAllowed || !strings.Contains(err.Error(), "file:") {
		t.Errorf("redirect to a file: %v", err)
	}
	if _, err := NewEndpointClient("ftp://x", nil).Get("http://x/"); fault.CodeOf(err) != fault.InvalidSetting {
		t.Errorf("no origin: %v", err)
	}
}

func packed(name string, plain []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch name {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	default:
		f, err := flate.NewWriter(&b, 9)
		if err != nil {
			panic(err)
		}
		w = f
	}
	if _, err := w.Write(plain); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestBodiesAreUnpackedAndCutAtTheirLimits(t *testing.T) {
	text := []byte(strings.Repeat("a plain sentence. ", 100))
	bomb := packed("gzip", make([]byte, 200<<20))
	for name, c := range map[string]struct {
		encoding string
		body     []byte
		least    int
		most     int
		err      error
	}{
		"plain":            {"", text, len(text), len(text), nil},
		"gzip":             {"gzip", packed("gzip", text), len(text), len(text), nil},
		"deflate (zlib)":   {"deflate", packed("zlib", text), len(text), len(text), nil},
		"deflate (bare)":   {"Deflate", packed("flate", text), len(text), len(text), nil},
		"bomb":             {"gzip", bomb, 1 << 20, 10 << 20, ErrCut},
		"large, well made": {"", bytes.Repeat([]byte("x"), 8<<20), 5 << 20, 5 << 20, ErrCut},
		"cut gzip":         {"gzip", packed("gzip", text)[:40], 0, len(text), io.ErrUnexpectedEOF},
		"lie":              {"gzip", text, 0, 0, gzip.ErrHeader},
	} {
		s, client, _ := site(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.encoding != "" {
				w.Header().Set("Content-Encoding", c.encoding)
			}
			if _, err := w.Write(c.body); err != nil && c.err == nil {
				t.Logf("%s: %v", name, err)
			}
		})
		resp, err := client.Get(s.URL)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		body, err := io.ReadAll(resp.Body)
		runtime.ReadMemStats(&after)
		resp.Body.Close()
		if !errors.Is(err, c.err) || len(body) < c.least || len(body) > c.most {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 80<<20 {
			t.Errorf("%s: %d MB allocated", name, grown>>20)
		}
	}
}

func TestUnknownAndLayeredEncodingsAreRefused(t *testing.T) {
	for _, encoding := range []string{"br", "x-evil", "gzip, gzip"} {
		s, client, _ := site(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", encoding)
			fmt.Fprint(w, "bytes")
		})
		if _, err := client.Get(s.URL); unreadCode(err) != "not-text" {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

func TestABodyThatStopsArrivingEnds(t *testing.T) {
	s, client, _ := site(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "first words")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	resp, err := client.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	began := time.Now()
	body, err := io.ReadAll(resp.Body)
	if string(body) != "first words" || !errors.Is(err, errIdle) || !timedOut(err) || time.Since(began) > 30*time.Second {
		t.Errorf("%q, %v after %v", body, err, time.Since(began))
	}
}

func TestHugeHeadersAreAnError(t *testing.T) {
	s, client, _ := site(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-A", strings.Repeat("a", 300<<10))
	})
	if resp, err := client.Get(s.URL); err == nil {
		resp.Body.Close()
		t.Error("was read")
	}
}

func TestTrafficIsCountedByPurpose(t *testing.T) {
	s, client, _ := site(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "body") })
	ctx, meter := privacy.WithMeter(privacy.WithPurpose(context.Background(), "page"))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Error(err)
	}
	resp.Body.Close()
	if e := meter.Entries(); len(e) != 1 || e[0].Purpose != "page" || e[0].BytesIn < 4 || e[0].BytesOut == 0 || e[0].Requests != 1 {
		t.Errorf("%+v", e)
	}
}

func TestSleepOfTheMachineIsNoticed(t *testing.T) {
	if jumped(3*time.Second, 3*time.Second) || jumped(time.Hour, time.Hour) || !jumped(time.Hour, time.Second) {
		t.Error("wrong judgement of the clocks")
	}
	var w sleepWatch
	for range 2 {
		if w.slept(time.Now()) {
			t.Error("slept while awake")
		}
	}
}
