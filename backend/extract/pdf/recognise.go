package pdf

import (
	"context"
	"fmt"
	"slices"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
	"footnote/backend/extract/ocr"
)

// recognise reads the pages of a PDF that are pictures, or whose letters no
// engine could name, where recognition is wanted and possible, and says which
// were not read. engine may be nil.
func (p *pdfReader) recognise(ctx context.Context, b *format.Builder, data []byte, engine pdfEngine) {
	scans, nameless := p.scans(), p.nameless()
	whole := ""
	switch {
	case len(scans) == 1:
		whole = fmt.Sprintf("1 of %s is a scan", layout.PagesOf(len(p.pages)))
	case len(scans) > 1:
		whole = fmt.Sprintf("%d of %s are scans", len(scans), layout.PagesOf(len(p.pages)))
	case len(nameless) > 0:
		whole = fmt.Sprintf("%d of %s in letters that the PDF does not name", len(nameless), layout.PagesOf(len(p.pages)))
	default:
		return
	}
	if len(scans) > 0 {
		b.Flag("scanned")
	}
	r, why := ocr.Find(ctx, p.lim)
	if why != "" {
		b.Lacks(whole + ". " + why)
		return
	}
	if engine == nil {
		var err error
		if engine, err = openSecond(ctx, data, p.lim); err != nil {
			b.Lacks(whole + ", and nothing here draws them for recognition: install poppler-utils, " + ocr.Afresh)
			return
		}
		defer engine.close()
	}
	b.Flag("recognised")
	if why := p.recognisePages(ctx, r, engine, slices.Concat(scans, nameless)); why != "" {
		b.Lacks(whole + ". " + why)
	}
}

// recognisePages says why some were left out; empty when none were.
func (p *pdfReader) recognisePages(ctx context.Context, r *ocr.Recogniser, engine pdfEngine, scans []int) string {
	failed := 0
	for done, i := range scans {
		if ctx.Err() != nil {
			return fmt.Sprintf("Text recognition read the first %d of them; then the time for one file was over.", done)
		}
		if p.recognisePage(ctx, r, engine, i) != nil && ctx.Err() == nil {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Sprintf("Text recognition failed on %d of them.", failed)
	}
	return ""
}

func (p *pdfReader) recognisePage(ctx context.Context, r *ocr.Recogniser, engine pdfEngine, i int) error {
	if i >= engine.count() {
		return errNoEngine
	}
	picture, err := engine.picture(ctx, i)
	if err != nil {
		return err
	}
	read, err := r.Read(ctx, picture)
	if err != nil || len(read) == 0 {
		return err
	}
	page := read[0]
	if !layout.Better(page, p.pages[i]) {
		return nil
	}
	for k := range page.Lines {
		page.Lines[k].Page = i + 1
		page.Lines[k].Region += p.region
	}
	p.region += 1000
	p.pages[i] = page
	return nil
}
