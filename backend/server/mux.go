package server

import "net/http"

// routes is a mux that remembers its patterns: the description of the API is held
// against them.
type routes struct {
	*http.ServeMux
	patterns []string
}

func newRoutes() *routes { return &routes{ServeMux: http.NewServeMux()} }

// HandleFunc registers a handler, as the mux does.
func (r *routes) HandleFunc(pattern string, handler http.HandlerFunc) { r.Handle(pattern, handler) }

// Handle registers a handler, as the mux does.
func (r *routes) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	r.ServeMux.Handle(pattern, handler)
}
