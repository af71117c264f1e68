package server

import (
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"

	"footnote/backend/fault"
)

func alive(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (s *Server) openSearch(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/opensearchdescription+xml")
	w.Write([]byte(`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Footnote</ShortName>` +
		`<Description>Cited answers from your files and the web</Description><InputEncoding>UTF-8</InputEncoding>` +
		`<Url type="text/html" template="http://` + r.Host + `/?q={searchTerms}"/></OpenSearchDescription>
`)) // Host is one of the exact names of the door
}

// shell serves the front end: the page for /, files below /assets, nothing else.
// A question in the address (/?q=…) waits in the page for Enter.
func (s *Server) shell(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuseMethod(w, http.MethodGet, http.MethodHead)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if strings.HasPrefix(path.Base(name), ".") {
		name = ""
	}
	body, err := fs.ReadFile(s.opt.Assets, name)
	if err != nil {
		if isScreen(r, name) {
			http.Redirect(w, r, "/#/"+(&url.URL{Path: name}).EscapedPath(), http.StatusFound)
			return
		}
		s.missing(w, name)
		return
	}
	w.Header().Set("Content-Type", mediaType(name))
	if strings.HasPrefix(name, "assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
	}
	w.Write(body)
}

// isScreen reports whether a person typed the address of a screen without the mark
// that its route stands behind ("/settings"); the page says so where there is none.
func isScreen(r *http.Request, name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first != "" && name != "index.html" && first != "api" && first != "v1" && first != "assets" && path.Ext(name) == "" && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// mediaTypes of the front end's files: the system's table may hold others, and
// a browser that may not sniff would refuse a script.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".json": "application/json",
	".webmanifest": "application/manifest+json", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
}

func mediaType(name string) string {
	if kind, ok := mediaTypes[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

func (s *Server) missing(w http.ResponseWriter, name string) {
	if name != "index.html" {
		writeError(w, fault.New(fault.NotFound, "There is nothing at this address.", "Open / instead."))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	w.Write([]byte("This program was built without its pages. Run  go run ./build demo  once, or build the front end first.\n"))
}
