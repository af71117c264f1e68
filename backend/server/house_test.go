package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/table"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

const (
	testToken = "a-token-for-tests-only"

	bridge = "# The Lorne bridge\n\nThe bridge over the Lorne was opened on 3 May 1932. It cost 4.2 million pounds.\n\nEight years of work went before it, and eleven workers died.\n"
	// Each sentence stands behind characters of two UTF-16 units and four bytes.
	signs = "# Signs 🌉\n\n𝔗𝔥𝔢 boatman 🚧🚧 was born in 1911. The ferry sign 🪧 of Arden was put up in 1974.\n"
)

// house is a server with every room real but the model and the web.
type house struct {
	*Server
	rooms *api.Rooms
	db    *store.DB
	base  string
	dir   string // of documents that are in the library
	model *llmtest.Scripted
	web   *webtest.Frozen
	clock *atomic.Int64 // nanoseconds that are added to the time
	log   *housetest.Output
	stop  func() error // serves no more
	close func()       // ends the rooms
}

// plan is what a test changes before its house is built.
type plan struct {
	opt     Options
	data    string // folder; empty makes one
	set     []string
	files   map[string]string
	replies []llmtest.Reply // none: there is no model
	web     *webtest.Frozen
	tune    func(*Server)
	origin  string // of the model's server
}

func open(t *testing.T, change func(*plan)) *house {
	t.Helper()
	p := &plan{web: &webtest.Frozen{Seen: time.Now()}}
	if change != nil {
		change(p)
	}
	h := &house{dir: t.TempDir(), web: p.web, clock: &atomic.Int64{}, log: &housetest.Output{}}
	if p.replies != nil {
		h.model = llmtest.NewScripted(p.replies...)
	}
	h.build(t, p)
	h.shelve(t, p.files)
	h.serve(t, p)
	return h
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// build composes the rooms as the program does, in one process.
func (h *house) build(t *testing.T, p *plan) {
	t.Helper()
	data := p.data
	if data == "" {
		data = t.TempDir()
	}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	now := func() time.Time { return time.Now().Add(time.Duration(h.clock.Load())) }
	made := must[*housetest.House](t)(housetest.Open(t.Context(), housetest.Plan{
		Data: data, Set: append([]string{"library.watch=false"}, p.set...), Web: p.web, Now: now, Log: log, Opened: api.ReadableIn(data),
		Providers: func() []llm.Provider {
			if h.model == nil {
				return nil
			}
			return []llm.Provider{housetest.Provider(h.model, p.origin)}
		},
	}))
	set, db, shelf, models, engine := made.Settings, made.DB, made.Library, made.Models, made.Engine
	engines := web.NewEngineRegistry([]web.Line{{Name: "frozen", Kinds: []string{"general"}, Keyless: true, Make: func(string) gather.Finder { return p.web }}}, set.Now,
		func(line web.Line, f gather.Finder) *web.Breaker {
			return web.NewBreaker(f, web.BreakerOptions{Name: line.Name, Now: now, Log: log, Limits: func() web.BreakerLimits { return web.BreakerLimits{Blocks: 2} }})
		}, now)
	if err := shelf.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.db = db
	tables := table.New(table.Config{Asker: engine, Store: db, Base: engine.Defaults, Unread: shelf.Unread, Now: now, Log: log})
	tables.Start(t.Context())
	h.rooms = &api.Rooms{
		Engine: engine, DB: db, Library: shelf, Settings: set, Models: models, Outside: api.Outside{Engines: engines}, Tables: tables, Version: "test", Began: now(), Log: log,
		Keys: settings.NewKeys(settings.KeysConfig{DataDir: data, Keychain: func() bool { return false }}),
	}
	h.close = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for _, err := range []error{tables.Close(ctx), made.Close(ctx)} {
			if err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	t.Cleanup(h.close)
	p.opt.Now, p.opt.Log = now, log
}

// add adds paths to the library.
func (h *house) add(t *testing.T, paths ...string) (api.AddView, error) {
	t.Helper()
	return api.New(h.rooms).Library.Add(t.Context(), api.AddRequest{Paths: paths})
}

// shelve writes files and waits until the library knows them.
func (h *house) shelve(t *testing.T, files map[string]string) {
	t.Helper()
	if len(files) == 0 {
		return
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.add(t, h.dir); err != nil {
		t.Fatal(err)
	}
	if err := h.rooms.Library.Wait(t.Context(), []string{h.dir}, func(library.File) {}); err != nil {
		t.Fatal(err)
	}
}

func (h *house) serve(t *testing.T, p *plan) {
	t.Helper()
	p.opt.Addr, p.opt.Token = "127.0.0.1:0", testToken
	p.opt.Assets = fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html><html lang=\"en\"><title>shell</title>")}, "assets/app.js": {Data: []byte("export {}")},
		"favicon.svg": {Data: []byte("<svg/>")}, ".hidden": {Data: []byte("secret")},
	}
	h.Server = must[*Server](t)(New(h.rooms, p.opt))
	if p.tune != nil {
		p.tune(h.Server)
	}
	listener := must[net.Listener](t)(h.Listen())
	h.base = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, listener) }()
	h.stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() {
		if err := h.stop(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// answered is a response that was read to its end.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (a answered) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("%v in %q", err, a.body)
	}
}

