package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// ink is how text looks. The zero family is the text font, the zero colour black.
type ink struct {
	family, style string
	size          float64
	color         [3]int
	link          string // address
	jump          int    // link within the file; 0 = none
	strike        bool
}

// piece is text in one ink. A piece "\n" ends a line.
type piece struct {
	text string
	ink  ink
}

// line is what stands beside each other; width and height in millimetres.
type line struct {
	pieces        []piece
	width, height float64
}

// fontSet is the fonts that are embedded, and the characters they were asked for
// and lack.
type fontSet struct {
	regular *sfnt.Font
	buffer  sfnt.Buffer
	known   map[rune]bool
	lacking []rune // in order of appearance
}

func newFontSet() (*fontSet, error) {
	regular, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the text font: %w", err)
	}
	return &fontSet{regular: regular, known: map[rune]bool{}}, nil
}

// embed gives a file its fonts. It gets copies: the writer changes the bytes of
// a font while it takes out what is not used.
func (s *fontSet) embed(f *fpdf.Fpdf) {
	for _, font := range []struct {
		family, style string
		data          []byte
	}{
		{"text", "", goregular.TTF}, {"text", "B", gobold.TTF}, {"text", "I", goitalic.TTF}, {"text", "BI", gobolditalic.TTF}, {"mono", "", gomono.TTF},
	} {
		f.AddUTF8FontFromBytes(font.family, font.style, slices.Clone(font.data))
	}
}

// note remembers a character that the fonts have no shape for.
func (s *fontSet) note(r rune) {
	if _, asked := s.known[r]; asked {
		return
	}
	glyph, err := s.regular.GlyphIndex(&s.buffer, r)
	s.known[r] = err == nil && glyph != 0
	if !s.known[r] {
		s.lacking = append(s.lacking, r)
	}
}

// sample shows some of the characters that are lacking, by their numbers, which
// every font can show.
func (s *fontSet) sample() string {
	var names []string
	for _, r := range s.lacking[:min(len(s.lacking), 4)] {
		names = append(names, fmt.Sprintf("U+%04X", r))
	}
	if more := len(s.lacking) - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// lines breaks pieces into lines of a width, between words where there is a
// space, else within them.
func (w *pdfWriter) lines(pieces []piece, width float64) []line {
	var out []line
	var open line
	end := func() {
		out = append(out, open)
		open = line{}
	}
	for _, word := range split(pieces) {
		if word[0].text == "\n" {
			end()
			continue
		}
		for len(word) > 0 {
			size := w.widthOf(word)
			if open.width+size.solid <= width {
				open.add(word, size.whole)
				break
			}
			if len(open.pieces) > 0 {
				end()
				continue
			}
			head, rest := w.cut(word, width)
			open.add(head, w.widthOf(head).whole)
			word = rest
		}
	}
	if len(open.pieces) > 0 || len(out) == 0 {
		end()
	}
	for i := range out {
		out[i].height = leading * bodySize
		for n, p := range out[i].pieces {
			if n == 0 || leading*p.ink.size > out[i].height {
				out[i].height = leading * p.ink.size
			}
		}
	}
	return out
}

// add puts a word behind what stands; pieces of one ink become one.
func (l *line) add(word []piece, width float64) {
	for _, p := range word {
		if n := len(l.pieces); n > 0 && l.pieces[n-1].ink == p.ink {
			l.pieces[n-1].text += p.text
		} else {
			l.pieces = append(l.pieces, p)
		}
	}
	l.width += width
}

// split cuts pieces into words, each with the space behind it; a line end is a
// word of its own.
func split(pieces []piece) [][]piece {
	var words [][]piece
	var open []piece
	shut := func() {
		if len(open) > 0 {
			words = append(words, open)
			open = nil
		}
	}
	for _, p := range pieces {
		if p.text == "\n" {
			shut()
			words = append(words, []piece{p})
			continue
		}
		text := strings.ReplaceAll(visible(p.text), "\n", " ")
		for text != "" {
			n := strings.IndexByte(text, ' ') + 1
			if n == 0 {
				n = len(text)
			}
			open = append(open, piece{text[:n], p.ink})
			if text[n-1] == ' ' {
				shut()
			}
			text = text[n:]
		}
	}
	shut()
	return words
}

// extent is the width of a word with and without the space behind it.
type extent struct{ solid, whole float64 }

func (w *pdfWriter) widthOf(word []piece) extent {
	var e extent
	for _, p := range word {
		w.use(p.ink)
		solid := strings.TrimRight(p.text, " ")
		e.solid = e.whole + w.GetStringWidth(withinBMP(solid))
		e.whole += w.GetStringWidth(withinBMP(p.text))
	}
	return e
}

// cut takes as much from the front of a word as a line holds, one character at
// least.
func (w *pdfWriter) cut(word []piece, width float64) (head, rest []piece) {
	used := 0.0
	for i, p := range word {
		w.use(p.ink)
		for at, r := range p.text {
			used += w.GetStringWidth(withinBMP(string(r)))
			if used > width && (i > 0 || at > 0) {
				head = append(head, word[:i]...)
				if at > 0 {
					head = append(head, piece{p.text[:at], p.ink})
				}
				return head, append([]piece{{p.text[at:], p.ink}}, word[i+1:]...)
			}
		}
	}
	return word, nil
}

func (w *pdfWriter) use(k ink) {
	family := k.family
	if family == "" {
		family = "text"
	}
	w.SetFont(family, k.style, k.size)
}

// draw sets a line whose top is at y.
func (w *pdfWriter) draw(l line, x, y float64) {
	for _, p := range l.pieces {
		w.use(p.ink)
		color := p.ink.color
		if color == [3]int{} {
			color = inkBlack
		}
		w.SetTextColor(color[0], color[1], color[2])
		width := w.GetStringWidth(withinBMP(p.text))
		switch {
		case p.ink.jump > 0:
			w.Link(x, y, width, l.height, p.ink.jump)
		case p.ink.link != "":
			w.LinkString(x, y, width, l.height, p.ink.link)
		}
		base := y + 0.72*l.height
		w.set(p.text, x, base)
		if p.ink.strike {
			w.Line(x, base-0.3*l.height, x+width, base-0.3*l.height)
		}
		x += width
	}
}

// set writes text. Fonts of PDF know the first 65,536 characters only: one
// beyond them is a box that says, for whoever copies or reads it aloud, what it
// stands for.
func (w *pdfWriter) set(text string, x, base float64) {
	at := 0
	for i, r := range text {
		w.fonts.note(r)
		if r <= 0xffff {
			continue
		}
		w.Text(x, base, text[at:i])
		x += w.GetStringWidth(text[at:i])
		high, low := utf16.EncodeRune(r)
		w.RawWriteStr(fmt.Sprintf("/Span <</ActualText <FEFF%04X%04X>>> BDC\n", high, low))
		w.Text(x, base, box)
		w.RawWriteStr("EMC\n")
		x += w.GetStringWidth(box)
		at = i + len(string(r))
	}
	if at < len(text) {
		w.Text(x, base, text[at:])
	}
}

const box = "\uFFFD"

// withinBMP puts boxes where characters stand that fonts of PDF cannot have.
func withinBMP(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xffff {
			return 0xFFFD
		}
		return r
	}, s)
}
