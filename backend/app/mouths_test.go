package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/server"
)

// TestMain lets the test binary be its own child: the document parser runs in
// another process here as well.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if run, ok := children[os.Args[1]]; ok {
			if err := run(context.Background(), os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

const token = "a-token-for-tests-only"

var program = Program{Version: "test", Assets: os.DirFS(filepath.Join("..", ".."))}

// mouths is one program with both of its mouths open.
type mouths struct {
	house *command.House
	app   *Bindings
	base  string
	told  chan told
}

type told struct {
	name string
	data any
}

func open(t *testing.T) *mouths {
	t.Helper()
	house, err := Program{}.openHouse(t.Context(), command.Flags{Data: t.TempDir(), Set: []string{"models.chat=none", "web.enabled=false", "library.watch=false", "rank.encoder=off"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := house.Library.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	pages, err := program.pages()
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(program.rooms(house), server.Options{Addr: "127.0.0.1:0", Token: token, Assets: pages, Now: time.Now, Log: house.Log})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	m := &mouths{house: house, base: "http://" + listener.Addr().String(), told: make(chan told, 4096)}
	rooms := program.rooms(house)
	rooms.FromWindow = true
	m.app = newBindings(ctx, rooms, func(name string, data any) { m.told <- told{name, data} })
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		closing, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := house.Close(closing); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return m
}

func (m *mouths) http(t *testing.T, method, path string, body any, into any) int {
	t.Helper()
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), method, m.base+path, &sent)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	return resp.StatusCode
}

// overHTTP asks by the API and follows by server-sent events, leaving after the
// fifth event and coming back by number.
func (m *mouths) overHTTP(t *testing.T, q map[string]any) []contract.Event {
	t.Helper()
	var asked api.Asked
	if status := m.http(t, "POST", "/api/runs", q, &asked); status != http.StatusAccepted {
		t.Fatalf("status %d", status)
	}
	events := m.stream(t, asked.Run, 0, 5)
	return append(events, m.stream(t, asked.Run, len(events), 0)...)
}

func (m *mouths) stream(t *testing.T, run contract.RunID, after, most int) []contract.Event {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", m.base+"/api/runs/"+string(run)+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if after > 0 {
		req.Header.Set("Last-Event-ID", fmt.Sprint(after))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var events []contract.Event
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e contract.Event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		if events = append(events, e); len(events) == most {
			break
		}
	}
	return events
}

func bodyOf(t *testing.T, v any) json.RawMessage {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func (m *mouths) call(t *testing.T, pattern string, sent Sent) (any, error) {
	t.Helper()
	return m.app.Call(pattern, sent, "")
}

// throughWindow asks by the bound methods and follows by window events.
func (m *mouths) throughWindow(t *testing.T, q map[string]any) []contract.Event {
	t.Helper()
	given, err := m.call(t, "POST /api/runs", Sent{Body: bodyOf(t, q)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.app.Follow("GET /api/runs/{id}/events", Sent{Path: map[string]string{"id": string(given.(api.Asked).Run)}}, "page"); err != nil {
		t.Fatal(err)
	}
	var events []contract.Event
	for {
		select {
		case one := <-m.told:
			e, ok := one.data.(contract.Event)
			if !ok || one.name != "footnote:event:page" {
				t.Fatalf("the window was told %v", one)
			}
			events = append(events, e)
			if e.Kind.Terminal() {
				return events
			}
		case <-time.After(time.Minute):
			t.Fatal("the window hears nothing more")
		}
	}
}

var passing = regexp.MustCompile(`,"ms":\d+|"\d{4}-\d\d-\d\dT[0-9:.]+Z"|"\w*ms":\s*\d+|"(freshness|composite)":\s*[0-9.e-]+|(run|thr)_[a-z0-9]{26}`)

// kinds is a log as both mouths must tell it: the bodies without ids and times,
// in order but for the local search, which runs beside the plan.
func kinds(t *testing.T, events []contract.Event) []string {
	t.Helper()
	var beside, out []string
	for i, e := range events {
		if e.Seq != i+1 {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		body, err := json.Marshal(e.Body)
		if err != nil {
			t.Fatal(err)
		}
		line := string(e.Kind) + " " + passing.ReplaceAllString(string(body), "")
		if strings.Contains(line, `"engine":"library","page"`) || strings.Contains(line, `"engine":"library","count"`) {
			beside = append(beside, line)
			continue
		}
		out = append(out, line)
	}
	return append(beside, out...)
}

func TestBothMouthsTellTheSame(t *testing.T) {
	m := open(t)
	library, err := filepath.Abs(filepath.Join("..", "..", "build", "library"))
	if err != nil {
		t.Fatal(err)
	}
	var added api.AddView
	if status := m.http(t, "POST", "/api/library", map[string]any{"paths": []string{library}}, &added); status != http.StatusAccepted || len(added.Added) != 1 {
		t.Fatalf("adding gives %d %+v", status, added)
	}
	m.settle(t)
	for _, q := range []map[string]any{
		{"question": "When was the lamp of Skerry Point first lit?", "offline": true},
		{"question": "How much does a family ticket cost?", "focus": "local"},
		{"question": "What does the insurance say about damage by waves?", "focus": "local", "mode": "speed", "k": 3},
		{"question": "Which colour has the submarine of the mayor of Atlantis?", "focus": "local"},
		{"question": "Hello!"},
		{"question": "Write a poem.", "focus": "writing"},
	} {
		q["cache"] = false // each mouth makes its own run
		t.Run(q["question"].(string), func(t *testing.T) {
			byHTTP, byWindow := kinds(t, m.overHTTP(t, q)), kinds(t, m.throughWindow(t, q))
			for i := range min(len(byHTTP), len(byWindow)) {
				if byHTTP[i] != byWindow[i] {
					t.Fatalf("event %d differs\nHTTP   %s\nwindow %s", i+1, byHTTP[i], byWindow[i])
				}
			}
			if len(byHTTP) != len(byWindow) {
				t.Errorf("HTTP tells %d events, the window %d", len(byHTTP), len(byWindow))
			}
		})
	}
}

// settle waits until everything added is read and searchable.
func (m *mouths) settle(t *testing.T) {
	t.Helper()
	for range 400 {
		status, err := m.house.Library.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := status.Totals; n.Waiting == 0 && n.Ready > 0 && n.Indexed == n.Chunks && n.Vectors == n.Chunks {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the library does not come to rest")
}

func TestBothMouthsShowTheSame(t *testing.T) {
	m := open(t)
	library, err := filepath.Abs(filepath.Join("..", "..", "build", "library"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.call(t, "POST /api/library", Sent{Body: bodyOf(t, map[string]any{"paths": []string{library}, "watch": false})}); err != nil {
		t.Fatal(err)
	}
	m.settle(t)
	last := m.overHTTP(t, map[string]any{"question": "When was the lamp of Skerry Point first lit?", "focus": "local"})
	a := last[len(last)-1].Body.(contract.FinishedRun).Answer
	citation := a.Citations[0]
	show := func(pattern, id string, query map[string]string) any {
		t.Helper()
		bound, err := m.call(t, pattern, Sent{Path: map[string]string{"id": id}, Query: query})
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			return nil
		}
		_, path, _ := strings.Cut(strings.ReplaceAll(pattern, "{id}", id), " ")
		values := url.Values{}
		for name, value := range query {
			values.Set(name, value)
		}
		var byHTTP, byWindow any
		m.http(t, "GET", path+"?"+values.Encode(), nil, &byHTTP)
		if err := json.Unmarshal(bodyOf(t, bound), &byWindow); err != nil || !reflect.DeepEqual(byHTTP, byWindow) {
			t.Errorf("%s differs:\nHTTP   %v\nwindow %v", pattern, byHTTP, byWindow)
		}
		return bound
	}
	show("GET /api/threads", "", map[string]string{"limit": "10"})
	show("GET /api/threads/{id}", string(a.Thread), nil)
	show("GET /api/runs/{id}", string(a.Run), nil)
	show("GET /api/sources/{id}", string(citation.Source), nil)
	text := show("GET /api/sources/{id}/text", string(citation.Source), map[string]string{"citation": string(a.Run) + ":0"}).(api.TextView)
	show("GET /api/passages/{id}", string(citation.Passage), nil)
	show("GET /api/library/files", "", nil)
	show("GET /api/library", "", nil)
	show("GET /api/settings", "", nil)
	show("GET /api/engines", "", nil)

	runes := []rune(text.Text)
	h := text.Highlight[0]
	if lit := string(runes[h.Start-text.Start : h.End-text.Start]); !strings.Contains(lit, "12 October 1874") {
		t.Errorf("the badge opens at %q", lit)
	}
}

func TestBothMouthsRefuseTheSame(t *testing.T) {
	m := open(t)
	for _, c := range []struct {
		name, pattern, id string
		body              any
	}{
		{"an empty question", "POST /api/runs", "", map[string]any{"question": " "}},
		{"an unknown run", "POST /api/runs/{id}/stop", "run_aaaaaaaaaaaaaaaaaaaaaaaaaa", map[string]any{}},
		{"an unknown source", "GET /api/sources/{id}", "src_aaaaaaaaaaaaaaaaaaaaaaaaaa", nil},
		{"a bad setting", "PUT /api/settings", "", map[string]any{"agent.max_steps": 99}},
		{"a relative path", "POST /api/library", "", map[string]any{"paths": []string{"here"}}},
		{"what is no id", "GET /api/runs/{id}", "here", nil},
		{"a field of another type", "POST /api/runs", "", map[string]any{"question": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var byHTTP api.Failure
			method, path, _ := strings.Cut(strings.ReplaceAll(c.pattern, "{id}", c.id), " ")
			status := m.http(t, method, path, c.body, &byHTTP)
			_, err := m.call(t, c.pattern, Sent{Path: map[string]string{"id": c.id}, Body: bodyOf(t, c.body)})
			if err == nil || status < 400 {
				t.Fatalf("status %d, window %v", status, err)
			}
			var byWindow api.Failure
			if text, ok := rejection(err).(string); !ok || json.Unmarshal([]byte(text), &byWindow) != nil {
				t.Fatalf("the page is told %v", rejection(err))
			}
			if byHTTP.Code != byWindow.Code || byHTTP.Message != byWindow.Message || byHTTP.Hint == "" {
				t.Errorf("HTTP %+v\nwindow %+v", byHTTP, byWindow)
			}
		})
	}
}
