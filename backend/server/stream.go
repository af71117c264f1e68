package server

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
)

const (
	pingEvery  = 15 * time.Second
	writeLimit = time.Minute // a reader that takes nothing for so long is dropped
	lagLimit   = 1000        // events that a live reader may be behind
)

// stream writes server-sent events. Methods may be called from two goroutines:
// the ping beside the events.
type stream struct {
	mu       sync.Mutex
	w        http.ResponseWriter
	ctl      *http.ResponseController
	patience time.Duration
	dead     bool
}

// wireForm is how a kind of stream looks on the wire.
type wireForm struct {
	media   string
	opening string        // what it begins with
	every   time.Duration // between pings; 0 = the server's standard
	ping    func(*stream) // says that the line is alive
}

// serverSent is the form of server-sent events.
var serverSent = wireForm{media: "text/event-stream", opening: "retry: 5000\n\n", ping: func(out *stream) { out.send(": ping\n\n") }}

func (s *Server) newStream(w http.ResponseWriter, form wireForm) *stream {
	h := w.Header()
	h.Set("Content-Type", form.media)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := &stream{w: w, ctl: http.NewResponseController(w), patience: s.patience}
	out.send(form.opening)
	return out
}

func (s *stream) send(frame string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return false
	}
	err := s.ctl.SetWriteDeadline(time.Now().Add(s.patience))
	if err == nil {
		_, err = s.w.Write([]byte(frame))
	}
	if err == nil {
		err = s.ctl.Flush()
	}
	s.dead = err != nil
	return !s.dead
}

func (s *stream) event(seq int, kind string, v any) bool {
	data, err := json.Marshal(v)
	if err != nil {
		return false
	}
	return s.send(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", seq, kind, data))
}

// pinging keeps the line awake until the returned function is called.
func (s *stream) pinging(every time.Duration, ping func(*stream)) (stop func()) {
	done := make(chan struct{})
	var gone sync.WaitGroup
	gone.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				ping(s)
			case <-done:
				return
			}
		}
	})
	return func() { close(done); gone.Wait() }
}

// afterOf is the number of the last event that a reader saw.
func afterOf(r *http.Request) (int, error) {
	text := r.Header.Get("Last-Event-ID")
	if q := r.URL.Query().Get("after"); q != "" {
		text = q
	}
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.New(fault.InvalidRequest, "Last-Event-ID is not the number of an event.", "Send the id of the last event you saw.")
	}
	return n, nil
}

// runEvents streams a run: replay from the journal, then live.
func (s *Server) runEvents(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	if r.URL.Query().Get("format") == "jsonl" {
		s.journal(w, r, contract.RunID(id))
		return
	}
	after, err := startOf(r)
	if err == nil {
		_, err = s.api.Runs.Get(r.Context(), api.ID{ID: id})
	}
	if err != nil {
		writeError(w, err)
		return
	}
	s.stream(w, r, serverSent, func(ctx context.Context, out *stream) {
		run := contract.RunID(id)
		relay(out, s.rooms.Engine.Follow(ctx, run, after), func() int { return s.rooms.Engine.Head(run) })
	})
}

// startOf is the number a reader wants to go on from, if a stream is what they
// accept.
func startOf(r *http.Request) (int, error) {
	if !accepts(r, "text/event-stream") {
		return 0, fault.New(fault.NotAcceptable, "This is a stream of events.", "Accept text/event-stream.")
	}
	return afterOf(r)
}

// stream opens a stream and keeps it awake while tell runs. HEAD gets the header
// alone.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, form wireForm, tell func(context.Context, *stream)) {
	ctx, cancel := s.lasting(w, r)
	defer cancel()
	out := s.newStream(w, form)
	if r.Method == http.MethodHead {
		return
	}
	every := form.every
	if every == 0 {
		every = s.ping
	}
	defer out.pinging(every, form.ping)()
	tell(ctx, out)
}

// relay sends events until they end or the reader cannot keep up. head is the
// number of the newest event; who replays may be far behind it, but who has once
// been level with it and then falls back is dropped, and may resume.
func relay(out *stream, events iter.Seq2[contract.Event, error], head func() int) {
	level := false
	for e, err := range events {
		if err != nil || !out.event(e.Seq, string(e.Kind), e) {
			return
		}
		behind := head() - e.Seq
		level = level || behind <= 0
		if level && behind > lagLimit {
			return
		}
	}
}

// journal gives all of a run's events so far as lines of JSON.
func (s *Server) journal(w http.ResponseWriter, r *http.Request, id contract.RunID) {
	events, err := s.rooms.DB.Since(r.Context(), id, 0)
	if err == nil && len(events) == 0 {
		err = fault.New(fault.NotFound, "There is no such run.", "Look in the list of threads.")
	}
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="events.jsonl"`)
	enc := json.NewEncoder(w)
	for _, e := range events {
		if enc.Encode(e) != nil {
			return
		}
	}
}
