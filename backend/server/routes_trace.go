package server

import (
	"context"
	"net/http"

	"footnote/backend/answer"
)

// traceRoutes tell how runs went.
func (s *Server) traceRoutes(mux *routes) {
	mux.HandleFunc("GET /api/runs/{id}/trace", byID(http.StatusOK, s.verbs.Trace))
	mux.HandleFunc("POST /api/runs/{id}/replay", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err != nil {
			writeError(w, err)
			return
		}
		sent(http.StatusOK, func(ctx context.Context, change answer.Replay) (answer.Replayed, error) {
			return s.verbs.Replay(ctx, id, change)
		})(w, r)
	})
}
