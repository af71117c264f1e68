package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var drawnOnce = sync.OnceValues(func() (map[string][]byte, error) { return drawIcons(filepath.Join("icons", "logo.svg")) })

func drawn(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := drawnOnce()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func pictureOf(t *testing.T, body []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Encoders and rasterisers may differ by a shade from one version to the next.
func alike(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) <= 3<<8 }
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			if !near(r1, r2) || !near(g1, g2) || !near(b1, b2) || !near(a1, a2) {
				return false
			}
		}
	}
	return true
}

func TestTheKeptIconsAreThoseOfTheLogo(t *testing.T) {
	kept := 0
	for name, body := range drawn(t) {
		if strings.HasPrefix(name, "build/out/") || !strings.HasSuffix(name, ".png") {
			continue
		}
		kept++
		file, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !alike(pictureOf(t, body), pictureOf(t, file)) {
			t.Errorf("%s is not what the logo gives: run  go run ./build icons", name)
		}
	}
	if kept != 5 {
		t.Errorf("%d pictures are kept, want 5", kept)
	}
}

func TestTheSmallestIconFallsOnWholePixels(t *testing.T) {
	img := pictureOf(t, drawn(t)["build/out/icons/16.png"])
	want := map[image.Point]color.NRGBA{
		{3, 6}: {0xfc, 0xfc, 0xfb, 0xff}, {8, 7}: {0xfc, 0xfc, 0xfb, 0xff}, {9, 6}: {0x17, 0x19, 0x1d, 0xff},
		{3, 11}: {0xff, 0xd8, 0x4d, 0xff}, {12, 10}: {0xff, 0xd8, 0x4d, 0xff}, {13, 10}: {0x17, 0x19, 0x1d, 0xff}, {8, 8}: {0x17, 0x19, 0x1d, 0xff},
	}
	for at, colour := range want {
		got := color.NRGBAModel.Convert(img.At(at.X, at.Y)).(color.NRGBA)
		if far(got.R, colour.R) || far(got.G, colour.G) || far(got.B, colour.B) {
			t.Errorf("%v is %v, want %v", at, got, colour)
		}
	}
}

// far allows for the corners of a bar, which are round.
func far(a, b uint8) bool { return max(a, b)-min(a, b) > 40 }

func TestIconFilesHoldTheirPictures(t *testing.T) {
	files := drawn(t)
	ico := files["build/out/icons/footnote.ico"]
	if count := binary.LittleEndian.Uint16(ico[4:]); count != 7 {
		t.Errorf("the icon of Windows has %d pictures, want 7", count)
	}
	for i := range 7 {
		entry := ico[6+16*i:]
		size, offset := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
		side := int(entry[0])
		if side == 0 {
			side = 256
		}
		if got := pictureOf(t, ico[offset:offset+size]).Bounds().Dx(); got != side {
			t.Errorf("picture %d is %d wide, its entry says %d", i, got, side)
		}
	}
	icns := files["build/out/icons/footnote.icns"]
	if string(icns[:4]) != "icns" || int(binary.BigEndian.Uint32(icns[4:])) != len(icns) {
		t.Error("the icon of macOS has a wrong head")
	}
	for at, i := 8, 0; at < len(icns); i++ {
		n := int(binary.BigEndian.Uint32(icns[at+4:]))
		if got := pictureOf(t, icns[at+8:at+n]).Bounds().Dx(); string(icns[at:at+4]) != icnsKinds[i].name || got != icnsKinds[i].size {
			t.Errorf("%s is %d wide", icns[at:at+4], got)
		}
		at += n
	}
}

func TestALogoThatCannotBeDrawnIsSaid(t *testing.T) {
	for name, svg := range map[string]string{
		"no groups":     `<svg><rect width="1" height="1" fill="#000000"/></svg>`,
		"not XML":       `<svg`,
		"cubic curves":  `<svg><g id="icon"><path class="ink" d="M0 0C1 1 2 2 3 3"/></g></svg>`,
		"short path":    `<svg><g id="icon"><path fill="#000000" d="M0"/></g></svg>`,
		"a named paint": `<svg><g id="icon"><rect fill="red"/></g></svg>`,
	} {
		file := filepath.Join(t.TempDir(), "logo.svg")
		if err := os.WriteFile(file, []byte(svg), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := drawIcons(file); err == nil {
			t.Errorf("%s: drawn", name)
		}
	}
}
