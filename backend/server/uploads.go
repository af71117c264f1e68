package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"footnote/backend/api"
	"footnote/backend/fault"
)

// errPart marks an upload whose parts cannot be told apart.
var errPart = errors.New("read part")

// upload copies files into the data folder, each in a folder named by its
// digest, and adds them. The name a browser sends is never a path.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, uploadLimit)
	parts, err := r.MultipartReader()
	if err != nil {
		writeError(w, fault.Wrap(err, fault.UnsupportedMedia, "Uploads are multipart/form-data.", "Send each file in a part named file."))
		return
	}
	files := []api.Uploaded{}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			writeError(w, uploadError(fmt.Errorf("%w: %w", errPart, err)))
			return
		}
		if part.FormName() != "file" || part.FileName() == "" {
			continue
		}
		if len(files) == uploadFiles {
			writeError(w, fault.New(fault.TooLarge, fmt.Sprintf("More than %d files were sent at once.", uploadFiles), "Send the rest in another request."))
			return
		}
		kept, err := s.keep(r.Context(), part)
		if err != nil {
			writeError(w, uploadError(err))
			return
		}
		files = append(files, kept)
	}
	if len(files) == 0 {
		writeError(w, fault.New(fault.InvalidRequest, "No file was sent.", "Send each file in a part named file."))
		return
	}
	writeJSON(w, http.StatusAccepted, api.Uploads{Files: files})
}

func (s *Server) keep(ctx context.Context, part *multipart.Part) (api.Uploaded, error) {
	dir, err := s.api.Library.UploadFolder()
	if err != nil {
		return api.Uploaded{}, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(dir), ".upload-*")
	if err != nil {
		return api.Uploaded{}, err
	}
	defer os.Remove(tmp.Name()) // gone once it was renamed
	sum, err := copyDigest(tmp, part)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return api.Uploaded{}, err
	}
	home := filepath.Join(dir, sum[:16])
	if err := os.MkdirAll(home, 0o700); err != nil {
		return api.Uploaded{}, err
	}
	path := filepath.Join(home, uploadName(part.FileName()))
	if err := os.Rename(tmp.Name(), path); err != nil {
		return api.Uploaded{}, err
	}
	kept, err := s.api.Library.KeepUpload(ctx, path)
	if err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return kept, err
}

// uploadName makes a plain file name of what a browser sent: the last name of a
// path, without anything that a file system could take for more than a name.
func uploadName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	ext := filepath.Ext(name)
	if len(ext) > 16 {
		ext = ""
	}
	return api.FileName(strings.TrimSuffix(name, ext), "upload") + strings.TrimRight(api.Plain(ext), ". ")
}

func uploadError(err error) error {
	var tooLarge *http.MaxBytesError
	var f *fault.Fault
	switch {
	case errors.As(err, &f):
		return err
	case errors.As(err, &tooLarge):
		return fault.Wrap(err, fault.TooLarge, "The upload is larger than 512 MiB.", "Add the file by its path instead.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return tooSlow(err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errPart):
		return fault.Wrap(err, fault.InvalidRequest, "The upload broke off, or is not well formed.", "Send it again.")
	}
	return fault.Wrap(err, fault.DiskFull, "The upload could not be kept.", "Check the space on the disk.")
}

// copyDigest copies and names the bytes by their SHA-256.
func copyDigest(dst io.Writer, src io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(io.MultiWriter(dst, h), src)
	return hex.EncodeToString(h.Sum(nil)), err
}
