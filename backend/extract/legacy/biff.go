package legacy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"

	"footnote/backend/extract/format"
)

// Records of BIFF, the binary format of the workbooks of Excel 5 to 2003.
const (
	biffFormula    = 0x0006
	biffEnd        = 0x000A
	biffDate1904   = 0x0022
	biffFilePass   = 0x002F
	biffContinue   = 0x003C
	biffCodePage   = 0x0042
	biffBoundSheet = 0x0085
	biffMulRK      = 0x00BD
	biffRString    = 0x00D6
	biffXF         = 0x00E0
	biffSST        = 0x00FC
	biffLabelSST   = 0x00FD
	biffNumber     = 0x0203
	biffLabel      = 0x0204
	biffBoolErr    = 0x0205
	biffString     = 0x0207
	biffRK         = 0x027E
	biffFormat     = 0x041E
	biffStart      = 0x0809

	biff8 = 0x0600 // texts are Unicode from this version on
)

// mostCells of a sheet are kept; half of what fits into one.
const mostCells = 8 << 20

var errBIFF = errors.New("read records")

// oldWorkbook is an Excel workbook while it is read.
type oldWorkbook struct {
	data    []byte
	wide    bool   // texts are Unicode, else bytes in a code page
	page    uint64 // that code page
	shared  []string
	formats map[uint16]string // by number; those without are built in
	styles  []uint16          // number of the format, by that of the style
	sheets  []oldSheet
	days04  bool // dates count from 1904
	show    *cellFormats
}

type oldSheet struct {
	name   string
	at     int
	hidden bool
}

// readExcel reads a workbook of Excel 5 to 2003 as ReadXlsx does its successor:
// sheet by sheet, cells as they are shown. Comments, charts and pictures are left
// out.
func readExcel(ctx context.Context, b *format.Builder, c *format.Container, lim format.Limits) error {
	ctx, cancel := context.WithTimeout(ctx, lim.Time*2/3)
	defer cancel()
	w := &oldWorkbook{data: c.Streams["Workbook"], formats: map[uint16]string{}}
	if !c.Has("Workbook") {
		w.data = c.Streams["Book"]
	}
	if err := w.globals(); err != nil {
		return err
	}
	w.show = newCellFormats(w.days04)
	defer w.show.close()
	for _, sheet := range w.sheets {
		b.Doc.Coverage.Pages++
		if b.Full() {
			continue
		}
		cells, texts, short := w.cells(ctx, sheet.at)
		if late := w.write(ctx, b, sheet, cells, texts); late != nil {
			short = late
		}
		switch {
		case short == nil:
		case short.Code == format.Timeout && len(b.Blocks) == 0:
			return short
		default:
			b.Partly(short.Reason)
		}
		if short == nil || len(cells) > 0 {
			b.Doc.Coverage.Read++
		}
	}
	titled(b, c)
	return nil
}

// globals reads what all sheets share, and where they lie.
func (w *oldWorkbook) globals() error {
	damaged := format.Fail(format.Malformed, "The workbook is damaged: it cannot be read.", errBIFF)
	for at, first := 0, true; ; first = false {
		r, next := w.record(at)
		if next == 0 && len(w.sheets) > 0 {
			return nil
		}
		if next == 0 || first && (r.id != biffStart || len(r.body()) < 4) {
			return damaged
		}
		at = next
		body := r.body()
		switch {
		case r.id == biffEnd:
			if len(w.sheets) == 0 {
				return damaged
			}
			return nil
		case r.id == biffFilePass:
			return format.Fail(format.Encrypted, "The file is protected with a password; save it without one and add that.", nil)
		case r.id == biffSST:
			w.shared = sharedTexts(r)
		case len(body) < 2:
		case first:
			w.wide = binary.LittleEndian.Uint16(body) >= biff8
		case r.id == biffDate1904:
			w.days04 = body[0] == 1
		case r.id == biffCodePage:
			w.page = uint64(binary.LittleEndian.Uint16(body))
		case r.id == biffFormat:
			w.formats[binary.LittleEndian.Uint16(body)] = w.text(r, 2, !w.wide)
		case r.id == biffXF && len(body) >= 4:
			w.styles = append(w.styles, binary.LittleEndian.Uint16(body[2:]))
		case r.id == biffBoundSheet && len(body) >= 8 && body[5] == 0: // charts and macros are no sheets
			w.sheets = append(w.sheets, oldSheet{
				name: format.Clean(w.text(r, 6, true), false), at: int(binary.LittleEndian.Uint32(body)), hidden: body[4]&3 != 0,
			})
		}
	}
}

// biffRecord is a record with those that continue it.
type biffRecord struct {
	id    uint16
	parts [][]byte // one at least
}

func (r biffRecord) body() []byte { return r.parts[0] }

