package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// pageFile is the size in bytes up to which a window's page is given an
// original: its asset server keeps the whole answer in memory on some systems.
const pageFile = 150_000_000

// Media answers what the page of a window asks its asset server for: originals
// and previews of sources, by id, nothing else. An answer has no validator
// (ETag, Last-Modified) and is never partial, because an answer of 304 or 206
// hangs some of the web views.
func Media(v *Verbs) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/sources/{id}/file", v.windowFile)
	mux.HandleFunc("GET /api/sources/{id}/image", v.picture)
	mux.HandleFunc("GET /api/sources/{id}/page/{n}", noPicture)
	return mux
}

// SourceFile opens the original of a file source as it is now. It is the
// caller's to close.
func (v *Verbs) SourceFile(ctx context.Context, id string) (*os.File, os.FileInfo, error) {
	src, err := v.DB.Source(ctx, evidence.SourceID(id))
	if err == nil && src.Kind != evidence.File {
		err = fault.New(fault.NotFound, "This source is no file.", "Its text is kept; its page is on the web.")
	}
	if err == nil && src.Brought {
		err = readElsewhere()
	}
	if err != nil {
		return nil, nil, err
	}
	f, info, err := openRegular(src.Address)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.NotFound, filepath.Base(src.Address)+" is not where it was read.", "The text that was read is kept.")
	}
	return f, info, nil
}

func (v *Verbs) windowFile(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	f, info, err := v.SourceFile(r.Context(), id)
	if err != nil {
		writeError(w, err)
		return
	}
	defer f.Close()
	if info.Size() > pageFile {
		writeError(w, fault.New(fault.TooLarge, "The file is too large to be drawn here.", "Open it in another program."))
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if _, err := io.CopyN(w, f, info.Size()); err != nil {
		v.Log.Debug("give a page its file", "file", filepath.Base(f.Name()), "err", err) // the page left, or the file shrank
	}
}

// picture answers with the kept preview of a source.
func (v *Verbs) picture(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err != nil {
		writeError(w, err)
		return
	}
	data, err := v.SourcePicture(evidence.SourceID(id))
	if err != nil {
		writeError(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	w.Write(data)
}

func noPicture(w http.ResponseWriter, r *http.Request) {
	writeError(w, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead."))
}

// openRegular opens a regular file and nothing else: not what a link that took
// its place points to, and not a pipe, which would wait for ever.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file", path)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = fmt.Errorf("open %s: it changed meanwhile", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
