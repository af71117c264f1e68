package office

import (
	"context"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ReadRTF reads a rich text file: paragraphs, headings by style or outline level,
// list items, rows of tables; footnotes follow at the end. Headers and footers,
// comments, hidden text, fields' instructions and pictures are left out.
func ReadRTF(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	r := &rtf{b: b, data: data, rtfTables: rtfTables{page: format.CodePage(1252), fonts: map[int]encoding.Encoding{}, styles: map[int]int{}}}
	r.now = rtfGroup{skip: 1, style: -1}
	for n := 0; r.at < len(r.data) && !b.Full(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.step()
	}
	if b.Full() {
		b.Partly("Only the first part was read: the text is longer than the limit.")
	}
	r.flush()
	r.now = rtfGroup{style: r.now.style, styled: r.now.styled}
	r.paragraph()
	r.row()
	for _, note := range r.notes {
		b.Add(evidence.Block{Kind: evidence.Paragraph}, note)
	}
	b.Doc.Source.Title = format.Clean(string(r.title), false)
	if r.date[0] > 0 {
		b.Doc.Source.Published = time.Date(r.date[0], time.Month(max(1, r.date[1])), max(1, r.date[2]), 0, 0, 0, 0, time.UTC)
	}
	return nil
}

// rtf is a rich text file being read.
type rtf struct {
	b    *format.Builder
	data []byte
	at   int

	now    rtfGroup
	groups []rtfGroup
	deeper int // open groups beyond those that are kept

	rtfTables
	raw   []byte // bytes of a code page, not yet decoded
	high  rune   // first half of a character
	fresh bool   // a group has just begun
	star  bool   // an optional destination begins
	left  int    // characters still to be left out, after \u

	words []byte // of the open paragraph
	note  []byte // of the open footnote
	notes []string
	title []byte
	date  [3]int
	cells []string
	list  bool
}

// rtfTables are what a file defines before its text.
type rtfTables struct {
	page   encoding.Encoding         // of the file
	fonts  map[int]encoding.Encoding // nil for symbols
	font   int                       // being defined
	styles map[int]int               // heading level by style
	name   []byte                    // of the style being defined
}

// rtfGroup is what ends with a group.
type rtfGroup struct {
	dest    rtfDest
	skip    int // characters that follow \u for old readers
	font    int
	hidden  bool
	table   bool
	style   int // heading level by outline; -1 for none
	styled  int // heading level by style
	listing bool
}

// rtfDest says where the text of a group goes.
type rtfDest uint8

const (
	rtfBody rtfDest = iota
	rtfNowhere
	rtfNote
	rtfFonts
	rtfStyles
	rtfInfo
	rtfTitle
	rtfDate
)

// deepest bounds the groups whose state is kept; more are only counted.
const deepest = 10_000

// step reads one character, control or brace.
func (r *rtf) step() {
	c := r.data[r.at]
	r.at++
	switch c {
	case '{':
		r.flush()
		r.begin()
		return
	case '}':
		r.flush()
		r.end()
	case '\\':
		r.control()
		return
	case '\r', '\n':
	default:
		r.char(c)
	}
	r.fresh, r.star = false, false
}

func (r *rtf) begin() {
	if len(r.groups) >= deepest {
		r.deeper++
		return
	}
	r.groups = append(r.groups, r.now)
	r.fresh, r.star, r.left = true, false, 0
}

func (r *rtf) end() {
	r.left = 0
	if r.deeper > 0 {
		r.deeper--
		return
	}
	n := len(r.groups)
	if n == 0 {
		return
	}
	if n == 1 { // the file's own: its last paragraph need not end
		r.paragraph()
	}
	was := r.now
	r.now = r.groups[n-1]
	r.groups = r.groups[:n-1]
	if was.dest == rtfNote && r.now.dest != rtfNote {
		r.notes = append(r.notes, string(r.note))
		r.note = nil
	}
}

// char takes in a byte of text.
func (r *rtf) char(c byte) {
	if r.left > 0 {
		r.left--
		return
	}
	r.raw = append(r.raw, c)
}

// flush decodes the bytes that have come together.
func (r *rtf) flush() {
	if len(r.raw) == 0 {
		return
	}
	raw := r.raw
	r.raw = r.raw[:0]
	page, known := r.fonts[r.now.font]
	if !known {
		page = r.page
	}
	if page == nil { // symbols: their codes are no letters
		return
	}
	if text, err := page.NewDecoder().Bytes(raw); err == nil {
		r.write(text)
	}
}

// write puts text where the group says.
func (r *rtf) write(text []byte) {
	switch r.now.dest {
	case rtfBody:
		if !r.now.hidden {
			r.words = append(r.words, text...)
		}
	case rtfNote:
		r.note = append(r.note, text...)
	case rtfTitle:
		r.title = append(r.title, text...)
	case rtfStyles:
		r.styleName(text)
	}
}

// styleName takes in the name of the style being defined, which ends with ";".
func (r *rtf) styleName(text []byte) {
	for _, c := range text {
		if c != ';' {
			r.name = append(r.name, c)
			continue
		}
		r.styles[r.now.styled] = namedLevel(format.Clean(string(r.name), false))
		r.name = r.name[:0]
	}
}

// control reads a control word or symbol behind its backslash.
func (r *rtf) control() {
	if r.at >= len(r.data) {
		return
	}
	c := r.data[r.at]
	if c < 'a' || c > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	start := r.at
	for r.at < len(r.data) && r.data[r.at]|0x20 >= 'a' && r.data[r.at]|0x20 <= 'z' {
		r.at++
	}
	word := string(r.data[start:min(r.at, start+32)])
	start = r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.data[r.at] >= '0' && r.data[r.at] <= '9' && r.at-start < 11 {
		r.at++
	}
	n, err := strconv.Atoi(string(r.data[start:r.at]))
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	fresh, star := r.fresh, r.star
	r.fresh, r.star = false, false
	r.word(word, n, err == nil, fresh, star)
}

func (r *rtf) symbol(c byte) {
	fresh := r.fresh
	r.fresh, r.star = false, false
	switch c {
	case '*':
		r.fresh, r.star = fresh, fresh
	case '\'':
		if r.at+2 <= len(r.data) {
			if b, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8); err == nil {
				r.at += 2
				r.char(byte(b))
			}
		}
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '-', ':', '|':
	case '\r', '\n':
		r.flush()
		r.paragraph()
	default:
		r.char(c)
	}
}

// unicode takes in a code unit given by \u; halves come one after another.
func (r *rtf) unicode(n int) {
	r.flush()
	u := rune(uint16(n))
	switch {
	case u >= 0xd800 && u < 0xdc00:
		r.high = u
	case u >= 0xdc00 && u < 0xe000:
		if full := utf16.DecodeRune(r.high, u); full != utf8.RuneError {
			r.write(utf8.AppendRune(nil, full))
		}
		r.high = 0
	case u >= 0xf000 && u < 0xf100: // a symbol font's
	default:
		r.write(utf8.AppendRune(nil, u))
	}
	r.left = r.now.skip
}