// record reads the record at a place, and gives the place of the next: 0 where
// there is none.
func (w *oldWorkbook) record(at int) (r biffRecord, next int) {
	one := func(at int) (id uint16, body []byte) {
		if at < 0 || at > len(w.data)-4 {
			return 0, nil
		}
		n := int(binary.LittleEndian.Uint16(w.data[at+2:]))
		if n > len(w.data)-at-4 {
			return 0, nil
		}
		return binary.LittleEndian.Uint16(w.data[at:]), w.data[at+4 : at+4+n]
	}
	id, body := one(at)
	if body == nil {
		return r, 0
	}
	r = biffRecord{id, [][]byte{body}}
	next = at + 4 + len(body)
	for {
		id, body := one(next)
		if id != biffContinue || body == nil {
			return r, next
		}
		r.parts = append(r.parts, body)
		next += 4 + len(body)
	}
}

// text reads a text whose length stands at a place of a record, in one byte or
// two.
func (w *oldWorkbook) text(r biffRecord, at int, short bool) string {
	body := r.body()
	size := 2
	if short {
		size = 1
	}
	if len(body) < at+size {
		return ""
	}
	n := int(body[at])
	if !short {
		n = int(binary.LittleEndian.Uint16(body[at:]))
	}
	if !w.wide {
		rest := body[at+size:]
		return format.FromCodePage(rest[:min(n, len(rest))], w.page)
	}
	t := biffText{append([][]byte{body[at+size:]}, r.parts[1:]...)}
	text, _ := t.next(n)
	return text
}

// sharedTexts are the texts of all sheets, by number.
func sharedTexts(r biffRecord) (texts []string) {
	if len(r.body()) < 8 {
		return nil
	}
	t := biffText{append([][]byte{r.body()[8:]}, r.parts[1:]...)}
	for len(texts) < mostCells {
		size := t.take(2)
		if len(size) < 2 {
			break
		}
		text, ok := t.next(int(binary.LittleEndian.Uint16(size)))
		if !ok {
			break
		}
		texts = append(texts, text)
	}
	return texts
}

// biffText reads Unicode texts out of a record and those that continue it. A text
// that goes on in the next says anew there how wide its letters are.
type biffText struct{ parts [][]byte }

// take gives n bytes, fewer at the end.
func (t *biffText) take(n int) (out []byte) {
	for n > 0 && len(t.parts) > 0 {
		k := min(n, len(t.parts[0]))
		if k == n && out == nil {
			out = t.parts[0][:k:k]
		} else {
			out = append(out, t.parts[0][:k]...)
		}
		n -= k
		if t.parts[0] = t.parts[0][k:]; len(t.parts[0]) == 0 {
			t.parts = t.parts[1:]
		}
	}
	return out
}

// next reads a text of n letters behind its flags; ok is false where there is no
// more.
func (t *biffText) next(n int) (text string, ok bool) {
	flags := t.take(1)
	if len(flags) == 0 {
		return "", false
	}
	skip := 0
	if flags[0]&8 != 0 { // its parts have fonts of their own
		if runs := t.take(2); len(runs) == 2 {
			skip = 4 * int(binary.LittleEndian.Uint16(runs))
		}
	}
	if flags[0]&4 != 0 { // how it is said in Japanese
		if size := t.take(4); len(size) == 4 {
			skip += int(binary.LittleEndian.Uint32(size))
		}
	}
	text = t.letters(n, flags[0]&1 != 0)
	t.take(skip)
	return text, true
}

func (t *biffText) letters(n int, wide bool) string {
	var units []uint16
	for n > 0 && len(t.parts) > 0 {
		part := t.parts[0]
		for n > 0 && len(part) > 0 && (len(part) > 1 || !wide) {
			if wide {
				units, part = append(units, binary.LittleEndian.Uint16(part)), part[2:]
			} else {
				units, part = append(units, uint16(part[0])), part[1:]
			}
			n--
		}
		if n > 0 {
			part = nil
		}
		if t.parts[0] = part; len(part) > 0 {
			break
		}
		if t.parts = t.parts[1:]; n > 0 && len(t.parts) > 0 && len(t.parts[0]) > 0 {
			wide, t.parts[0] = t.parts[0][0]&1 != 0, t.parts[0][1:]
		}
	}
	return strings.ToValidUTF8(string(utf16.Decode(units)), "")
}

// rkNumber is a number packed into 30 bits and how to unpack it.
func rkNumber(n uint32) float64 {
	v := math.Float64frombits(uint64(n&^3) << 32)
	if n&2 != 0 {
		v = float64(int32(n) >> 2)
	}
	if n&1 != 0 {
		v /= 100
	}
	return v
}

// biffError names an error as a cell shows it.
func biffError(code byte) string {
	switch code {
	case 0x00:
		return "#NULL!"
	case 0x07:
		return "#DIV/0!"
	case 0x0F:
		return "#VALUE!"
	case 0x17:
		return "#REF!"
	case 0x1D:
		return "#NAME?"
	case 0x24:
		return "#NUM!"
	case 0x2A:
		return "#N/A"
	}
	return fmt.Sprintf("#%d", code)
}
