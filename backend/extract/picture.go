package extract

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // a page's preview may be one
	"image/jpeg"
	_ "image/png"
)

// Bounds of a preview, and of what it is drawn from.
const (
	picturePixels = 4_000_000
	pictureScans  = 64 // of a JPEG that is sent in passes; cameras and tools write ten or so
	pictureWidth  = 640
	pictureHeight = 480
	pictureLeast  = 32 // smaller ones are marks that count visits
	pictureGrade  = 82
)

// redraw decodes a picture whose size is checked first, fits it and encodes it
// as JPEG on white. Errors are *Error.
func redraw(data []byte) ([]byte, error) {
	head, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fail(Unsupported, "This is no picture that Footnote shows.", err)
	}
	if head.Width < pictureLeast || head.Height < pictureLeast || head.Width > picturePixels/head.Height {
		return nil, fail(TooLarge, fmt.Sprintf("A %s of %d × %d is no preview.", kind, head.Width, head.Height), nil)
	}
	if kind == "jpeg" && scans(data) > pictureScans {
		return nil, fail(TooLarge, "The picture is sent in too many passes.", nil)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fail(Malformed, "The picture is damaged.", err)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, fitted(picture), &jpeg.Options{Quality: pictureGrade}); err != nil {
		return nil, fail(Malformed, "The picture cannot be drawn.", err)
	}
	return out.Bytes(), nil
}

// scans counts the passes of a JPEG: the marks that begin one. Within the data of
// a pass, a byte that looks like a mark is followed by a zero.
func scans(data []byte) int { return bytes.Count(data, []byte{0xff, 0xda}) }

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
