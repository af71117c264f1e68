package paper

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/bidi"
)

// leading is the height of a line, in millimetres a point.
const leading = 0.50

const pointsToMM = 25.4 / 72

// Ink is how text looks. The zero colour is black.
type Ink struct {
	Mono, Bold, Italic, Strike bool
	Apart                      bool // a mark, which runs from left to right wherever it stands
	Size                       float64
	Color                      [3]byte
	Link                       string // address
	Jump                       *Place // within the file; nil = none
}

func (k Ink) style() string {
	style := ""
	switch {
	case k.Mono:
		return "M"
	case k.Bold:
		style = "B"
	}
	if k.Italic {
		style += "I"
	}
	return style
}

// Piece is text in one ink. A piece "\n" ends a line.
type Piece struct {
	Text string
	Ink
}

// cell is one sign on its way to a page.
type cell struct {
	face  *face
	glyph sfnt.GlyphIndex
	text  string // what it stands for
	width float64
	level int // of writing direction, odd from right to left
	space bool
	ends  bool // a line may end behind it
	ink   Ink
}

// line is what stands beside each other, from left to right; sizes in millimetres.
type line struct {
	cells         []cell
	width, height float64
	right         bool // it begins at the right
}

// lines breaks pieces into lines of a width.
func (s *Sheet) lines(pieces []Piece, width float64) []line {
	var out []line
	var open []Piece
	for _, p := range append(slices.Clone(pieces), Piece{Text: "\n"}) {
		if p.Text != "\n" {
			open = append(open, p)
			continue
		}
		if len(open) > 0 || len(out) == 0 || len(pieces) > 0 && p.Size > 0 {
			out = append(out, s.filled(open, width)...)
		}
		open = nil
	}
	return out
}

// filled breaks what has no line ends of its own.
func (s *Sheet) filled(pieces []Piece, width float64) []line {
	cells, right := s.cells(pieces)
	var out []line
	for len(cells) > 0 || len(out) == 0 {
		n := fitting(cells, width)
		out = append(out, lineOf(cells[:n], right))
		cells = cells[n:]
	}
	return out
}

// fitting is how many cells a line holds: up to where it may end, else as many as
// there is room for.
func fitting(cells []cell, width float64) int {
	used, end := 0.0, 0
	for i, c := range cells {
		used += c.width
		if used > width && !c.space && i > 0 {
			if end == 0 {
				end = i
			}
			return end
		}
		if c.ends {
			end = i + 1
		}
	}
	return len(cells)
}

func lineOf(cells []cell, right bool) line {
	l := line{right: right, height: leading * bodySize}
	for len(cells) > 0 && cells[len(cells)-1].space {
		cells = cells[:len(cells)-1]
	}
	for i, c := range cells {
		l.width += c.width
		if i == 0 || leading*c.ink.Size > l.height {
			l.height = leading * c.ink.Size
		}
	}
	l.cells = inOrder(cells)
	return l
}

const bodySize = 10.5

// inOrder puts cells from left to right: by rule L2 of Unicode's algorithm.
func inOrder(cells []cell) []cell {
	highest := 0
	for _, c := range cells {
		highest = max(highest, c.level)
	}
	out := slices.Clone(cells)
	for level := highest; level > 0; level-- {
		for at := 0; at < len(out); at++ {
			end := at
			for end < len(out) && out[end].level >= level {
				end++
			}
			if end > at {
				slices.Reverse(out[at:end])
				at = end
			}
		}
	}
	return out
}

// cells makes signs of pieces, and tells whether they begin at the right.
func (s *Sheet) cells(pieces []Piece) (out []cell, right bool) {
	var text []rune
	var inks []Ink
	for _, p := range pieces {
		for _, r := range clean(p.Text) {
			text, inks = append(text, r), append(inks, p.Ink)
		}
	}
	if len(text) == 0 {
		return nil, false
	}
	s.fonts.prepare(string(text))
	levels, right := levelsAmong(text, inks)
	ends := breaksOf(text)
	letters := joined(text)
	for i := 0; i < len(letters); i++ {
		l := letters[i]
		k := inks[l.start]
		switch {
		case hidden(l.sign):
			continue
		case s.lacks(l.sign, k):
			n := s.lackingFrom(letters[i:], k)
			last := letters[i+n-1]
			out = append(out, s.named(string(text[l.start:last.end]), k, levels[l.start], ends[last.end-1])...)
			i += n - 1
			continue
		}
		sign := l.sign
		if levels[l.start]%2 == 1 {
			sign = mirrored(sign)
		}
		v, glyph := s.fonts.of(sign, k)
		if v == nil {
			v, glyph = s.fonts.of(l.sign, k)
		}
		drawn := s.cell(v, glyph, string(text[l.start]), k, levels[l.start], ends[l.end-1])
		out = append(out, drawn)
		for _, r := range text[l.start+1 : l.end] {
			drawn.glyph, drawn.text, drawn.width = blank, string(r), 0
			out = append(out, drawn)
		}
	}
	return out, right
}

