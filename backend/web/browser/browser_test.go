package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

// canary is a server that nothing may contact.
type canary struct {
	*httptest.Server
	mu   sync.Mutex
	hits []string
}

func newCanary(t *testing.T) *canary {
	c := &canary{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hits = append(c.hits, r.Method+" "+r.URL.String())
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *canary) contacts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits
}

// render draws the page at a path of a site that is let through by its origin.
func render(t *testing.T, site *httptest.Server, path string) (string, *url.URL, error) {
	t.Helper()
	if Installed() == "" {
		t.Skip("no browser is installed")
	}
	guard := web.NewGuard(func() []string { return []string{site.URL} })
	dir := t.TempDir()
	b := New(Options{Client: web.NewClient(web.Options{Guard: guard}), Dir: dir, unsandboxed: os.Geteuid() == 0})
	u, err := url.Parse(site.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	markup, at, err := b.Render(ctx, u)
	if err != nil && !errors.As(err, new(*gather.UnreadError)) {
		t.Errorf("%s: %v is no unread error", path, err)
	}
	left, globErr := filepath.Glob(filepath.Join(dir, "*"))
	if globErr != nil || len(left) != 0 {
		t.Errorf("%s: left behind %v", path, left)
	}
	if why := new(gather.UnreadError); errors.As(err, &why) && why.Code == "timeout" {
		t.Skip("this computer is too busy for a browser")
	}
	return markup, at, err
}

// site serves a page that scripts draw from data that a request brings, and that
// tries every way out on its way.
func site(t *testing.T, forbidden string) *httptest.Server {
	mux := http.NewServeMux()
	serve := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || !strings.Contains(r.UserAgent(), "Footnote") {
				t.Errorf("%s: headers %v", path, r.Header)
			}
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Set-Cookie", "track=1")
			fmt.Fprint(w, body)
		})
	}
	serve("/{$}", "text/html", `<!doctype html><title>Drawn</title><div id="app"></div><script src="/app.js"></script>`)
	serve("/app.js", "text/javascript", `
		const out = `+"`"+forbidden+"`"+`;
		alert("stop");
		for (const ask of [
			() => fetch(out + "/fetch"), () => fetch(out + "/post", {method: "POST", mode: "no-cors", body: "x"}), () => navigator.sendBeacon(out + "/beacon"),
			() => new WebSocket(out.replace("http", "ws") + "/socket"), () => { new Image().src = out + "/image"; }, () => new EventSource(out + "/events"),
			() => { const f = document.createElement("iframe"); f.src = out + "/frame"; document.body.append(f); },
			() => { const l = document.createElement("link"); l.rel = "preconnect"; l.href = out; document.head.append(l); },
			() => new Worker(URL.createObjectURL(new Blob(["fetch('" + out + "/worker')"]))), () => window.open(out + "/window"),
			() => { const s = document.createElement("script"); s.src = "http://localhost:" + new URL(out).port + "/name"; document.head.append(s); },
			() => new RTCPeerConnection({iceServers: [{urls: "stun:" + new URL(out).host}]}).createDataChannel("x"),
		]) try { Promise.resolve(ask()).catch(() => 0); } catch {}
		fetch("/data").then(r => r.json()).then(d => {
			for (const p of d.paragraphs) { const e = document.createElement("p"); e.textContent = p; document.getElementById("app").append(e); }
		});`)
	serve("/data", "application/json", `{"paragraphs": ["The lamp of the tower stands 43 metres above the sea.", "`+strings.Repeat("It was lit in 1892 and has burnt ever since. ", 12)+`"]}`)
	serve("/never", "text/html", `<!doctype html><script>for (;;) {}</script>`)
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, forbidden+"/redirect", http.StatusFound)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestAPageThatScriptsDrawIsReadAndNothingElseIsContacted(t *testing.T) {
	c := newCanary(t)
	s := site(t, c.URL)
	markup, at, err := render(t, s, "/moved")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(markup, "The lamp of the tower stands 43 metres above the sea.") || at.String() != s.URL+"/" {
		t.Errorf("%s: %s", at, markup)
	}
	if hits := c.contacts(); len(hits) != 0 {
		t.Errorf("contacted: %v", hits)
	}
}

func TestARedirectToAForbiddenPlaceIsNotFollowed(t *testing.T) {
	c := newCanary(t)
	markup, _, err := render(t, site(t, c.URL), "/away")
	if err == nil || len(c.contacts()) != 0 {
		t.Errorf("%v, contacted %v, %s", err, c.contacts(), markup)
	}
}

func TestWithoutItsTimeThePageIsUnreadAndTheBrowserGone(t *testing.T) {
	if Installed() == "" {
		t.Skip("no browser is installed")
	}
	s := site(t, "http://127.0.0.1:1")
	guard := web.NewGuard(func() []string { return []string{s.URL} })
	b := New(Options{Client: web.NewClient(web.Options{Guard: guard}), Dir: t.TempDir(), unsandboxed: os.Geteuid() == 0})
	u, err := url.Parse(s.URL + "/never")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if _, _, err := b.Render(ctx, u); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
