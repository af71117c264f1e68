package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// unit is what a passage is filled with: it is cut only when it is longer than
// a whole passage.
type unit struct {
	Span
	cpStart, cpEnd int
	kind           BlockKind
}

// unitsOf reads the units of a document in order, with code points counted in
// one pass over the text.
func unitsOf(doc Document) []unit {
	c := unitCollector{doc: doc}
	for i := 0; i < len(doc.Blocks); {
		b := doc.Blocks[i]
		if b.Start < c.end || b.End > len(doc.Text) || b.Start > b.End { // out of order: not ours, skip
			i++
			continue
		}
		b.Start = c.charStart(b.Start)
		c.add(Span{c.end, b.Start}, Paragraph)
		j, end := i+1, b.End
		for j < len(doc.Blocks) && c.flows(b.Kind, end, doc.Blocks[j]) {
			end = doc.Blocks[j].End
			j++
		}
		c.add(Span{b.Start, end}, b.Kind)
		c.end, i = end, j
	}
	c.add(Span{c.end, len(doc.Text)}, Paragraph)
	return c.units
}

type unitCollector struct {
	doc   Document
	units []unit
	end   int // bytes of the text that are done
	at    int // byte up to which code points are counted
	cps   int
}

// flows reports whether next continues the paragraph or list item that ends at
// end: a block of its own line or page, but no line end between the two.
func (c *unitCollector) flows(kind BlockKind, end int, next Block) bool {
	return (kind == Paragraph || kind == ListItem) && next.Kind == kind &&
		next.Start >= end && next.Start-end <= 1 && next.End >= next.Start && next.End <= len(c.doc.Text) &&
		!strings.Contains(c.doc.Text[end:next.Start], "\n")
}

// charStart is where the character begins that a block's start falls into.
func (c *unitCollector) charStart(at int) int {
	for at > c.end && at < len(c.doc.Text) && !utf8.RuneStart(c.doc.Text[at]) {
		at--
	}
	return at
}

func (c *unitCollector) add(s Span, kind BlockKind) {
	text := c.doc.Text[s.Start:s.End]
	var parts []Span
	switch kind {
	case Paragraph:
		parts = paragraphUnits(text)
	case Code:
		parts = lineUnits(text)
	case ListItem:
		if parts = []Span{{0, len(text)}}; len(text) > 800 {
			parts = Sentences(text)
		}
	default:
		parts = []Span{{0, len(text)}}
	}
	for _, p := range parts {
		if p = trim(text, p); p.Start >= p.End {
			continue
		}
		u := unit{Span: Span{p.Start + s.Start, p.End + s.Start}, kind: kind}
		u.cpStart, u.cpEnd = c.codePoints(u.Start), c.codePoints(u.End)
		c.units = append(c.units, u)
	}
}

// codePoints counts up to the byte at; calls must not go back.
func (c *unitCollector) codePoints(at int) int {
	c.cps += utf8.RuneCountInString(c.doc.Text[c.at:at])
	c.at = at
	return c.cps
}

var lowerStop = pattern.New(`[.!?] `)

// paragraphUnits cuts a paragraph into sentences. One without any capital
// letter is cut at every stop, since nothing marks the next sentence.
func paragraphUnits(text string) []Span {
	spans := Sentences(text)
	if strings.IndexFunc(text, unicode.IsUpper) >= 0 {
		return spans
	}
	var out []Span
	for _, s := range spans {
		start := s.Start
		for _, m := range lowerStop.FindAllStringIndex(text[s.Start:s.End], -1) {
			out = append(out, Span{start, s.Start + m[1]})
			start = s.Start + m[1]
		}
		out = append(out, Span{start, s.End})
	}
	return out
}

func lineUnits(text string) []Span {
	var out []Span
	start := 0
	for start < len(text) {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		out = append(out, Span{start, end})
		start = end
	}
	return out
}