func (s *Sheet) cell(v *face, glyph sfnt.GlyphIndex, text string, k Ink, level int, ends bool) cell {
	r, _ := utf8.DecodeRuneInString(text)
	return cell{v, glyph, text, v.width(glyph) / 1000 * k.Size * pointsToMM, level, unicode.IsSpace(r), ends, k}
}

func (s *Sheet) lacks(r rune, k Ink) bool {
	if unshaped(r) {
		return true
	}
	v, _ := s.fonts.of(r, k)
	return v == nil
}

// lackingFrom is how many letters belong to what cannot be drawn, with blanks and
// marks between them.
func (s *Sheet) lackingFrom(letters []letter, k Ink) int {
	n := 1
	for i, l := range letters[:min(len(letters), mostLacking)] {
		switch {
		case s.lacks(l.sign, k):
			n = i + 1
		case unicode.IsSpace(l.sign), hidden(l.sign), unicode.Is(unicode.Mn, l.sign):
		default:
			return n
		}
	}
	return n
}

// named writes the name of its script in place of a text that cannot be drawn. Its
// letters stand for the text, a part each, which can so be searched and copied.
func (s *Sheet) named(text string, k Ink, level int, ends bool) []cell {
	scripts := scriptsOf(text)
	for _, script := range scripts {
		if !slices.Contains(s.lacking, script) {
			s.lacking = append(s.lacking, script)
		}
	}
	k.Italic, k.Color = !k.Mono, inkLacking
	name, stands := []rune("["+strings.Join(scripts, ", ")+"]"), []rune(text)
	out := make([]cell, len(name))
	for i, sign := range name {
		v, glyph := s.fonts.of(sign, k)
		out[i] = s.cell(v, glyph, string(sign), k, level+level%2, false)
		out[i].text = cmp.Or(string(stands[i*len(stands)/len(name):(i+1)*len(stands)/len(name)]), nothing)
	}
	out[len(out)-1].ends = ends
	return out
}

const (
	nothing     = "\u200B"
	mostLacking = 400 // letters that one name stands for
)

var inkLacking = [3]byte{154, 75, 0}

// clean is a text without what would end a paragraph.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// breaksOf tells behind which signs a line may end.
func breaksOf(text []rune) []bool {
	ends := make([]bool, len(text))
	rest, state, at := string(text), -1, 0
	for rest != "" {
		var segment string
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		at += utf8.RuneCountInString(segment)
		ends[at-1] = true
	}
	return ends
}

// levelsAmong are the levels of a text with marks: each is one sign of no direction
// to what stands around it, as an isolate is.
func levelsAmong(text []rune, inks []Ink) (levels []int, right bool) {
	around := slices.Clone(text)
	for i, k := range inks {
		if k.Apart {
			around[i] = unicode.ReplacementChar // of no direction
		}
	}
	levels, right = levelsOf(around)
	for i, k := range inks {
		if k.Apart {
			levels[i] += levels[i] % 2
		}
	}
	return levels, right
}

// levelsOf are the levels of writing direction of each sign: 0 from left to right, 1
// from right to left, 2 for what runs left to right within that.
func levelsOf(text []rune) (levels []int, right bool) {
	levels = make([]int, len(text))
	if !slices.ContainsFunc(text, rightToLeft) {
		return levels, false
	}
	for _, r := range text {
		if class := classOf(r); class == bidi.L || rightToLeft(r) {
			right = class != bidi.L
			break
		}
	}
	var p bidi.Paragraph
	if _, err := p.SetString(string(text)); err != nil {
		return levels, right
	}
	order, err := p.Order()
	if err != nil {
		return levels, right
	}
	at := 0
	for i := range order.NumRuns() {
		run := order.Run(i)
		counting := i > 0 // a number belongs to the writing from the right before it
		for _, r := range run.String() {
			counting = counting && slices.Contains([]bidi.Class{bidi.EN, bidi.AN, bidi.ES, bidi.CS, bidi.ET}, classOf(r))
			switch {
			case at >= len(levels):
			case run.Direction() == bidi.RightToLeft:
				levels[at] = 1
			case right || counting:
				levels[at] = 2
			}
			at++
		}
	}
	return levels, right
}

func classOf(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

func rightToLeft(r rune) bool { c := classOf(r); return c == bidi.R || c == bidi.AL }

var mirrors = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹'}

func mirrored(r rune) rune {
	if m, ok := mirrors[r]; ok {
		return m
	}
	return r
}
