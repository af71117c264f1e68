//go:build pdfium

package pdf

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"sync"
	"unicode/utf16"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
	"footnote/backend/extract/ocr"
)

// HasPDFium says whether PDFium is built in, which is done with the tag pdfium.
const HasPDFium = true

// pdfiumPacked is PDFium, compiled to WebAssembly. The build program puts it here.
//
//go:embed wasm/pdfium.wasm.gz
var pdfiumPacked []byte

// pdfiumCode unpacks PDFium once in a process, which takes less than a tenth of
// what starting it does.
var pdfiumCode = sync.OnceValues(func() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(pdfiumPacked))
	if err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	size := binary.LittleEndian.Uint32(pdfiumPacked[len(pdfiumPacked)-4:]) // as .gz files end
	code := bytes.NewBuffer(make([]byte, 0, int(size)+bytes.MinRead))
	if _, err := code.ReadFrom(z); err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	return code.Bytes(), nil
})

// pdfium is a document open in PDFium, which runs in a machine of its own inside
// this process: it cannot reach files, the net or more memory than it is given.
type pdfium struct {
	*machine
	doc   uint64
	pages int
}

// Errors of FPDF_GetLastError.
const pdfiumPassword = 4

func openPDFium(ctx context.Context, data []byte, lim format.Limits) (pdfEngine, error) {
	code, err := pdfiumCode()
	if err != nil {
		return nil, err
	}
	m, err := newMachine(ctx, code, lim)
	if err != nil {
		return nil, err
	}
	p := &pdfium{machine: m}
	if err := p.open(ctx, data); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *pdfium) open(ctx context.Context, data []byte) error {
	if _, err := p.call(ctx, "FPDF_InitLibrary"); err != nil {
		return err
	}
	at, err := p.put(ctx, data) // PDFium reads from it until the document is closed
	if err != nil {
		return err
	}
	if p.doc, err = p.call(ctx, "FPDF_LoadMemDocument", at, uint64(len(data)), 0); err != nil {
		return err
	}
	if p.doc == 0 {
		code, err := p.call(ctx, "FPDF_GetLastError")
		switch {
		case err != nil:
			return err
		case code == pdfiumPassword:
			return errPassword
		}
		return fmt.Errorf("PDFium does not open the file: error %d", code)
	}
	n, err := p.call(ctx, "FPDF_GetPageCount", p.doc)
	if p.pages = int(int32(n)); err == nil && p.pages <= 0 {
		err = errors.New("PDFium finds no pages")
	}
	return err
}

func (p *pdfium) count() int { return p.pages }

func (p *pdfium) close() { p.machine.close() }

// onPage loads a page, hands it over and closes it.
func (p *pdfium) onPage(ctx context.Context, page int, use func(handle uint64) error) error {
	handle, err := p.call(ctx, "FPDF_LoadPage", p.doc, uint64(page))
	if err != nil {
		return err
	}
	if handle == 0 {
		return fmt.Errorf("PDFium does not open page %d", page+1)
	}
	err = use(handle)
	_, closing := p.call(ctx, "FPDF_ClosePage", handle)
	return errors.Join(err, closing)
}

func (p *pdfium) text(ctx context.Context, page int) (pageText, error) {
	paint := &painter{}
	objects := uint64(0)
	err := p.onPage(ctx, page, func(handle uint64) error {
		rotate, err := p.call(ctx, "FPDFPage_GetRotation", handle)
		if err != nil {
			return err
		}
		if objects, err = p.call(ctx, "FPDFPage_CountObjects", handle); err != nil {
			return err
		}
		list, err := p.call(ctx, "FPDFText_LoadPage", handle)
		if err != nil || list == 0 {
			return err
		}
		err = p.letters(ctx, list, rotation(int64(rotate)*90), paint)
		paint.closeFragment()
		_, closing := p.call(ctx, "FPDFText_ClosePage", list)
		return errors.Join(err, closing)
	})
	text := pageText{turned: paint.turned, garbled: paint.Garbled, drawn: objects > 0}
	if err == nil {
		text.label, err = p.label(ctx, page)
	}
	return text, err
}

// label is the number printed on a page, as the document says; empty where it
// does not.
func (p *pdfium) label(ctx context.Context, page int) (string, error) {
	n, err := p.call(ctx, "FPDF_GetPageLabel", p.doc, uint64(page), 0, 0)
	if err != nil || n <= 2 || n > 4*maxLabel { // bytes of UTF-16 with its end
		return "", err
	}
	room, err := p.call(ctx, "malloc", n)
	if err != nil || room == 0 {
		return "", errors.Join(err, errors.New("PDFium is out of memory"))
	}
	if _, err := p.call(ctx, "FPDF_GetPageLabel", p.doc, uint64(page), room, n); err != nil {
		return "", err
	}
	raw, ok := p.memory(room, int(n))
	if !ok {
		return "", errors.New("PDFium's memory is gone")
	}
	units := make([]uint16, 0, n/2)
	for i := 0; i+1 < len(raw)-2; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(raw[i:]))
	}
	_, err = p.call(ctx, "free", room)
	return usefulLabel(format.Clean(string(utf16.Decode(units)), false)), err
}

