package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/server/openai"
)

const (
	bodyLimit   = 1 << 20
	uploadLimit = 512 << 20
	uploadFiles = 200
)

var statuses = map[fault.Code]int{
	fault.InvalidRequest: 400, fault.InvalidJSON: 400, fault.QuestionEmpty: 400, fault.QuestionTooLong: 400, fault.InvalidFocus: 400,
	fault.InvalidMode: 400, fault.InvalidModel: 400, fault.InvalidSetting: 400, fault.MissingID: 400, fault.NotRunning: 400,
	fault.Unauthorized: 401, fault.ForbiddenHost: 403, fault.ForbiddenOrigin: 403, fault.OriginNotAllowed: 403, fault.LocalOnly: 403, fault.PathNotAllowed: 403,
	fault.NotFound: 404, fault.MethodNotAllowed: 405, fault.NotAcceptable: 406, fault.RequestTimeout: 408,
	fault.AlreadyEnded: 409, fault.NotWaiting: 409, fault.ConfirmNeeded: 409, fault.DataInUse: 409,
	fault.TooLarge: 413, fault.UnsupportedMedia: 415, fault.RateLimited: 429, fault.Internal: 500,
	fault.SearchFailed: 502, fault.SearchBlocked: 502, fault.ModelRefused: 502, fault.ModelAuth: 502, fault.ModelQuota: 502, fault.ContextTooLong: 502,
	fault.Busy: 503, fault.ModelMissing: 503, fault.ModelUnreachable: 503, fault.Offline: 503, fault.DiskFull: 503, fault.IndexRebuilding: 503,
	fault.SearchTimeout: 504, fault.ModelTimeout: 504, fault.BudgetExceeded: 504, fault.Interrupted: 500,
	fault.DataDamaged: 500, fault.DataLocked: 503,
}

func writeError(w http.ResponseWriter, err error) {
	status, ok := statuses[fault.CodeOf(err)]
	if !ok {
		status = http.StatusInternalServerError
	}
	path := ""
	if out, ok := w.(*response); ok {
		out.failed(status, err)
		path = out.path
	}
	if strings.HasPrefix(path, "/v1/") && fault.CodeOf(err) == fault.InvalidModel {
		status = http.StatusNotFound // as these clients expect it
	}
	writeJSON(w, status, failureFor(path, status, api.FailureOf(err)))
}

// failureFor is an error in the words that the clients of a route expect.
func failureFor(path string, status int, f api.Failure) any {
	switch {
	case strings.HasPrefix(path, "/v1/"):
		return openai.ErrorOf(status, f)
	case strings.HasPrefix(path, "/api/research/deep"):
		return deepFailure{Failure: f, Error: f.Message}
	}
	return f
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		status = http.StatusInternalServerError
		body.Reset()
		body.WriteString(`{"code":"internal","message":"Footnote could not write its answer.","hint":"","details":{}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(body.Bytes()) // the client may be gone; nobody is left to tell
}

// readJSON decodes a body into v. Unknown fields are ignored; a body that is too
// large, too deep, not UTF-8, not one JSON value or with a name twice is refused.
func readJSON(r *http.Request, v any) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	return api.DecodeJSON(body, v)
}

// routed answers unknown addresses and wrong methods in our own words, before
// anything of the request is counted or read. An address that a route spells out
// takes the methods of such routes alone: it is no id of another one.
func routed(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var taken, spelt []string
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			probe := *r
			probe.Method = method
			_, pattern := mux.Handler(&probe)
			if pattern != "" {
				taken = append(taken, method)
			}
			if strings.HasSuffix(pattern, " "+r.URL.Path) {
				spelt = append(spelt, method)
			}
		}
		allowed := taken
		if len(spelt) > 0 {
			allowed = spelt
		}
		if slices.Contains(allowed, r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		if len(allowed) == 0 {
			writeError(w, fault.New(fault.NotFound, "There is no such route.", "See the API description."))
			return
		}
		refuseMethod(w, allowed...)
	})
}

func refuseMethod(w http.ResponseWriter, allowed ...string) {
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	writeError(w, fault.New(fault.MethodNotAllowed, "This address does not take that method.", "Use "+list+"."))
}

// requireJSON refuses writes whose body is not JSON: simple cross-site posts
// cannot send it.
func requireJSON(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
		case http.MethodDelete:
			if r.ContentLength == 0 {
				break
			}
			fallthrough
		default:
			kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if err != nil || kind != "application/json" && !takesFiles(r) {
				writeError(w, fault.New(fault.UnsupportedMedia, "Writes need Content-Type application/json.", "Send JSON."))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// idOf reads an id out of the path; anything that is not one is not found.
// takesFiles reports whether a request brings files.
func takesFiles(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "multipart/form-data" && (r.URL.Path == "/api/library/uploads" || r.URL.Path == "/api/import")
}

func idOf(r *http.Request) (string, error) {
	id := r.PathValue("id")
	return id, api.CheckID(id)
}

// headers go with every response: nothing may be sniffed, framed or referred.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		Police(h, r.URL.Path)
		next.ServeHTTP(w, r)
	})
}

// diagramPage is the page of the front end that draws diagrams, in a frame of the
// window's page.
const diagramPage = "/diagram.html"

// Police gives the answer for a path its content policy.
func Police(h http.Header, path string) {
	policy, framed := ContentPolicy, "DENY"
	if path == diagramPage {
		policy, framed = DiagramPolicy, "SAMEORIGIN"
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", framed)
	h.Set("Content-Security-Policy", policy)
}

// DiagramPolicy is that of the page that draws diagrams: it may run the program's
// own scripts and style what they draw, and reach nothing at all.
const DiagramPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// ContentPolicy lets a page load nothing but what comes with the program; the
// one page it may frame is its own that draws diagrams.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; " +
	"worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func accepts(r *http.Request, kind string) bool {
	accept := r.Header.Get("Accept")
	family, _, _ := strings.Cut(kind, "/")
	return accept == "" || strings.Contains(accept, "*/*") || strings.Contains(accept, family+"/*") || strings.Contains(accept, kind)
}

// WriteToken writes the bearer token of this start to the data folder, readable
// by its owner alone. chosen, from the environment, replaces the random one; it
// needs 16 characters.
func WriteToken(dataDir, chosen string) (string, error) {
	token := NewToken()
	if chosen != "" {
		if len(chosen) < 16 {
			return "", fault.New(fault.InvalidSetting, "FOOTNOTE_TOKEN has fewer than 16 characters.", "Choose a longer one, or unset it.")
		}
		token = chosen
	}
	return token, SaveFile(filepath.Join(dataDir, "token"), []byte(token+"\n"))
}

// SaveFile writes a file by temporary file, sync and rename, for its owner
// alone.
func SaveFile(path string, body []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".footnote-*")
	if err != nil {
		return fault.Wrap(err, fault.PathNotAllowed, "The file "+filepath.Base(path)+" cannot be written.", "Choose another folder.")
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if _, err = tmp.Write(body); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fault.Wrap(err, fault.DiskFull, "The file "+filepath.Base(path)+" could not be written whole.", "Check the space on the disk.")
	}
	return nil
}
