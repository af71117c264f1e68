package server

import "net/http"

// lookRoutes find pictures, videos and news, and help with a question that is
// being typed.
func (s *Server) lookRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("POST /api/images", sent(http.StatusOK, v.Images))
	mux.HandleFunc("POST /api/videos", sent(http.StatusOK, v.Videos))
	mux.HandleFunc("POST /api/suggestions", sent(http.StatusOK, v.Suggestions))
	mux.HandleFunc("POST /api/discover", sent(http.StatusOK, v.Discover))
	mux.HandleFunc("POST /api/warm", func(w http.ResponseWriter, r *http.Request) {
		var in WarmRequest
		err := readJSON(r, &in)
		if err == nil {
			err = v.Warm(r.Context(), in)
		}
		done(w, err)
	})
}
