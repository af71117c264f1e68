package pdf

import (
	"context"
	"fmt"
	"math"

	pdf "github.com/ledongthuc/pdf"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
)

type pdfReader struct {
	fonts  map[string]*pdfFont
	lim    format.Limits
	pages  []layout.Page
	region int
	nodes  int
	cut    string // why pages are missing at the end; empty when none are
}

// maxTreeDepth bounds the page tree; a tree that contains itself ends here or
// at the number of its nodes.
const maxTreeDepth = 40

// tree walks the page tree with the resources a node inherits. It returns an
// error only when the context has ended.
func (p *pdfReader) tree(ctx context.Context, node, inherited pdf.Value, rotate int64, depth int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.pages = append(p.pages, layout.Page{Traces: layout.Traces{Broken: true}}) // a branch that cannot be read
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
		case format.RunningOut(ctx, p.lim):
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
	page := layout.Page{Traces: paint.Traces}
	page.Pictures /= areaOf(node)
	page.Set(layout.Arrange(layout.Ruled(paint.turned, paint.drawn()), len(p.pages)+1, &p.region))
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
	text := format.Clean(value.Text(), false)
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
