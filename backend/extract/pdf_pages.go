package extract

import (
	"context"
	"fmt"
	"math"
	"unicode/utf8"

	pdf "github.com/ledongthuc/pdf"
)

type pdfReader struct {
	fonts  map[string]*pdfFont
	lim    Limits
	pages  []pdfPage
	region int
	nodes  int
	cut    string // why pages are missing at the end; empty when none are
}

// pdfPage is the text of one page and what tells whether it is good.
type pdfPage struct {
	lines   []textLine
	letters int // characters of lines
	words   int
	traces
}

func (p *pdfPage) set(lines []textLine) {
	p.lines, p.letters, p.words = lines, 0, 0
	for _, l := range lines {
		p.letters += utf8.RuneCountInString(l.text)
		p.words += countWords(l.text)
	}
}

// countWords counts runs of letters; scripts that part no words count a word
// for every two letters.
func countWords(s string) int {
	n, dense, inside := 0, 0, false
	for _, r := range s {
		switch {
		case r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xe00 && r <= 0xe7f:
			dense++
			inside = false
		case r == ' ':
			inside = false
		case !inside:
			n++
			inside = true
		}
	}
	return n + dense/2
}

// cover tells what of the pages was read.
func (p *pdfReader) cover(b *builder) {
	letters, garbled := 0, 0
	c := &b.doc.Coverage
	for _, page := range p.pages {
		letters += page.letters
		garbled += min(page.garbled, page.letters)
		if c.Pages++; page.letters > 0 {
			c.Read++
		} else {
			c.Empty++
		}
	}
	if letters > 0 {
		c.Garbled = float64(garbled) / float64(letters)
	}
	if p.cut != "" {
		b.partly(p.cut)
	}
	if c.Garbled > maxGarbled {
		b.flag("garbled")
		if c.Reason == "" {
			c.Reason = fmt.Sprintf("About %.0f %% of its characters could not be read.", 100*c.Garbled)
		}
	}
}

// maxTreeDepth bounds the page tree; a tree that contains itself ends here or
// at the number of its nodes.
const maxTreeDepth = 40

// tree walks the page tree with the resources a node inherits. It returns an
// error only when the context has ended.
func (p *pdfReader) tree(ctx context.Context, node, inherited pdf.Value, rotate int64, depth int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.pages = append(p.pages, pdfPage{traces: traces{broken: true}}) // a branch that cannot be read
		}
	}()
	if p.nodes++; depth > maxTreeDepth || p.nodes > 4*p.lim.Pages {
		return nil
	}
	if res := node.Key("Resources"); res.Kind() == pdf.Dict {
		inherited = res
	}
	if r := node.Key("Rotate"); r.Kind() == pdf.Integer {
		rotate = r.Int64()
	}
	kids := node.Key("Kids")
	if kids.Kind() != pdf.Array {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case len(p.pages) >= p.lim.Pages:
			p.cut = fmt.Sprintf("Only the first %d pages were read.", p.lim.Pages)
		case runningOut(ctx, p.lim):
			p.cut = fmt.Sprintf("Only the first %d pages were read: the rest took too long.", len(p.pages))
		}
		if p.cut == "" && node.Kind() == pdf.Dict {
			p.page(node, inherited, rotate)
		}
		return nil
	}
	for i := 0; i < kids.Len() && p.cut == ""; i++ {
		if err := p.tree(ctx, kids.Index(i), inherited, rotate, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// page lays out one page.
func (p *pdfReader) page(node, res pdf.Value, rotate int64) {
	paint := &painter{fonts: p.fonts}
	turn := rotation(rotate)
	paint.paint(node.Key("Contents"), res, turn)
	p.annotations(paint, node, turn)
	page := pdfPage{traces: paint.traces}
	page.pictures /= areaOf(node)
	page.set(p.arrange(paint.turned, len(p.pages)+1))
	p.pages = append(p.pages, page)
}

// areaOf is the area of a page, in square points.
func areaOf(node pdf.Value) float64 {
	for range maxTreeDepth {
		if box := lookUp(node, "MediaBox"); box.Len() == 4 {
			if area := math.Abs((box.Index(2).Float64() - box.Index(0).Float64()) * (box.Index(3).Float64() - box.Index(1).Float64())); area > 1 {
				return area
			}
		}
		node = lookUp(node, "Parent")
	}
	return 612 * 792
}

// arrange orders the fragments of page n: upright ones first.
func (p *pdfReader) arrange(turned [turns][]fragment, n int) (lines []textLine) {
	for _, frags := range turned {
		lines = append(lines, layout(frags, n, &p.region)...)
		p.region++
	}
	return lines
}

// rotation turns a page as a viewer shows it.
func rotation(degrees int64) matrix {
	switch ((degrees % 360) + 360) % 360 {
	case 90:
		return matrix{0, -1, 1, 0, 0, 0}
	case 180:
		return matrix{-1, 0, 0, -1, 0, 0}
	case 270:
		return matrix{0, 1, -1, 0, 0, 0}
	}
	return identity
}

// annotations paints what form fields and text boxes show.
func (p *pdfReader) annotations(paint *painter, page pdf.Value, turn matrix) {
	defer func() { _ = recover() }() // a damaged annotation is as good as none
	list := page.Key("Annots")
	for i := range min(list.Len(), 2000) {
		a := list.Index(i)
		if sub := a.Key("Subtype").Name(); sub != "Widget" && sub != "FreeText" {
			continue
		}
		look, box, before := a.Key("AP").Key("N"), a.Key("Rect"), paint.glyphs
		if look.Kind() == pdf.Stream {
			at := matrix{1, 0, 0, 1, min(box.Index(0).Float64(), box.Index(2).Float64()), min(box.Index(1).Float64(), box.Index(3).Float64())}
			paint.paint(look, look.Key("Resources"), matrixOf(look.Key("Matrix")).mul(at).mul(turn))
		}
		if paint.glyphs == before {
			p.fieldValue(paint, a, box, turn)
		}
	}
}

// fieldValue paints what was typed into a field of a form that has no picture of
// it. The value may stand with the field that the box belongs to.
func (p *pdfReader) fieldValue(paint *painter, box, rect pdf.Value, turn matrix) {
	value := box.Key("V")
	if value.IsNull() {
		value = box.Key("Parent").Key("V")
	}
	text := clean(value.Text(), false)
	if value.Kind() != pdf.String || text == "" || rect.Len() != 4 {
		return
	}
	const size = 10
	from := matrix{size, 0, 0, size, rect.Index(0).Float64() + 2, rect.Index(1).Float64() + 3}
	to := from
	to[4] = max(rect.Index(2).Float64(), from[4]+size)
	paint.place(text, from.mul(turn), to.mul(turn), &pdfFont{})
	paint.closeFragment()
}