func (a answered) failure(t *testing.T) api.Failure {
	t.Helper()
	var f api.Failure
	a.into(t, &f)
	return f
}

// send makes a request as its owner would; change may spoil it. Whatever comes is
// held against the description of the API.
func (h *house) send(t *testing.T, method, path string, body any, change func(*http.Request)) answered {
	t.Helper()
	resp := h.open(t, method, path, body, change)
	defer resp.Body.Close()
	a := answered{resp.StatusCode, resp.Header, must[[]byte](t)(io.ReadAll(resp.Body))}
	if err := theAPI().conforms(resp.Request, a); err != nil {
		t.Errorf("not as described: %v", err)
	}
	return a
}

func (h *house) open(t *testing.T, method, path string, body any, change func(*http.Request)) *http.Response {
	t.Helper()
	var sent io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		sent = strings.NewReader(b)
	case io.Reader:
		sent = b
	default:
		sent = bytes.NewReader(must[[]byte](t)(json.Marshal(b)))
	}
	req := must[*http.Request](t)(http.NewRequestWithContext(t.Context(), method, h.base+path, sent))
	req.Header.Set("Authorization", "Bearer "+testToken)
	if sent != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(req)
	}
	return must[*http.Response](t)(plainClient.Do(req))
}

// plainClient follows no redirect and keeps no connection.
var plainClient = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (h *house) get(t *testing.T, path string, into any) int {
	t.Helper()
	a := h.send(t, "GET", path, nil, nil)
	if into != nil {
		a.into(t, into)
	}
	return a.status
}

func (h *house) post(t *testing.T, path string, body, into any) int {
	t.Helper()
	a := h.send(t, "POST", path, body, nil)
	if into != nil {
		a.into(t, into)
	}
	return a.status
}

// ask answers a question by the API, waiting for its end.
func (h *house) ask(t *testing.T, q map[string]any) api.RunView {
	t.Helper()
	var run api.RunView
	if status := h.post(t, "/api/runs?wait=true", q, &run); status != http.StatusOK {
		t.Fatalf("asking gives %d", status)
	}
	return run
}

// start begins a run and does not wait for it.
func (h *house) start(t *testing.T, q map[string]any) api.Asked {
	t.Helper()
	var asked api.Asked
	if status := h.post(t, "/api/runs", q, &asked); status != http.StatusAccepted {
		t.Fatalf("asking gives %d", status)
	}
	return asked
}

func local(question string) map[string]any {
	return map[string]any{"question": question, "focus": "local"}
}

// slow is a model that writes until it is stopped.
func slow(p *plan) {
	p.replies = []llmtest.Reply{{Text: strings.Repeat("word ", 2000), Delay: 5 * time.Millisecond}}
	p.files = map[string]string{"bridge.md": bridge}
}

// frame is one server-sent event as it came over the wire.
type frame struct{ id, event, data, comment, retry string }

// frames reads a stream frame by frame.
func frames(r io.Reader) func() (frame, error) {
	in := bufio.NewReader(r)
	return func() (f frame, err error) {
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return f, err
			}
			line = strings.TrimSuffix(line, "\n")
			if line == "" {
				return f, nil
			}
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "id":
				f.id = value
			case "event":
				f.event = value
			case "data":
				f.data = value
			case "retry":
				f.retry = value
			default:
				f.comment = strings.TrimPrefix(line, ": ")
			}
		}
	}
}

func wantFault(t *testing.T, what string, a answered, status int, code fault.Code) {
	t.Helper()
	var f api.Failure
	if err := json.Unmarshal(a.body, &f); err != nil || a.status != status || f.Code != code || f.Message == "" || f.Hint == "" {
		t.Errorf("%s: %d %s, want %d %s", what, a.status, a.body, status, code)
	}
}
