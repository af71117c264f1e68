package server

import "net/http"

// consentRoutes are about file text that goes to models beyond this computer.
func (s *Server) consentRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("GET /api/runs/{id}/preview", byID(http.StatusOK, v.Preview))
	mux.HandleFunc("GET /api/consents", got(v.Consents))
	for method, allowed := range map[string]bool{"PUT": true, "DELETE": false} {
		mux.HandleFunc(method+" /api/consents/{provider}", func(w http.ResponseWriter, r *http.Request) {
			done(w, v.Consent(r.Context(), r.PathValue("provider"), allowed))
		})
	}
}
