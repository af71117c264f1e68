package server

import (
	"context"
	"net/http"

	"footnote/backend/store"
)

// wishRoutes are personas and lenses.
func (s *Server) wishRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("GET /api/personas", got(v.Personas))
	mux.HandleFunc("POST /api/personas", sent(http.StatusCreated, v.AddPersona))
	mux.HandleFunc("PUT /api/personas/{id}", s.putPersona)
	mux.HandleFunc("DELETE /api/personas/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.RemovePersona(r.Context(), id)
		}
		done(w, err)
	})
	mux.HandleFunc("GET /api/lenses", got(v.Lenses))
	mux.HandleFunc("PUT /api/lenses", sent(http.StatusOK, v.SetLenses))
}

func (s *Server) putPersona(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	sent(http.StatusOK, func(ctx context.Context, in PersonaText) (store.Persona, error) {
		return s.verbs.ChangePersona(ctx, id, in)
	})(w, r)
}
