package server

import (
	"context"
	"mime"
	"net/http"
	"path/filepath"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
)

// reply answers with what a method gave, or with its error.
func reply[T any](w http.ResponseWriter, status int, v T, err error) {
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, status, v)
}

// inputOf is where the inputs of a route are in a request.
func inputOf(r *http.Request) api.Input {
	return api.Input{
		Path: r.PathValue, Query: r.URL.Query(), After: func() (int, error) { return startOf(r) },
		Body: func(into any) error { return readJSON(r, into) },
	}
}

// mount is the handler of a row.
func (s *Server) mount(r api.Route) http.HandlerFunc {
	if r.Follow != nil {
		return s.events(r)
	}
	status := r.Gives[0].Status
	return func(w http.ResponseWriter, req *http.Request) {
		v, err := r.Do(req.Context(), inputOf(req))
		if err != nil {
			writeError(w, err)
			return
		}
		write(w, req, status, v)
	}
}

// write answers with what a method gave, in the form of its type.
func write(w http.ResponseWriter, r *http.Request, status int, v any) {
	switch v := v.(type) {
	case api.Nothing:
		w.WriteHeader(status)
	case api.File:
		attach(w, v.Name, v.MediaType)
		w.Write(v.Body)
	case api.Picture:
		writePicture(w, v)
	case api.Original:
		defer v.Close()
		attach(w, filepath.Base(v.Name()), "application/octet-stream")
		http.ServeContent(w, r, "", v.Info.ModTime(), v)
	default:
		writeJSON(w, status, v)
	}
}

func attach(w http.ResponseWriter, name, media string) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}

// events is the handler of a stream.
func (s *Server) events(route api.Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		follow, err := route.Follow(r.Context(), inputOf(r))
		if err != nil {
			writeError(w, err)
			return
		}
		s.stream(w, r, serverSent, func(ctx context.Context, out *stream) {
			for e, err := range follow(ctx) {
				if err != nil || !out.event(e.Seq, e.Kind, e.What) {
					return
				}
			}
		})
	}
}

// byID is a handler of something that has an id in its path.
func byID[T any](status int, do func(context.Context, string) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err != nil {
			writeError(w, err)
			return
		}
		v, err := do(r.Context(), id)
		reply(w, status, v, err)
	}
}

// got is a handler that takes nothing.
func got[T any](do func(context.Context) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := do(r.Context())
		reply(w, http.StatusOK, v, err)
	}
}

// sent is a handler of a JSON body.
func sent[In, Out any](status int, do func(context.Context, In) (Out, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in In
		if err := readJSON(r, &in); err != nil {
			writeError(w, err)
			return
		}
		v, err := do(r.Context(), in)
		reply(w, status, v, err)
	}
}

// postRun starts a run; with ?wait=true it answers when the run has ended.
func (s *Server) postRun(w http.ResponseWriter, r *http.Request) {
	in := s.api.Runs.Fresh()
	if err := readJSON(r, &in.Body); err != nil {
		writeError(w, err)
		return
	}
	wait, err := api.Flag(r.URL.Query(), "wait")
	if err != nil {
		writeError(w, err)
		return
	}
	in.Wait = wait
	asked, err := s.api.Runs.Ask(r.Context(), in)
	if err != nil || !in.Wait {
		reply(w, http.StatusAccepted, asked, err)
		return
	}
	if _, err := s.wait(w, r, asked.Run); err != nil {
		writeError(w, err)
		return
	}
	run, err := s.api.Runs.Get(r.Context(), api.ID{ID: string(asked.Run)})
	reply(w, http.StatusOK, run, err)
}

// wait follows a run to its last event for a client that waits for nothing else.
// When the client leaves or the server closes, the run is stopped.
func (s *Server) wait(w http.ResponseWriter, r *http.Request, id contract.RunID) (contract.Event, error) {
	ctx, cancel := s.lasting(w, r)
	defer cancel()
	last, err := s.rooms.Engine.Wait(ctx, id)
	if err == nil {
		return last, nil
	}
	s.abandon(ctx, id)
	return last, fault.Wrap(err, fault.Busy, "Footnote is shutting down.", "Start it again, then ask again.")
}
