package server

import (
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	"footnote/backend/fault"
	"footnote/backend/team"
)

// load is what a program that serves a team has to do.
type load struct {
	draining           atomic.Bool
	requests, refusals atomic.Int64
}

// Drain has this program take no more questions, and say that it is not ready, while
// those that are being answered go on.
func (s *Server) Drain() { s.load.draining.Store(true) }

func ending() error {
	return fault.New(fault.Busy, "This program is about to end.", "Ask again: another one takes the question, or this one when it is back.")
}

// takes reports whether a request is taken, and counts it.
func (s *Server) takes(r *http.Request) bool {
	s.load.requests.Add(1)
	if s.load.draining.Load() && r.Method == http.MethodPost && slices.Contains(askingRoutes, r.URL.Path) {
		s.load.refusals.Add(1)
		return false
	}
	return true
}

// metrics tells how much this program has to do, in the text form of Prometheus: to
// administrators, by a token. It names nobody and nothing that is asked.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request, p team.Person) {
	if !p.Administrator {
		writeError(w, fault.New(fault.PathNotAllowed, "Metrics are for administrators.", "Send the token of one."))
		return
	}
	people, runs := s.opt.Team.Load()
	ready := 1
	if s.load.draining.Load() || s.opt.Team.Ready(r.Context()) != nil {
		ready = 0
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	for _, m := range []struct {
		name, kind, says string
		value            int64
	}{
		{"footnote_ready", "gauge", "Whether questions are taken.", int64(ready)},
		{"footnote_people", "gauge", "People whose rooms are open here.", int64(people)},
		{"footnote_runs_in_progress", "gauge", "Questions that are being answered here.", int64(runs)},
		{"footnote_requests_total", "counter", "Requests of people who came in.", s.load.requests.Load()},
		{"footnote_refused_total", "counter", "Questions that were refused because this program is about to end.", s.load.refusals.Load()},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s %d\n", m.name, m.says, m.name, m.kind, m.name, m.value)
	}
}
