package paper

import (
	"encoding/binary"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// shape is a glyph as a font holds it: its width and the commands that draw it, in
// thousandths of the type size.
type shape struct {
	width   int
	program []byte
}

// Operators of Type 2 charstrings and of CFF dictionaries.
const (
	opLine, opCurve, opMove, opEnd = 5, 8, 21, 14

	dictCharset, dictStrings, dictPrivate     = 15, 17, 18
	dictROS, dictCount, dictArray, dictSelect = 0x0c1e, 0x0c22, 0x0c24, 0x0c25

	firstOwnString = 391 // those before it are the standard ones
)

// drawn makes the charstring of an outline. scale makes thousandths of its units.
func drawn(outline sfnt.Segments, width int, scale float64) []byte {
	p := &pen{scale: scale}
	p.number(width)
	for _, s := range outline {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.to(s.Args[0])
			p.out = append(p.out, opMove)
		case sfnt.SegmentOpLineTo:
			p.to(s.Args[0])
			p.out = append(p.out, opLine)
		case sfnt.SegmentOpQuadTo:
			a, b := between(p.last, s.Args[0]), between(s.Args[1], s.Args[0])
			p.curve(a, b, s.Args[1])
		case sfnt.SegmentOpCubeTo:
			p.curve(s.Args[0], s.Args[1], s.Args[2])
		}
	}
	return append(p.out, opEnd)
}

// between is two thirds of the way from a point to the middle point of a curve.
func between(from, middle fixed.Point26_6) fixed.Point26_6 {
	return fixed.Point26_6{X: from.X + (middle.X-from.X)*2/3, Y: from.Y + (middle.Y-from.Y)*2/3}
}

type pen struct {
	scale float64
	out   []byte
	last  fixed.Point26_6
	x, y  int // where the font is, after rounding: errors do not add up
}

func (p *pen) curve(a, b, c fixed.Point26_6) {
	p.to(a)
	p.to(b)
	p.to(c)
	p.out = append(p.out, opCurve)
}

func (p *pen) to(at fixed.Point26_6) {
	x, y := int(math.Round(float64(at.X)*p.scale)), int(math.Round(-float64(at.Y)*p.scale))
	p.number(x - p.x)
	p.number(y - p.y)
	p.x, p.y, p.last = x, y, at
}

func (p *pen) number(n int) { p.out = integer(p.out, n) }

// integer writes a number as charstrings and dictionaries both have it.
func integer(b []byte, n int) []byte {
	switch {
	case -107 <= n && n <= 107:
		return append(b, byte(n+139))
	case 108 <= n && n <= 1131:
		n -= 108
		return append(b, byte(n>>8+247), byte(n))
	case -1131 <= n && n <= -108:
		n = -n - 108
		return append(b, byte(n>>8+251), byte(n))
	}
	n = max(math.MinInt16, min(n, math.MaxInt16))
	return append(b, 28, byte(n>>8), byte(n))
}

// place writes an offset, always in five bytes, so that dictionaries keep their
// length when offsets change.
func place(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(append(b, 29), uint32(n)) }

func operator(b []byte, op int) []byte {
	if op > 0xff {
		b = append(b, byte(op>>8))
	}
	return append(b, byte(op))
}

// list writes an INDEX.
func list(items ...[]byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(items)))
	if len(items) == 0 {
		return b
	}
	b = append(b, 4)
	at := uint32(1)
	b = binary.BigEndian.AppendUint32(b, at)
	for _, item := range items {
		at += uint32(len(item))
		b = binary.BigEndian.AppendUint32(b, at)
	}
	for _, item := range items {
		b = append(b, item...)
	}
	return b
}

// compact is a font of shapes alone, which are known by their numbers: the first
// is that of no character.
func compact(name string, shapes []shape) []byte {
	programs := make([][]byte, len(shapes))
	for i, s := range shapes {
		programs[i] = s.program
	}
	head := append([]byte{1, 0, 4, 4}, list([]byte(name))...)
	strings := append(list([]byte("Adobe"), []byte("Identity")), list()...) // and no subroutines
	private := operator(integer(nil, 0), 20)                                // the width where none is said
	charset := binary.BigEndian.AppendUint16([]byte{2, 0, 1}, uint16(len(shapes)-2))
	if len(shapes) == 1 {
		charset = []byte{0}
	}
	selection := binary.BigEndian.AppendUint16([]byte{3, 0, 1, 0, 0, 0}, uint16(len(shapes)))
	glyphs := list(programs...)

	start := len(head) + len(list(topDict(len(shapes), 0, 0, 0, 0))) + len(strings)
	atSelection := start + len(charset)
	atGlyphs := atSelection + len(selection)
	atPrivate := atGlyphs + len(glyphs)
	atArray := atPrivate + len(private)

	b := append(head, list(topDict(len(shapes), start, atSelection, atGlyphs, atArray))...)
	b = append(append(append(append(append(b, strings...), charset...), selection...), glyphs...), private...)
	return append(b, list(operator(place(place(nil, len(private)), atPrivate), dictPrivate))...)
}

func topDict(count, charset, selection, glyphs, array int) []byte {
	b := operator(integer(integer(integer(nil, firstOwnString), firstOwnString+1), 0), dictROS)
	b = operator(place(b, count), dictCount)
	b = operator(place(b, charset), dictCharset)
	b = operator(place(b, glyphs), dictStrings)
	b = operator(place(b, array), dictArray)
	return operator(place(b, selection), dictSelect)
}
