package server

import "net/http"

// threadRoutes are what a conversation needs beside its runs.
func (s *Server) threadRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("POST /api/threads/{id}/repair", byID(http.StatusOK, v.RepairThread))
}
