package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"footnote/backend/disk"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

const (
	pictureBytes = 8 << 20
	previewBytes = 2 << 20 // as drawn
)

// PicturesOptions make a keeper of pictures. Dir is where they are kept. Redraw
// makes a small JPEG of a picture, in a place where it cannot hurt.
type PicturesOptions struct {
	Client *http.Client // a NewClient
	Guard  *Guard
	Dir    string
	Redraw func(ctx context.Context, picture []byte) ([]byte, error)
}

// Pictures fetches the previews of web sources, draws them anew, so that nothing
// of the original file but its look is kept, and keeps them by source. It
// implements answer.Pictures; safe for concurrent use.
type Pictures struct{ opt PicturesOptions }

// NewPictures makes a keeper; its folder is made for the first picture.
func NewPictures(opt PicturesOptions) *Pictures { return &Pictures{opt} }

// Keep fetches the picture at an address and keeps it for a source. One that is
// kept already is not fetched again.
func (p *Pictures) Keep(ctx context.Context, id evidence.SourceID, address string) error {
	path := p.path(id)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := p.opt.Guard.CheckURL(address); err != nil {
		return fmt.Errorf("check address of picture: %w", err)
	}
	data, err := p.fetch(ctx, address)
	if err != nil {
		return err
	}
	drawn, err := p.opt.Redraw(ctx, data)
	if err != nil {
		return fmt.Errorf("draw picture: %w", err)
	}
	if len(drawn) > previewBytes || http.DetectContentType(drawn) != "image/jpeg" {
		return errors.New("draw picture: what came is no preview")
	}
	if err := os.MkdirAll(p.opt.Dir, 0o700); err != nil {
		return fmt.Errorf("make folder of pictures: %w", err)
	}
	return writeWhole(path, drawn)
}

// Open gives the kept picture of a source as JPEG; fault not-found without one.
func (p *Pictures) Open(id evidence.SourceID) ([]byte, error) {
	data, err := disk.ReadRegular(p.path(id), previewBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead.")
	}
	return data, err
}

// Remove removes the picture of a source, if there is one.
func (p *Pictures) Remove(id evidence.SourceID) error {
	if err := os.Remove(p.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove picture: %w", err)
	}
	return nil
}

func (p *Pictures) path(id evidence.SourceID) string {
	return filepath.Join(p.opt.Dir, evidence.Digest([]byte(id))+".jpg")
}

func (p *Pictures) fetch(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for picture: %w", err)
	}
	req.Header.Set("Accept", "image/jpeg, image/png, image/gif")
	resp, err := p.opt.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch picture: status %s", resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, pictureBytes+1))
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	if len(data) > pictureBytes {
		return nil, fmt.Errorf("fetch picture: %w", ErrCut)
	}
	return data, nil
}
