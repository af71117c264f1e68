package server

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"path/filepath"
	"strconv"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/store"
)

// reply answers with what a verb gave, or with its error.
func reply[T any](w http.ResponseWriter, status int, v T, err error) {
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, status, v)
}

func done(w http.ResponseWriter, err error) {
	if err != nil {
		writeError(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
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

type keyValue struct {
	Value string `json:"value"`
}

func (s *Server) dataRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("POST /api/runs", s.postRun)
	mux.HandleFunc("GET /api/runs", s.getRuns)
	mux.HandleFunc("GET /api/runs/{id}", byID(200, v.Run))
	mux.HandleFunc("GET /api/runs/{id}/events", s.runEvents)
	mux.HandleFunc("POST /api/runs/{id}/stop", byID(200, func(ctx context.Context, id string) (map[string]answer.Status, error) {
		status, err := v.Stop(ctx, id)
		return map[string]answer.Status{"status": status}, err
	}))
	mux.HandleFunc("POST /api/runs/{id}/answer-now", byID(202, func(ctx context.Context, id string) (map[string]string, error) {
		return map[string]string{"run": id}, v.AnswerNow(ctx, id)
	}))
	mux.HandleFunc("POST /api/runs/{id}/retry", s.postRetry)
	mux.HandleFunc("POST /api/runs/{id}/clarify", s.postClarify)
	mux.HandleFunc("POST /api/runs/{id}/plan", s.postPlan)
	mux.HandleFunc("GET /api/runs/{id}/ledger", byID(200, v.Ledger))
	mux.HandleFunc("GET /api/ledger", s.getLedger)

	mux.HandleFunc("GET /api/threads", s.getThreads)
	mux.HandleFunc("GET /api/threads/{id}", byID(200, v.Thread))
	mux.HandleFunc("PATCH /api/threads/{id}", s.patchThread)
	mux.HandleFunc("DELETE /api/threads/{id}", s.deleteThread)
	mux.HandleFunc("POST /api/threads/{id}/branch", s.branchThread)
	mux.HandleFunc("GET /api/threads/{id}/export", s.exportThread)

	s.threadRoutes(mux)
	s.exportRoutes(mux)
	s.wishRoutes(mux)
	s.traceRoutes(mux)
	s.consentRoutes(mux)

	mux.HandleFunc("GET /api/sources/{id}", byID(200, v.Source))
	mux.HandleFunc("GET /api/sources/{id}/text", s.sourceText)
	mux.HandleFunc("GET /api/sources/{id}/page/{n}", noPicture)
	mux.HandleFunc("GET /api/sources/{id}/image", v.picture)
	mux.HandleFunc("GET /api/sources/{id}/file", s.sourceFile)
	mux.HandleFunc("POST /api/sources/{id}/open", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.OpenSource(r.Context(), id)
		}
		done(w, err)
	})
	mux.HandleFunc("GET /api/passages/{id}", byID(200, v.Passage))

	s.libraryRoutes(mux)
	s.collectionRoutes(mux)
	s.lookRoutes(mux)

	s.modelRoutes(mux)
	mux.HandleFunc("GET /api/engines", got(v.EngineList))
	mux.HandleFunc("POST /api/engines/{name}/test", func(w http.ResponseWriter, r *http.Request) {
		view, err := v.TestEngine(r.Context(), r.PathValue("name"))
		reply(w, http.StatusOK, view, err)
	})
	mux.HandleFunc("GET /api/settings", got(v.SettingList))
	mux.HandleFunc("PUT /api/settings", sent(200, func(ctx context.Context, in map[string]any) (SettingsView, error) {
		if err := v.PutSettings(ctx, in); err != nil {
			return SettingsView{}, err
		}
		return v.SettingList(ctx)
	}))
	mux.HandleFunc("PUT /api/keys/{name}", func(w http.ResponseWriter, r *http.Request) {
		var in keyValue
		err := readJSON(r, &in)
		if err == nil {
			err = v.SetKey(r.Context(), r.PathValue("name"), in.Value)
		}
		done(w, err)
	})
	mux.HandleFunc("DELETE /api/keys/{name}", func(w http.ResponseWriter, r *http.Request) {
		done(w, v.RemoveKey(r.Context(), r.PathValue("name")))
	})
	mux.HandleFunc("GET /api/health", got(v.Health))
}

// postRun starts a run; with ?wait=true it answers when the run has ended.
func (s *Server) postRun(w http.ResponseWriter, r *http.Request) {
	q := s.verbs.Engine.Defaults()
	if err := readJSON(r, &q); err != nil {
		writeError(w, err)
		return
	}
	waits := r.URL.Query().Get("wait") == "true"
	q.Unattended = q.Unattended || waits // who waits for the end cannot be asked back
	asked, err := s.verbs.Ask(r.Context(), q)
	if err != nil || !waits {
		reply(w, http.StatusAccepted, asked, err)
		return
	}
	if _, err := s.wait(w, r, asked.Run); err != nil {
		writeError(w, err)
		return
	}
	run, err := s.verbs.Run(r.Context(), string(asked.Run))
	reply(w, http.StatusOK, run, err)
}

