package pdf

import (
	"math"

	"footnote/backend/extract/layout"
)

const (
	thinnest    = 3.0    // points: a filled box no thicker is a line
	shortest    = 4.0    // points: what is shorter is no line between cells
	mostRules   = 12_000 // of a page; one with more is a drawing
	mostSegment = 4_000  // of one path
)

// path is what was drawn since the last path was painted, on the page: straight
// lines, and boxes where they can be told.
type path struct {
	from, at [2]float64
	lines    []layout.Rule
	boxes    []layout.Rule // by two corners
}

// draw takes one operator of paths. Curves end where they end and draw nothing.
func (c *content) draw(op string, num func(int) float64) {
	p := &c.path
	switch op {
	case "m":
		p.from = c.g.ctm.point(num(0), num(1))
		p.at = p.from
	case "l":
		p.lineTo(c.g.ctm.point(num(0), num(1)))
	case "h":
		p.lineTo(p.from)
	case "c":
		p.at = c.g.ctm.point(num(4), num(5))
	case "v", "y":
		p.at = c.g.ctm.point(num(2), num(3))
	case "re":
		a, b := c.g.ctm.point(num(0), num(1)), c.g.ctm.point(num(0)+num(2), num(1)+num(3))
		if len(p.boxes) < mostSegment {
			p.boxes = append(p.boxes, layout.Rule{X0: min(a[0], b[0]), Y0: min(a[1], b[1]), X1: max(a[0], b[0]), Y1: max(a[1], b[1])})
		}
	case "S", "s", "B", "B*", "b", "b*":
		c.stroke()
	case "f", "F", "f*":
		c.fill()
	}
	switch op {
	case "S", "s", "B", "B*", "b", "b*", "f", "F", "f*", "n":
		p.lines, p.boxes = p.lines[:0], p.boxes[:0]
	}
}

func (m matrix) point(x, y float64) [2]float64 {
	return [2]float64{m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]}
}

func (p *path) lineTo(to [2]float64) {
	if len(p.lines) < mostSegment {
		p.lines = append(p.lines, layout.Rule{X0: min(p.at[0], to[0]), Y0: min(p.at[1], to[1]), X1: max(p.at[0], to[0]), Y1: max(p.at[1], to[1])})
	}
	p.at = to
}

// stroke draws the lines of the path and the edges of its boxes.
func (c *content) stroke() {
	for _, l := range c.path.lines {
		c.rule(l)
	}
	for _, b := range c.path.boxes {
		c.rule(layout.Rule{X0: b.X0, Y0: b.Y0, X1: b.X1, Y1: b.Y0})
		c.rule(layout.Rule{X0: b.X0, Y0: b.Y1, X1: b.X1, Y1: b.Y1})
		c.rule(layout.Rule{X0: b.X0, Y0: b.Y0, X1: b.X0, Y1: b.Y1})
		c.rule(layout.Rule{X0: b.X1, Y0: b.Y0, X1: b.X1, Y1: b.Y1})
	}
}

// fill draws thin boxes, which are how some programs draw lines. A closed path of
// four lines is a box as well.
func (c *content) fill() {
	boxes := c.path.boxes
	if n := len(c.path.lines); n >= 3 && n <= 4 {
		all := c.path.lines[0]
		for _, l := range c.path.lines {
			all = layout.Rule{X0: min(all.X0, l.X0), Y0: min(all.Y0, l.Y0), X1: max(all.X1, l.X1), Y1: max(all.Y1, l.Y1)}
		}
		boxes = append(boxes, all)
	}
	for _, b := range boxes {
		switch wide, high := b.X1-b.X0, b.Y1-b.Y0; {
		case high <= thinnest && wide > high:
			y := (b.Y0 + b.Y1) / 2
			c.rule(layout.Rule{X0: b.X0, Y0: y, X1: b.X1, Y1: y})
		case wide <= thinnest:
			x := (b.X0 + b.X1) / 2
			c.rule(layout.Rule{X0: x, Y0: b.Y0, X1: x, Y1: b.Y1})
		}
	}
}

// rule keeps a line that is level or upright.
func (p *painter) rule(l layout.Rule) {
	wide, high := l.X1-l.X0, l.Y1-l.Y0
	if min(wide, high) < 0.7 && max(wide, high) >= shortest && !math.IsInf(wide+high, 0) && len(p.rules) <= mostRules {
		p.rules = append(p.rules, l)
	}
}

// drawn are the lines of a page, none of one that is a drawing.
func (p *painter) drawn() []layout.Rule {
	if len(p.rules) > mostRules {
		return nil
	}
	return p.rules
}
