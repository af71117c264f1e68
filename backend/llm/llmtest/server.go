package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// server is a model server that does what its scripts say. The model's name in
// the request chooses the script.
type server struct {
	*httptest.Server
	scripts map[string]func(*reply)

	mu       sync.Mutex
	requests []map[string]any
	hangups  map[string]int // scripts that saw the client go, how often
}

func newServer(scripts map[string]func(*reply)) *server {
	s := &server{scripts: scripts, hangups: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request map[string]any
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return
	}
	name, _ := request["model"].(string)
	speak := openaiForm
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/api/show"):
		_, _ = io.WriteString(w, `{"capabilities":["completion","tools","thinking"],"model_info":{"x.context_length":32768}}`)
		return
	case strings.HasSuffix(path, "/api/chat"):
		speak = ollamaForm
	case strings.HasSuffix(path, "/v1/messages"):
		speak = anthropicForm
	case strings.HasSuffix(path, ":streamGenerateContent"):
		_, path, _ = strings.Cut(path, "/models/")
		name, _, _ = strings.Cut(path, ":")
		speak = geminiForm
	}
	if s.scripts[name] == nil {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	s.scripts[name](&reply{s: s, w: w, r: r, name: name, form: speak, end: "\n"})
	if r.Context().Err() != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hangups[name]++
	}
}

func (s *server) last() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1]
}

// reply writes one answer in the form the client asked for.
type reply struct {
	s    *server
	w    http.ResponseWriter
	r    *http.Request
	name string
	form form
	end  string // of a line

	thinking bool // a thought has begun
}

func (r *reply) raw(text string) {
	_, _ = io.WriteString(r.w, text) // a client that has gone is noticed at the end
	r.w.(http.Flusher).Flush()
}

func (r *reply) event(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	r.raw(r.framed(string(data)))
}

func (r *reply) framed(data string) string {
	if r.form.lines {
		return data + r.end
	}
	return "data: " + data + r.end + r.end
}

func (r *reply) text(text string) { r.event(r.form.text(text)) }

func (r *reply) think(text string) {
	if !r.thinking {
		r.thinking = true
		for _, e := range r.form.begin {
			r.event(e)
		}
	}
	r.event(r.form.think(text))
}

// tool sends one call, in two pieces where the form has them.
func (r *reply) tool(index int, name, query string) {
	for _, e := range r.form.tool(index, name, query) {
		r.event(e)
	}
}

// finish ends the reply as a good server does, with 10 and 20 tokens.
func (r *reply) finish(reason string) { r.finishing(r.form.finish(reason, true)) }

// finishUncounted gives the reason for the end and nothing else.
func (r *reply) finishUncounted(reason string) { r.finishing(r.form.finish(reason, false)) }

func (r *reply) finishing(events []any) {
	for _, e := range events {
		if mark, ok := e.(string); ok {
			r.raw(r.framed(mark))
			continue
		}
		r.event(e)
	}
}

// refuse answers with a status and an error object.
func (r *reply) refuse(status int, message, code string) {
	r.w.Header().Set("Content-Type", "application/json")
	r.w.WriteHeader(status)
	r.event0(r.form.failure(message, code))
}

func (r *reply) event0(v object) {
	data, _ := json.Marshal(v) // strings only
	r.raw(string(data))
}

// wait lasts d or until the client hangs up.
func (r *reply) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.r.Context().Done():
	}
}

// drop ends the connection in the middle.
func (r *reply) drop() { panic(http.ErrAbortHandler) }