// letters places what stands on a page with the painter that serves the first
// engine, so that both are laid out alike.
func (p *pdfium) letters(ctx context.Context, list uint64, turn matrix, paint *painter) error {
	n, err := p.call(ctx, "FPDFText_CountChars", list)
	if err != nil {
		return err
	}
	room, err := p.call(ctx, "malloc", 64)
	if err != nil || room == 0 {
		return errors.Join(err, errors.New("PDFium is out of memory"))
	}
	high := rune(0)
	for i := range min(int(int32(n)), maxGlyphs) {
		l, err := p.letter(ctx, list, uint64(i), room)
		if err != nil {
			return err
		}
		if l.made { // a blank or line end that PDFium guessed: places tell better
			continue
		}
		if l.r >= 0xd800 && l.r < 0xdc00 {
			high = l.r
			continue
		}
		if l.r >= 0xdc00 && l.r < 0xe000 && high != 0 {
			l.r = (high-0xd800)<<10 + (l.r - 0xdc00) + 0x10000
		}
		high = 0
		text := string(l.r)
		if l.r == 0 || l.r == 0xfffe || l.r == 0xffff {
			text = "\uFFFD"
		}
		paint.place(text, l.from.mul(turn), l.to.mul(turn), &pdfFont{bold: l.bold})
	}
	_, err = p.call(ctx, "free", room)
	return err
}

// placed is a character with its place.
type placed struct {
	r          rune
	made, bold bool
	from, to   matrix // at its beginning and end on the baseline
}

// letter reads what PDFium knows about a character; room is 64 bytes of its
// memory.
func (p *pdfium) letter(ctx context.Context, list, i, room uint64) (l placed, err error) {
	ask := func(name string, args ...uint64) uint64 {
		if err != nil {
			return 0
		}
		var got uint64
		got, err = p.call(ctx, name, append([]uint64{list, i}, args...)...)
		return got
	}
	l.made = int32(ask("FPDFText_IsGenerated")) == 1
	l.r = rune(uint32(ask("FPDFText_GetUnicode")))
	if l.made || err != nil {
		return l, err
	}
	l.bold = int32(ask("FPDFText_GetFontWeight")) >= 600
	size := math.Float64frombits(ask("FPDFText_GetFontSize"))
	ask("FPDFText_GetMatrix", room)
	ask("FPDFText_GetCharOrigin", room+24, room+32)
	ask("FPDFText_GetLooseCharBox", room+40)
	raw, ok := p.memory(room, 56)
	if err != nil || !ok {
		return l, errors.Join(err, errors.New("PDFium's memory is gone"))
	}
	f32 := func(at int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[at:]))) }
	f64 := func(at int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(raw[at:])) }
	m := matrix{f32(0) * size, f32(4) * size, f32(8) * size, f32(12) * size, f64(24), f64(32)}
	if m[0] == 0 && m[1] == 0 {
		m[0], m[3] = size, size
	}
	l.from, l.to = m, m
	left, top, right, bottom := f32(40), f32(44), f32(48), f32(52)
	switch direction(m) {
	case 0:
		l.to[4] = right
	case 1:
		l.to[5] = top
	case 2:
		l.to[4] = left
	case 3:
		l.to[5] = bottom
	case layout.Slanted: // the box says little; letters are about half as wide as high
		l.to[4], l.to[5] = m[4]+m[0]/2, m[5]+m[1]/2
	}
	return l, nil
}

// maxScan is the larger side of a drawn page, in dots.
const maxScan = 4000

// picture draws a page in grey.
func (p *pdfium) picture(ctx context.Context, page int) (drawn []byte, err error) {
	err = p.onPage(ctx, page, func(handle uint64) error {
		w, err := p.call(ctx, "FPDF_GetPageWidth", handle)
		if err != nil {
			return err
		}
		h, err := p.call(ctx, "FPDF_GetPageHeight", handle)
		if err != nil {
			return err
		}
		width, height := math.Float64frombits(w), math.Float64frombits(h)
		scale := min(ocr.DPI/72.0, maxScan/max(width, height, 1))
		drawn, err = p.draw(ctx, handle, max(1, int(width*scale)), max(1, int(height*scale)))
		return err
	})
	return drawn, err
}

func (p *pdfium) draw(ctx context.Context, page uint64, w, h int) ([]byte, error) {
	const grey, annotations, white = 1, 1, 0xffffffff
	bitmap, err := p.call(ctx, "FPDFBitmap_CreateEx", uint64(w), uint64(h), grey, 0, 0)
	if err != nil || bitmap == 0 {
		return nil, errors.Join(err, errors.New("PDFium has no room for the page"))
	}
	calls := [][]uint64{{bitmap, 0, 0, uint64(w), uint64(h), white}, {bitmap, page, 0, 0, uint64(w), uint64(h), 0, annotations}}
	for i, name := range []string{"FPDFBitmap_FillRect", "FPDF_RenderPageBitmap"} {
		if _, err := p.call(ctx, name, calls[i]...); err != nil {
			return nil, err
		}
	}
	stride, err := p.call(ctx, "FPDFBitmap_GetStride", bitmap)
	if err != nil {
		return nil, err
	}
	at, err := p.call(ctx, "FPDFBitmap_GetBuffer", bitmap)
	if err != nil {
		return nil, err
	}
	pixels, ok := p.memory(at, int(stride)*h)
	if !ok {
		return nil, errors.New("PDFium's memory is gone")
	}
	var out bytes.Buffer
	err = png.Encode(&out, &image.Gray{Pix: pixels, Stride: int(stride), Rect: image.Rect(0, 0, w, h)})
	_, freeing := p.call(ctx, "FPDFBitmap_Destroy", bitmap)
	return out.Bytes(), errors.Join(err, freeing)
}
