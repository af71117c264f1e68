package hostile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
)

// Drawn is a picture of a size.
func Drawn(w, h int, encode func(*bytes.Buffer, image.Image) error) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.Set(x, y, color.NRGBA{200, 30, 30, uint8(255 * (x % 2))})
		}
	}
	var b bytes.Buffer
	if err := encode(&b, picture); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// PNG, JPEG and GIF are forms of a picture.
func PNG(b *bytes.Buffer, i image.Image) error  { return png.Encode(b, i) }
func JPEG(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) }
func GIF(b *bytes.Buffer, i image.Image) error  { return gif.Encode(b, i, nil) }

// Progressive is a grey JPEG of a size, in so many passes of no new information.
func Progressive(side, passes int) []byte {
	segment := func(mark byte, body ...byte) []byte {
		return append([]byte{0xff, mark, byte((len(body) + 2) >> 8), byte(len(body) + 2)}, body...)
	}
	out := []byte{0xff, 0xd8}
	out = append(out, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	out = append(out, segment(0xc2, 8, byte(side>>8), byte(side), byte(side>>8), byte(side), 1, 1, 0x11, 0)...)
	counts := make([]byte, 16)
	counts[0] = 1
	out = append(out, segment(0xc4, append(append([]byte{0x00}, counts...), 0x00)...)...) // DC: no difference
	out = append(out, segment(0xc4, append(append([]byte{0x10}, counts...), 0xe0)...)...) // AC: the end of 2^14 blocks and more
	for i := range passes {
		if i == 0 {
			out = append(out, segment(0xda, 1, 1, 0x00, 0, 0, 0)...)
			out = append(out, make([]byte, (side/8+1)*(side/8+1)/8+8)...)
			continue
		}
		out = append(out, segment(0xda, 1, 1, 0x00, 1, 63, 0)...)
		out = append(out, make([]byte, 2+(side/8+1)*(side/8+1)/8/1024)...)
	}
	return append(out, 0xff, 0xd9)
}

// emptyPNG says a size and packs as many zeros as that takes.
func emptyPNG(w, h int, depth, colour byte, rows int) []byte {
	chunk := func(kind string, body []byte) []byte {
		out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
		out = append(append(out, kind...), body...)
		return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		panic(err)
	}
	row := make([]byte, w*8+1)
	for range rows {
		if _, err := z.Write(row); err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, depth, colour, 0, 0, 0))...)
	return append(append(out, chunk("IDAT", packed.Bytes())...), chunk("IEND", nil)...)
}

// Pictures are small to send and dear to draw, damaged, or none.
func Pictures() map[string][]byte {
	enormous := Drawn(40, 40, PNG)
	copy(enormous[16:24], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
	frames := Drawn(64, 48, GIF)
	copy(frames[6:10], []byte{0xff, 0xff, 0xff, 0xff})
	return map[string][]byte{
		"many passes":          Progressive(6400, 4000),
		"many passes, small":   Progressive(1600, 4000),
		"large in all colours": emptyPNG(6400, 6400, 16, 6, 400),
		"enormous":             enormous,
		"wide":                 emptyPNG(4_000_000, 32, 8, 2, 1),
		"wide and low":         emptyPNG(1_000_000, 4, 8, 2, 1),
		"no rows":              emptyPNG(1000, 1000, 8, 2, 0),
		"a dot":                Drawn(1, 1, GIF),
		"large frames":         frames,
		"cut":                  Drawn(300, 300, PNG)[:200],
		"cut jpeg":             Drawn(300, 300, JPEG)[:400],
		"page":                 []byte("<html>no</html>"),
		"drawing":              []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`),
		"nothing":              {},
		"marks only":           bytes.Repeat([]byte{0xff, 0xd8}, 1<<19),
		"zeros":                make([]byte, 1<<20),
	}
}
