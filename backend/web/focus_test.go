package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/cite"
	"footnote/backend/llm"
	"footnote/backend/registry"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/web"
	"footnote/backend/web/engine"
	"footnote/backend/web/engine/searxng"
	"footnote/backend/web/engine/wikipedia"
	"footnote/backend/web/engine/youtube"
)

// service is an engine with its recorded answers.
type service struct {
	registry.Engine
	make      func(web.Access) gather.Finder
	ok, empty string // files
}

func services() (all []service) {
	makers := maps.Clone(engine.Makers)
	makers["searxng"] = func(a web.Access) gather.Finder {
		a.Client = web.NewEndpointClient(a.Base, nil)
		return searxng.New(a)
	}
	makers["wikipedia"] = func(a web.Access) gather.Finder { return wikipedia.New(a, nil) }
	for _, e := range registry.Engines() {
		if make := makers[e.Name]; make != nil {
			all = append(all, service{e, make, answerOf(e.Name, "ok"), answerOf(e.Name, "empty")})
		}
	}
	video := registry.Engines()[len(registry.Engines())-1]
	return append(all, service{video, youtube.New, answerOf(video.Name, "results"), answerOf(video.Name, "results_empty")})
}

// answerOf is the file of a recorded answer, whatever its format.
func answerOf(engine, answer string) string {
	files, err := filepath.Glob("engine/" + engine + "/testdata/" + answer + ".*")
	if err != nil || len(files) != 1 {
		panic(fmt.Sprintf("%d recorded answers %s of %s: %v", len(files), answer, engine, err))
	}
	return files[0]
}

// exchange answers for all services, each below its name, and notes who was
// asked.
type exchange struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string
	status int // of every answer; 0 for the recorded ones
	body   func(recorded []byte) []byte
	wait   string // Retry-After
	query  string // the longest that was sent
}

func newExchange(t *testing.T) *exchange {
	x := &exchange{}
	files := map[string][]byte{}
	for _, s := range services() {
		data, err := os.ReadFile(filepath.FromSlash(s.ok))
		if err != nil {
			t.Fatal(err)
		}
		files[s.Name] = data
	}
	x.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.mu.Lock()
		defer x.mu.Unlock()
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		x.asked = append(x.asked, name)
		if q := longest(r); len(q) > len(x.query) {
			x.query = q
		}
		body := files[name]
		if name == "pubmed" && strings.Contains(r.URL.Path, "esearch") {
			body = []byte(`{"esearchresult":{"idlist":["1","2"]}}`)
		}
		if x.body != nil {
			body = x.body(body)
		}
		if x.wait != "" {
			w.Header().Set("Retry-After", x.wait)
		}
		if x.status != 0 {
			w.WriteHeader(x.status)
		}
		if _, err := w.Write(body); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(x.Close)
	return x
}

// longest is the longest text of a request: the query.
func longest(r *http.Request) string {
	most := ""
	keep := func(v string) {
		if len(v) > len(most) {
			most = v
		}
	}
	var sent map[string]any
	if strings.Contains(r.Header.Get("Content-Type"), "json") && json.NewDecoder(r.Body).Decode(&sent) == nil {
		for _, v := range sent {
			if s, ok := v.(string); ok {
				keep(s)
			}
		}
	} else if r.ParseForm() == nil {
		for _, values := range r.Form {
			keep(values[0])
		}
	}
	return most
}

func (x *exchange) access(e registry.Engine) web.Access {
	guard := web.NewGuard(func() []string { return []string{x.URL} })
	return web.Access{Name: e.Name, Label: e.Label, Base: x.URL + "/" + e.Name, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now, Key: func() string { return "key" }}
}

func (x *exchange) registry(now func() settings.Settings) *web.EngineRegistry {
	var lines []web.Line
	for _, s := range services() {
		lines = append(lines, web.Line{Name: s.Name, Kinds: s.Kinds, Keyless: true, Make: func(string) gather.Finder { return s.make(x.access(s.Engine)) }})
	}
	return web.NewEngineRegistry(lines, now, func(l web.Line, f gather.Finder) *web.Breaker {
		return web.NewBreaker(f, web.BreakerOptions{Name: l.Name, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	}, time.Now)
}

// nobody is a source of models that has none.
type nobody struct{}

func (nobody) Resolve(context.Context, string) (llm.ResolvedModel, error) {
	return llm.ResolvedModel{}, nil
}

func TestEachFocusAsksItsEnginesOnly(t *testing.T) {
	x := newExchange(t)
	now := settings.Default
	log := slog.New(slog.DiscardHandler)
	db, err := store.Open(t.Context(), t.TempDir(), log, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	engines := x.registry(now)
	plan := func() web.SearchPlan {
		return web.SearchPlan{Order: now().Web.Engines, Keyless: "always", Close: 10 * time.Second, Timeout: 20 * time.Second}
	}
	engine := answer.NewEngine(answer.Config{
		Settings: now, Stores: answer.Stores{Journal: db, Records: db, Archive: db}, Texts: db, Web: web.NewSearcher(engines.Engines, plan, time.Now), Models: nobody{}, Checker: checker, Now: time.Now, Log: log,
	})
	defer engine.Close(context.WithoutCancel(t.Context()))
	set := now().Web
	for _, c := range []struct {
		focus    contract.Focus
		question string
		may      []string
		preset   string
		outcome  contract.Outcome
	}{
		{contract.FocusWeb, "How tall is the tower?", set.Engines, "general", ""},
		{contract.FocusAcademic, "How tall is the tower?", set.Academic.Engines, "academic", ""},
		{contract.FocusCommunity, "How tall is the tower?", set.Community.Engines, "community", ""},
		{contract.FocusVideo, "How tall is the tower?", set.Video.Engines, "video", ""},
		{contract.FocusCompute, "12 * 12", nil, "general", contract.Computed},
		{contract.FocusCompute, "How tall is the tower?", nil, "general", contract.NoEvidence},
		{contract.FocusWriting, "Write a poem about the tower.", nil, "writing", ""},
	} {
		x.asked = nil
		q := engine.Defaults()
		q.Text, q.Focus, q.Mode = c.question, c.focus, contract.ModeSpeed
		run, err := engine.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var planned contract.Planned
		var a contract.Answer
		for e, err := range engine.Follow(t.Context(), run.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
			switch b := e.Body.(type) {
			case contract.Planned:
				planned = b
			case contract.FinishedRun:
				a = b.Answer
			}
		}
		x.mu.Lock()
		for _, name := range x.asked {
			if !slices.Contains(c.may, name) {
				t.Errorf("%s asked %s", c.focus, name)
			}
		}
		if len(c.may) > 0 && len(x.asked) == 0 || planned.Preset != c.preset || c.outcome != "" && a.Outcome != c.outcome {
			t.Errorf("%s asked %v with preset %q and ended as %q", c.focus, x.asked, planned.Preset, a.Outcome)
		}
		x.mu.Unlock()
		for _, s := range a.Sources {
			if !slices.Contains(c.may, s.Engine) {
				t.Errorf("%s: a source by %s", c.focus, s.Engine)
			}
		}
		t.Logf("%s: asked %v, %d sources, preset %s, %s", c.focus, x.asked, len(a.Sources), planned.Preset, a.Outcome)
	}
}
