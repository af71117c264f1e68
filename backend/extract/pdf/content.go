package pdf

import (
	"io"
	"math"
	"strings"

	pdf "github.com/ledongthuc/pdf"

	"footnote/backend/extract/layout"
)

type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (a matrix) mul(b matrix) matrix {
	return matrix{
		a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3],
		a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3],
		a[4]*b[0] + a[5]*b[2] + b[4], a[4]*b[1] + a[5]*b[3] + b[5],
	}
}

const (
	maxGlyphs  = 400_000  // of a page
	maxContent = 32 << 20 // bytes of a page, unpacked
	maxForms   = 12       // forms drawn inside forms
)

// painter interprets a page's content and gathers fragments by the direction
// of their text: 0 is upright, 1 to 3 are turned by 90° each, counter-clockwise,
// 4 is any other way.
type painter struct {
	turned [layout.Turns][]layout.Fragment
	fonts  map[string]*pdfFont // by their dictionary, for the whole document
	glyphs int
	forms  int
	rules  []layout.Rule // lines that it draws
	layout.Traces

	open    layout.Fragment // the fragment being written …
	words   strings.Builder
	last    layout.Fragment // the place of the last glyph
	writing bool
	turn    int  // … and its direction
	blank   bool // a space was shown since the last letter
	moved   bool // the next letter was put where it stands, not behind the one before
}

type graphics struct {
	ctm                                      matrix
	font                                     *pdfFont
	size, charGap, wordGap, stretch, leading float64
	rise                                     float64
}

// content is one stream being interpreted.
type content struct {
	*painter
	res      pdf.Value
	g        graphics
	saved    []graphics
	tm, line matrix
	local    map[string]*pdfFont // by name in res
	path     path
}

// paint interprets a stream with its resources. Damage ends the stream only.
func (p *painter) paint(stream, res pdf.Value, ctm matrix) {
	defer func() {
		if recover() != nil { // the parser panics on damage; what was read counts
			p.Broken = true
		}
		p.closeFragment()
	}()
	c := &content{painter: p, res: res, g: graphics{ctm: ctm, stretch: 1}, tm: identity, line: identity, local: map[string]*pdfFont{}}
	t := &tokens{in: p.contentBytes(stream)}
	t.run(func(op string, args []operand) {
		if p.glyphs < maxGlyphs {
			c.operate(op, args)
		}
	})
}

// contentBytes unpacks a stream, or an array of them, up to the limit.
func (p *painter) contentBytes(stream pdf.Value) []byte {
	if stream.Kind() != pdf.Array {
		return p.streamBytes(stream)
	}
	var all []byte
	for i := range min(stream.Len(), 10_000) {
		all = append(append(all, p.streamBytes(stream.Index(i))...), '\n')
		if len(all) > maxContent {
			break
		}
	}
	return all
}

func (p *painter) streamBytes(stream pdf.Value) (body []byte) {
	defer func() { p.Broken = recover() != nil || p.Broken }() // a damaged part: the others count
	if stream.Kind() != pdf.Stream {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(stream.Reader(), maxContent)) // what was read before the damage counts
	p.Broken = p.Broken || err != nil
	return body
}

func (c *content) operate(op string, args []operand) {
	num := func(i int) float64 {
		if i < len(args) {
			return args[i].num
		}
		return 0
	}
	six := func() matrix { return matrix{num(0), num(1), num(2), num(3), num(4), num(5)} }
	switch op {
	case "cm":
		c.g.ctm = six().mul(c.g.ctm)
	case "q":
		if len(c.saved) < 1000 {
			c.saved = append(c.saved, c.g)
		}
	case "Q":
		if n := len(c.saved); n > 0 {
			c.g, c.saved = c.saved[n-1], c.saved[:n-1]
		}
	case "Do":
		if len(args) > 0 {
			c.form(args[0].text)
		}
	case "BT":
		c.tm, c.line = identity, identity
	case "Tm":
		c.tm = six()
		c.line, c.moved = c.tm, true
	case "Td":
		c.nextLine(num(0), num(1))
	case "TD":
		c.g.leading = -num(1)
		c.nextLine(num(0), num(1))
	case "T*":
		c.nextLine(0, -c.g.leading)
	case "Tj", "'", "\"", "TJ":
		c.showing(op, args)
	case "m", "l", "h", "c", "v", "y", "re", "S", "s", "B", "B*", "b", "b*", "f", "F", "f*", "n":
		c.draw(op, num)
	default:
		c.setting(op, num, args)
	}
}

