package ocr

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // photographs
	_ "image/png"  // screenshots
)

// maxTurned bounds the pixels of a picture that is turned.
const maxTurned = 50_000_000

// Turn gives a picture (PGM, PNG or JPEG) turned clockwise by quarters of
// a turn, as a PGM.
func Turn(data []byte, quarters int) ([]byte, error) {
	from, err := readGrey(data)
	if err != nil {
		return nil, err
	}
	w, h := from.Rect.Dx(), from.Rect.Dy()
	to := image.NewGray(image.Rect(0, 0, w, h))
	if quarters%2 == 1 {
		to = image.NewGray(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			pixel := from.Pix[y*from.Stride+x]
			switch quarters % 4 {
			case 1:
				to.Pix[x*to.Stride+h-1-y] = pixel
			case 2:
				to.Pix[(h-1-y)*to.Stride+w-1-x] = pixel
			case 3:
				to.Pix[(w-1-x)*to.Stride+y] = pixel
			default:
				to.Pix[y*to.Stride+x] = pixel
			}
		}
	}
	return append([]byte(greyHead(to.Rect.Dx(), to.Rect.Dy())), to.Pix...), nil
}

// greyHead begins a PGM.
func greyHead(w, h int) string { return fmt.Sprintf("P5\n%d %d\n255\n", w, h) }

func readGrey(data []byte) (*image.Gray, error) {
	var w, h int
	if n, err := fmt.Sscanf(string(data[:min(len(data), 40)]), "P5\n%d %d\n255\n", &w, &h); err == nil && n == 2 {
		pixels := w * h
		if w <= 0 || h <= 0 || w > maxTurned || h > maxTurned || pixels > maxTurned || len(data) != len(greyHead(w, h))+pixels {
			return nil, errors.New("this PGM is not turned")
		}
		return &image.Gray{Pix: data[len(data)-pixels:], Stride: w, Rect: image.Rect(0, 0, w, h)}, nil
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width*size.Height > maxTurned {
		return nil, errors.Join(err, errors.New("this picture is not turned"))
	}
	drawn, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	grey := image.NewGray(image.Rect(0, 0, drawn.Bounds().Dx(), drawn.Bounds().Dy()))
	draw.Draw(grey, grey.Rect, drawn, drawn.Bounds().Min, draw.Src)
	return grey, nil
}
