package server

import (
	"errors"
	"io"
	"net/http"
	"os"

	"footnote/backend/export"
	"footnote/backend/fault"
)

// importBundle takes one bundle, in a part named file.
func (s *Server) importBundle(w http.ResponseWriter, r *http.Request) {
	bundle, err := sentFile(w, r)
	if err != nil {
		writeError(w, err)
		return
	}
	made, err := s.api.Exports.Import(r.Context(), bundle)
	reply(w, http.StatusCreated, made, err)
}

// sentFile reads the first file of a form.
func sentFile(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	r.Body = http.MaxBytesReader(w, r.Body, export.MaxBundle+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, fault.Wrap(err, fault.UnsupportedMedia, "A bundle is sent as multipart/form-data.", "Send it in a part named file.")
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, fault.New(fault.InvalidRequest, "No bundle was sent.", "Send it in a part named file.")
		}
		if err != nil {
			return nil, notSent(err)
		}
		if part.FormName() != "file" && part.FormName() != "bundle" {
			continue
		}
		body, err := io.ReadAll(part)
		if err != nil {
			return nil, notSent(err)
		}
		return body, nil
	}
}

func notSent(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.Wrap(err, fault.TooLarge, "The bundle is larger than Footnote reads.", "Export single answers instead of the whole conversation.")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return tooSlow(err)
	}
	return fault.Wrap(err, fault.InvalidRequest, "The upload broke off, or is not well formed.", "Send it again.")
}