func (c *content) setting(op string, num func(int) float64, args []operand) {
	switch op {
	case "Tc":
		c.g.charGap = num(0)
	case "Tw":
		c.g.wordGap = num(0)
	case "Tz":
		c.g.stretch = num(0) / 100
	case "TL":
		c.g.leading = num(0)
	case "Ts":
		c.g.rise = num(0)
	case "Tf":
		if len(args) == 2 {
			c.g.font, c.g.size = c.fontNamed(args[0].text), num(1)
		}
	case "gs":
		if len(args) == 1 {
			if f := c.res.Key("ExtGState").Key(args[0].text).Key("Font"); f.Len() == 2 {
				c.g.font, c.g.size = c.fontOf(f.Index(0)), f.Index(1).Float64()
			}
		}
	}
}

func (c *content) nextLine(x, y float64) {
	c.line = matrix{1, 0, 0, 1, x, y}.mul(c.line)
	c.tm, c.moved = c.line, true
}

func (c *content) showing(op string, args []operand) {
	if len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	switch op {
	case "'":
		c.nextLine(0, -c.g.leading)
	case "\"":
		if len(args) == 3 {
			c.g.wordGap, c.g.charGap = args[0].num, args[1].num
		}
		c.nextLine(0, -c.g.leading)
	case "TJ":
		for _, x := range last.items {
			if x.kind == '(' {
				c.show(x.text)
			} else {
				c.tm = matrix{1, 0, 0, 1, -x.num / 1000 * c.g.size * c.g.stretch, 0}.mul(c.tm)
			}
		}
		return
	}
	c.show(last.text)
}

func (c *content) fontNamed(name string) *pdfFont {
	if f, ok := c.local[name]; ok {
		return f
	}
	f := c.fontOf(c.res.Key("Font").Key(name))
	c.local[name] = f
	return f
}

// fontOf loads a font once a document: a dictionary with its references, as
// text, is its identity.
func (c *content) fontOf(v pdf.Value) *pdfFont {
	if v.Kind() != pdf.Dict {
		return nil
	}
	key := v.String()
	f, ok := c.fonts[key]
	if !ok {
		func() {
			defer func() { _ = recover() }() // a damaged font: its text is lost, the rest is not
			f = loadFont(v)
		}()
		c.fonts[key] = f
	}
	return f
}

func (c *content) form(name string) {
	x := c.res.Key("XObject").Key(name)
	if x.Key("Subtype").Name() == "Image" {
		c.Pictures += math.Abs(c.g.ctm[0]*c.g.ctm[3] - c.g.ctm[1]*c.g.ctm[2]) // a picture fills the unit square
	}
	if x.Key("Subtype").Name() != "Form" || c.forms >= maxForms || c.glyphs >= maxGlyphs {
		return
	}
	res := x.Key("Resources")
	if res.IsNull() {
		res = c.res
	}
	c.forms++
	c.glyphs += 100 // a form that draws nothing but forms ends too
	c.paint(x, res, matrixOf(x.Key("Matrix")).mul(c.g.ctm))
	c.forms--
}

func matrixOf(v pdf.Value) matrix {
	m := identity
	if v.Len() == 6 {
		for i := range m {
			m[i] = v.Index(i).Float64()
		}
	}
	return m
}

