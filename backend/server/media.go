package server

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"

	"footnote/backend/api"
	"footnote/backend/fault"
)

// pageFile is the size in bytes up to which a window's page is given an
// original: its asset server keeps the whole answer in memory on some systems.
const pageFile = 150_000_000

// Media answers what the page of a window asks its asset server for: originals
// and previews of sources, by id, nothing else. An answer has no validator
// (ETag, Last-Modified) and is never partial, because an answer of 304 or 206
// hangs some of the web views.
func Media(services *api.Services) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/sources/{id}/file", windowFile(services.Sources))
	mux.HandleFunc("GET /api/sources/{id}/image", pictureOf(services.Sources))
	mux.HandleFunc("GET /api/sources/{id}/page/{n}", noPicture)
	return mux
}

// sourceOf is the id of the source that a request names.
func sourceOf(r *http.Request) (api.ID, error) {
	id, err := idOf(r)
	return api.ID{ID: id}, err
}

func windowFile(sources api.Sources) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := sourceOf(r)
		if err != nil {
			writeError(w, err)
			return
		}
		f, err := sources.File(r.Context(), id)
		if err != nil {
			writeError(w, err)
			return
		}
		defer f.Close()
		if f.Info.Size() > pageFile {
			writeError(w, fault.New(fault.TooLarge, "The file is too large to be drawn here.", "Open it in another program."))
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Length", strconv.FormatInt(f.Info.Size(), 10))
		if _, err := io.CopyN(w, f, f.Info.Size()); err != nil {
			sources.Log.Debug("give a page its file", "file", filepath.Base(f.Name()), "err", err) // the page left, or the file shrank
		}
	}
}

// pictureOf answers with the kept preview of a source.
func pictureOf(sources api.Sources) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := sourceOf(r)
		if err != nil {
			writeError(w, err)
			return
		}
		picture, err := sources.Image(r.Context(), id)
		if err != nil {
			writeError(w, err)
			return
		}
		writePicture(w, picture)
	}
}

func writePicture(w http.ResponseWriter, picture api.Picture) {
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("Content-Length", strconv.Itoa(len(picture)))
	w.Write(picture)
}

func noPicture(w http.ResponseWriter, r *http.Request) {
	writeError(w, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead."))
}
