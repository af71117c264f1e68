package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // a page's preview may be one
	"image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

const (
	pictureBytes  = 8 << 20
	picturePixels = 40 << 20
	pictureWidth  = 640
	pictureHeight = 480
	pictureLeast  = 32 // smaller ones are marks that count visits
	pictureGrade  = 82
)

// PicturesOptions make a keeper of pictures. Dir is where they are kept.
type PicturesOptions struct {
	Client *http.Client // a NewClient
	Guard  *Guard
	Dir    string
}

// Pictures fetches the previews of web sources, draws them anew, so that nothing
// of the original file but its look is kept, and keeps them by source. It
// implements answer.Pictures; safe for concurrent use.
type Pictures struct{ opt PicturesOptions }

// NewPictures makes the folder.
func NewPictures(opt PicturesOptions) (*Pictures, error) {
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of pictures: %w", err)
	}
	return &Pictures{opt}, nil
}

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
	drawn, err := redraw(data)
	if err != nil {
		return err
	}
	return writeWhole(path, drawn)
}

// Open gives the kept picture of a source as JPEG; fault not-found without one.
func (p *Pictures) Open(id evidence.SourceID) ([]byte, error) {
	data, err := os.ReadFile(p.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead.")
	}
	return data, err
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

// redraw decodes a picture whose size is checked first, fits it and encodes it
// as JPEG on white.
func redraw(data []byte) ([]byte, error) {
	head, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if head.Width < pictureLeast || head.Height < pictureLeast || head.Width > picturePixels/head.Height {
		return nil, fmt.Errorf("read picture: a %s of %d × %d is no preview", kind, head.Width, head.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, fitted(picture), &jpeg.Options{Quality: pictureGrade}); err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return out.Bytes(), nil
}

// fitted shrinks a picture into the preview's size; every point is the mean of
// those it stands for.
func fitted(src image.Image) image.Image {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	scale := max(1, float64(w)/pictureWidth, float64(h)/pictureHeight)
	dst := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(w)/scale)), max(1, int(float64(h)/scale))))
	for y := range dst.Rect.Dy() {
		y0, y1 := b.Min.Y+int(float64(y)*scale), b.Min.Y+max(int(float64(y)*scale)+1, int(float64(y+1)*scale))
		for x := range dst.Rect.Dx() {
			x0, x1 := b.Min.X+int(float64(x)*scale), b.Min.X+max(int(float64(x)*scale)+1, int(float64(x+1)*scale))
			dst.SetRGBA(x, y, mean(src, x0, y0, min(x1, b.Max.X), min(y1, b.Max.Y)))
		}
	}
	return dst
}

// mean is the mean colour of a part of a picture, laid on white.
func mean(src image.Image, x0, y0, x1, y1 int) color.RGBA {
	var r, g, b, n uint64
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			cr, cg, cb, ca := src.At(x, y).RGBA()
			white := uint64(0xffff - ca)
			r, g, b, n = r+uint64(cr)+white, g+uint64(cg)+white, b+uint64(cb)+white, n+1
		}
	}
	if n == 0 {
		return color.RGBA{255, 255, 255, 255}
	}
	return color.RGBA{uint8(r / n >> 8), uint8(g / n >> 8), uint8(b / n >> 8), 255}
}