// show places the glyphs of a string.
func (c *content) show(s string) {
	f := c.g.font
	if f == nil {
		c.Shown, c.Lost = c.Shown+len(s), c.Lost+len(s)
		return
	}
	if f.wide && len(s) == 1 { // half a code: the font is not what it says
		c.Shown, c.Lost = c.Shown+1, c.Lost+1
	}
	f.glyphs(s, func(gl glyph) {
		c.glyphs++
		if c.Shown++; gl.text == "" {
			c.Lost++
		}
		base := matrix{c.g.size * c.g.stretch, 0, 0, c.g.size, 0, c.g.rise}
		from := base.mul(c.tm).mul(c.g.ctm)
		advance := gl.width * f.scale * c.g.size
		to := matrix{1, 0, 0, 1, advance * c.g.stretch, 0}.mul(c.tm)
		end := base.mul(to).mul(c.g.ctm)
		c.place(gl.text, from, end, f)
		advance += c.g.charGap
		if gl.space {
			advance += c.g.wordGap
		}
		c.tm = matrix{1, 0, 0, 1, advance * c.g.stretch, 0}.mul(c.tm)
	})
}

// place writes a glyph that begins at from and ends at end: into the open
// fragment when it continues it, else into a new one.
func (p *painter) place(text string, from, end matrix, f *pdfFont) {
	size := math.Hypot(from[2], from[3])
	if size < 0.01 || math.IsNaN(size) || math.IsInf(size, 0) {
		return
	}
	if text == "" || text == " " || text == "\u00a0" {
		p.blank = p.blank || text != ""
		return
	}
	turn := direction(from)
	x0, y := upright(from[4], from[5], turn, from)
	x1, _ := upright(end[4], end[5], turn, from)
	if x1 < x0 {
		x0, x1 = x1, x0
	}
	glyph := layout.Fragment{X0: x0, X1: x1, Y: y}
	defer func() { p.last = glyph }()
	if p.writing && turn == p.turn && math.Abs(y-p.open.Y) < 0.5*size && p.accented(text, glyph) {
		return
	}
	gap := x0 - p.open.X1
	same := p.writing && turn == p.turn && math.Abs(y-p.open.Y) < 0.15*size && math.Abs(size-p.open.Size) < 0.3*size &&
		gap < layout.WordGap*size && gap > -0.5*size && p.open.Bold == f.bold
	if !same {
		p.closeFragment()
		p.open = layout.Fragment{X0: x0, X1: x1, Y: y, Size: size, Bold: f.bold, Italic: f.italic}
		p.turn, p.writing = turn, true
	} else {
		if p.moved {
			p.open.Joints = append(p.open.Joints, layout.Joint{At: p.words.Len(), X0: p.open.X1, X1: x0})
		}
		if gap > 0.15*size || p.blank && gap > -0.1*size {
			p.words.WriteByte(' ')
		}
	}
	p.words.WriteString(layout.ShownOrder(layout.PlainLetters(text)))
	p.open.X1 = max(p.open.X1, x1)
	p.blank, p.moved = false, false
}

// direction is the turn of text by its matrix.
func direction(m matrix) int {
	switch a, b := m[0], m[1]; {
	case min(math.Abs(a), math.Abs(b)) > 0.15*max(math.Abs(a), math.Abs(b)):
		return layout.Slanted
	case math.Abs(a) >= math.Abs(b) && a >= 0:
		return 0
	case math.Abs(a) >= math.Abs(b):
		return 2
	case b > 0:
		return 1
	}
	return 3
}

// upright turns a point of text back so that its lines run from left to right; m
// is the matrix of the text.
func upright(x, y float64, turn int, m matrix) (float64, float64) {
	switch turn {
	case 1:
		return y, -x
	case 2:
		return -x, -y
	case 3:
		return -y, x
	case layout.Slanted:
		along := math.Hypot(m[0], m[1])
		c, s := m[0]/along, m[1]/along
		return x*c + y*s, y*c - x*s
	}
	return x, y
}

func (p *painter) closeFragment() {
	if !p.writing {
		return
	}
	p.writing, p.blank = false, false
	p.open.Text = p.words.String()
	p.words.Reset()
	for _, r := range p.open.Text {
		if layout.IsGarbled(r) {
			p.Garbled++
		}
	}
	p.turned[p.turn] = append(p.turned[p.turn], p.open)
}
