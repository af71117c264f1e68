package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
)

// paper is the ground of the picture that stands for Footnote in a link.
var paper = color.NRGBA{R: 0xfc, G: 0xfc, B: 0xfb, A: 0xff}

// icons draws every icon anew from build/icons/logo.svg: those that the pages
// use, which are kept with them, and those that packages use, below build/out.
func icons(_ context.Context, j *job) error {
	files, err := drawIcons(j.path("build", "icons", "logo.svg"))
	if err != nil {
		return err
	}
	for name, body := range files {
		file := j.path(filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return err
		}
	}
	j.say("drew %d icons", len(files))
	return nil
}

// drawIcons gives the icon files by their paths in the project.
func drawIcons(logo string) (map[string][]byte, error) {
	d, err := readDrawing(logo)
	if err != nil {
		return nil, err
	}
	if len(d["icon"]) < 2 || len(d["lockup"]) < 2 {
		return nil, fmt.Errorf("%s has no groups called icon and lockup", logo)
	}
	files := map[string][]byte{}
	var sizes = map[int][]byte{}
	for _, size := range []int{16, 24, 32, 48, 64, 128, 180, 192, 256, 512, 1024} {
		if sizes[size], err = encode(icon(d["icon"], size, 1)); err != nil {
			return nil, err
		}
		files[fmt.Sprintf("build/out/icons/%d.png", size)] = sizes[size]
	}
	masked, err := encode(maskable(d["icon"], 512))
	if err != nil {
		return nil, err
	}
	touch, err := encode(maskable(d["icon"], 180))
	if err != nil {
		return nil, err
	}
	social, err := encode(card(d["lockup"]))
	if err != nil {
		return nil, err
	}
	files["frontend/public/icons/192.png"] = sizes[192]
	files["frontend/public/icons/512.png"] = sizes[512]
	files["frontend/public/icons/maskable.png"] = masked
	files["frontend/public/icons/touch.png"] = touch
	files["frontend/public/favicon.ico"] = ico(sizes, 16, 32, 48)
	files["build/icons/social.png"] = social
	files["build/out/icons/footnote.ico"] = ico(sizes, 16, 24, 32, 48, 64, 128, 256)
	files["build/out/icons/footnote.icns"] = icns(sizes)
	return files, nil
}

func encode(img image.Image) ([]byte, error) {
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img)
	return out.Bytes(), err
}

// icon is the mark on its rounded square; inset is how much of the side it takes.
func icon(shapes []shape, size int, inset float32) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	scale := float32(size) / 64 * inset
	margin := (1 - inset) / 2 * 64 / inset
	onto(img, shapes, -margin, -margin, scale)
	return img
}

// maskable is the icon for systems that cut their own outline: a full square,
// the mark at 88 % in it.
func maskable(shapes []shape, size int) *image.NRGBA {
	ground := shapes[0].fill
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	draw.Draw(img, img.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	marks := make([]shape, 0, len(shapes))
	for _, s := range shapes[1:] {
		if s.outline == nil {
			marks = append(marks, s)
		}
	}
	draw.Draw(img, img.Bounds(), icon(marks, size, .88), image.Point{}, draw.Over)
	return img
}

// card is mark and name on paper, in the measure of a link's picture.
func card(lockup []shape) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 1200, 630))
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	// The name stands in the middle of 249 × 56 units that begin at (8, 84).
	const scale = 3.6
	onto(img, lockup, 8-(1200/scale-249)/2, 84-(630/scale-56)/2, scale)
	return img
}

// ico joins pictures to an icon of Windows (each a PNG, as it reads since Vista).
func ico(sizes map[int][]byte, of ...int) []byte {
	var head, body bytes.Buffer
	le := binary.LittleEndian
	head.Write(le.AppendUint16(le.AppendUint16(le.AppendUint16(nil, 0), 1), uint16(len(of))))
	offset := 6 + 16*len(of)
	for _, size := range of {
		picture := sizes[size]
		head.Write([]byte{byte(size), byte(size), 0, 0}) // 256 is written as 0
		head.Write(le.AppendUint16(le.AppendUint16(nil, 1), 32))
		head.Write(le.AppendUint32(le.AppendUint32(nil, uint32(len(picture))), uint32(offset+body.Len())))
		body.Write(picture)
	}
	return append(head.Bytes(), body.Bytes()...)
}

// icnsKinds are the names that macOS gives to the sizes, PNG inside.
var icnsKinds = []struct {
	name string
	size int
}{{"icp4", 16}, {"icp5", 32}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic10", 1024}, {"ic11", 32}, {"ic12", 64}, {"ic13", 256}, {"ic14", 512}}

// icns joins pictures to an icon of macOS.
func icns(sizes map[int][]byte) []byte {
	var body bytes.Buffer
	for _, k := range icnsKinds {
		body.WriteString(k.name)
		body.Write(binary.BigEndian.AppendUint32(nil, uint32(8+len(sizes[k.size]))))
		body.Write(sizes[k.size])
	}
	return append(binary.BigEndian.AppendUint32([]byte("icns"), uint32(8+body.Len())), body.Bytes()...)
}
