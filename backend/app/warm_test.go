package app

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/command"
)

// peer is a loopback server that notes its connections and what is asked.
type peer struct {
	*httptest.Server
	mu    sync.Mutex
	conns int
	asked [][2]string // what, and over which connection
}

func newPeer(t *testing.T, handle http.HandlerFunc) *peer {
	p := &peer{}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, [2]string{r.Method + " " + r.URL.Path, r.RemoteAddr})
		p.mu.Unlock()
		handle(w, r)
	}))
	p.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.conns++
		}
	}
	p.Start()
	t.Cleanup(p.Close)
	return p
}

func (p *peer) seen() (int, [][2]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns, slices.Clone(p.asked)
}

// talker is a model server in the form of most, searchBox a SearXNG.
func talker(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		io.WriteString(w, `{"data":[{"id":"m"}]}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, `data: {"choices":[{"delta":{"content":"The Lorne bridge was opened in 1932. [1]"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

func searchBox(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"results": []map[string]string{{"title": "The Lorne bridge", "url": "https://lorne.example/bridge", "content": "The Lorne bridge was opened in 1932."}}})
}

func warmHouse(t *testing.T, engine, model *peer, set ...string) *command.House {
	t.Helper()
	h, err := Program{}.openHouse(t.Context(), command.Flags{Data: t.TempDir(), Set: append([]string{
		"web.searxng.url=" + engine.URL, "web.engines=searxng", "web.keyless=never", "models.chat=office/m", "providers.custom.office.url=" + model.URL + "/v1",
		"models.embedding=none", "rank.encoder=off", "library.watch=false", "ask.mode=speed",
	}, set...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return h
}

func TestAQuestionFindsTheConnectionsOpenThatTypingOpened(t *testing.T) {
	engine, model := newPeer(t, searchBox), newPeer(t, talker)
	h := warmHouse(t, engine, model)
	<-h.Warmer.Warm("")
	for _, p := range []*peer{engine, model} {
		if conns, asked := p.seen(); conns != 1 || len(asked) != 1 || !strings.HasPrefix(asked[0][0], "HEAD /") {
			t.Fatalf("after typing: %d connections, asked %v", conns, asked)
		}
	}
	q := h.Engine.Defaults()
	q.Text, q.Unattended = "When was the Lorne bridge opened?", true
	run, err := h.Engine.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if last, err := h.Engine.Wait(ctx, run.ID); err != nil || last.Kind != "finished" {
		t.Fatalf("%s %v", last.Kind, err)
	}
	for name, p := range map[string]*peer{"engine": engine, "model": model} {
		if _, asked := p.seen(); len(asked) < 2 || asked[1][1] != asked[0][1] {
			t.Errorf("%s: the question came by another connection: %v", name, asked)
		}
	}
}

func TestTypingOpensNothingWhereTheWebIsShut(t *testing.T) {
	for _, set := range []string{"privacy.scope=local-only", "web.enabled=false"} {
		engine, model := newPeer(t, searchBox), newPeer(t, talker)
		h := warmHouse(t, engine, model, set)
		<-h.Warmer.Warm("")
		<-h.Warmer.Warm("office/m")
		for _, p := range []*peer{engine, model} {
			if conns, asked := p.seen(); conns != 0 {
				t.Errorf("%s: %d connections, asked %v", set, conns, asked)
			}
		}
	}
}