// wait follows a run to its last event for a client that waits for nothing else.
// When the client leaves or the server closes, the run is stopped.
func (s *Server) wait(w http.ResponseWriter, r *http.Request, id answer.RunID) (answer.Event, error) {
	ctx, cancel := s.lasting(w, r)
	defer cancel()
	last, err := s.verbs.Engine.Wait(ctx, id)
	if err == nil {
		return last, nil
	}
	s.abandon(ctx, id)
	return last, fault.Wrap(err, fault.Busy, "Footnote is shutting down.", "Start it again, then ask again.")
}

func (s *Server) getRuns(w http.ResponseWriter, r *http.Request) {
	limit, err := limitOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	q := r.URL.Query()
	page, err := s.verbs.Runs(r.Context(), store.RunQuery{Status: answer.Status(q.Get("status")), Thread: answer.ThreadID(q.Get("thread")), Limit: limit, After: q.Get("after")})
	reply(w, http.StatusOK, page, err)
}

// retryChange is what is different when a question is asked again.
type retryChange struct {
	Mode   answer.Mode   `json:"mode"`
	Models answer.Models `json:"models"`
}

func (s *Server) postRetry(w http.ResponseWriter, r *http.Request) {
	var in retryChange
	id, err := idOf(r)
	if err == nil {
		err = readJSON(r, &in)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	asked, err := s.verbs.Retry(r.Context(), id, in.Mode, in.Models)
	reply(w, http.StatusAccepted, asked, err)
}

type clarifyReply struct {
	Reply string `json:"reply"`
}

func (s *Server) postClarify(w http.ResponseWriter, r *http.Request) {
	var in clarifyReply
	id, err := idOf(r)
	if err == nil {
		err = readJSON(r, &in)
	}
	if err == nil {
		err = s.verbs.Clarify(r.Context(), id, in.Reply)
	}
	reply(w, http.StatusAccepted, map[string]string{"run": id}, err)
}

type planChange struct {
	Dimensions []string `json:"dimensions"`
	Hold       bool     `json:"hold"`
}

func (s *Server) postPlan(w http.ResponseWriter, r *http.Request) {
	var in planChange
	id, err := idOf(r)
	if err == nil {
		err = readJSON(r, &in)
	}
	if err == nil {
		err = s.verbs.Plan(r.Context(), id, in.Dimensions, in.Hold)
	}
	reply(w, http.StatusAccepted, map[string]string{"run": id}, err)
}

func (s *Server) getThreads(w http.ResponseWriter, r *http.Request) {
	limit, err := limitOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	q := r.URL.Query()
	page, err := s.verbs.Threads(r.Context(), store.ThreadQuery{Q: q.Get("q"), Type: q.Get("type"), Limit: limit, After: q.Get("after")})
	reply(w, http.StatusOK, page, err)
}

func (s *Server) patchThread(w http.ResponseWriter, r *http.Request) {
	var in ThreadChange
	id, err := idOf(r)
	if err == nil {
		err = readJSON(r, &in)
	}
	if err == nil {
		err = s.verbs.ChangeThread(r.Context(), id, in)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	view, err := s.verbs.Thread(r.Context(), id)
	reply(w, http.StatusOK, view, err)
}

func (s *Server) branchThread(w http.ResponseWriter, r *http.Request) {
	var in BranchPoint
	id, err := idOf(r)
	if err == nil {
		err = readJSON(r, &in)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	made, err := s.verbs.Branch(r.Context(), id, in)
	reply(w, http.StatusCreated, made, err)
}

func (s *Server) getLedger(w http.ResponseWriter, r *http.Request) {
	limit, err := limitOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	q := r.URL.Query()
	page, err := s.verbs.LedgerList(r.Context(), LedgerQuery{Run: q.Get("run"), Host: q.Get("host"), After: q.Get("after"), Limit: limit})
	reply(w, http.StatusOK, page, err)
}

func (s *Server) deleteThread(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err == nil {
		err = s.verbs.DeleteThread(r.Context(), id, r.URL.Query().Get("erase") == "true")
	}
	done(w, err)
}

func (s *Server) exportThread(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	q := r.URL.Query()
	file, err := s.verbs.Export(r.Context(), id, q.Get("format"), q.Get("run"), q.Get("style"))
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", file.MediaType)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	w.Write(file.Body)
}

func (s *Server) sourceText(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	at := TextAt{Passage: r.URL.Query().Get("passage"), Citation: r.URL.Query().Get("citation")}
	if err == nil {
		at.Start, err = numberOf(r, "start")
	}
	if err == nil {
		at.End, err = numberOf(r, "end")
	}
	if err != nil {
		writeError(w, err)
		return
	}
	view, err := s.verbs.SourceText(r.Context(), id, at)
	reply(w, http.StatusOK, view, err)
}

// sourceFile gives the original bytes of a file that was read, as attachment.
func (s *Server) sourceFile(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	f, info, err := s.verbs.SourceFile(r.Context(), id)
	if err != nil {
		writeError(w, err)
		return
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filepath.Base(f.Name())}))
	http.ServeContent(w, r, "", info.ModTime(), f)
}

func limitOf(r *http.Request) (int, error) {
	n, err := numberOf(r, "limit")
	if err != nil || n > 200 || n == 0 && r.URL.Query().Has("limit") {
		return 0, fault.New(fault.InvalidRequest, "limit is a number from 1 to 200.", "Page with after.")
	}
	return n, nil
}

func numberOf(r *http.Request, name string) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.New(fault.InvalidRequest, fmt.Sprintf("%s is not a number.", name), "Send a whole number from 0.")
	}
	return n, nil
}
