package server

import (
	"context"
	"net/http"
)

func (s *Server) collectionRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("GET /api/collections", got(v.Collections))
	mux.HandleFunc("POST /api/collections", sent(http.StatusCreated, v.AddCollection))
	mux.HandleFunc("GET /api/collections/{id}", byID(http.StatusOK, v.Collection))
	mux.HandleFunc("POST /api/collections/{id}", s.changeCollection)
	mux.HandleFunc("DELETE /api/collections/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.RemoveCollection(r.Context(), id)
		}
		done(w, err)
	})
}

func (s *Server) changeCollection(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	sent(http.StatusOK, func(ctx context.Context, in CollectionChange) (CollectionView, error) {
		return s.verbs.ChangeCollection(ctx, id, in)
	})(w, r)
}
