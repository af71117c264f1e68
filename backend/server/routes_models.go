package server

import (
	"context"
	"net/http"
)

type (
	modelNamed struct {
		Model string `json:"model"`
	}
	providerNamed struct {
		Provider string `json:"provider"`
	}
)

func (s *Server) modelRoutes(mux *routes) {
	v := s.verbs
	context.AfterFunc(s.ctx, v.StopJobs)
	mux.HandleFunc("GET /api/models", got(v.ModelList))
	mux.HandleFunc("POST /api/models/test", sent(200, func(ctx context.Context, in modelNamed) (TestView, error) {
		return v.TestModel(ctx, in.Model)
	}))
	mux.HandleFunc("POST /api/models/list", sent(200, func(ctx context.Context, in providerNamed) (ProviderView, error) {
		return v.ListModels(ctx, in.Provider)
	}))
	mux.HandleFunc("POST /api/models/pull", sent(202, func(ctx context.Context, in modelNamed) (JobStarted, error) {
		return v.PullModel(ctx, in.Model)
	}))
	mux.HandleFunc("PUT /api/models/roles", sent(200, v.SetRoles))
	mux.HandleFunc("GET /api/jobs/{id}/events", s.jobEvents)
	mux.HandleFunc("DELETE /api/jobs/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.StopJob(r.Context(), id)
		}
		done(w, err)
	})
}

// jobEvents streams how a job stands until it ends.
func (s *Server) jobEvents(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	after, err := startOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	if _, err := s.verbs.jobs.find(id); err != nil {
		writeError(w, err)
		return
	}
	s.stream(w, r, serverSent, func(ctx context.Context, out *stream) {
		events, err := s.verbs.JobEvents(ctx, id, after)
		if err != nil {
			return // forgotten since: nothing to tell
		}
		for e := range events {
			if !out.event(e.Seq, e.Kind, e) {
				return
			}
		}
	})
}
