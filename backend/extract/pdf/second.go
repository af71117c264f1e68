package pdf

import (
	"context"
	"errors"
	"fmt"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
)

// pdfEngine reads PDFs that the first engine does not. Pages count from 0. It is
// used by one goroutine.
type pdfEngine interface {
	// count is the number of pages.
	count() int
	// text gives what stands on a page.
	text(ctx context.Context, page int) (pageText, error)
	// picture draws a page in grey, as PNG or PGM, for recognition.
	picture(ctx context.Context, page int) ([]byte, error)
	// close gives back what the engine holds.
	close()
}

// pageText is what an engine finds on a page.
type pageText struct {
	turned  [layout.Turns][]layout.Fragment // by direction, as painter has them
	garbled int                             // characters that stand for unknown ones
	label   string                          // the number printed on it, where the engine knows
	drawn   bool                            // there may be something on it that is no text
}

// errPassword is the error of an engine that wants a password.
var errPassword = errors.New("a password is needed")

// ask has the second engine read what the first did not read well: the whole
// file when it failed, else the poor pages; and has scans recognised. Both take
// time of their own. The error is the first engine's when nobody reads the file,
// or the context's.
func (p *pdfReader) ask(b *format.Builder, data []byte, failure error) error {
	var poor []int
	for i := range p.pages {
		if p.pages[i].Poor() {
			poor = append(poor, i)
		}
	}
	if failure == nil && len(poor) == 0 && len(p.scans()) == 0 {
		return nil
	}
	ctx, cancel := b.Slow()
	defer cancel()
	var engine pdfEngine
	if failure != nil || len(poor) > 0 {
		var err error
		if engine, err = openSecond(ctx, data, p.lim); err != nil {
			if err := betterReason(failure, err); err != nil {
				return err
			}
		} else {
			defer engine.close()
		}
	}
	switch {
	case engine == nil:
	case failure != nil || engine.count() != len(p.pages) && len(poor)*2 > len(p.pages):
		p.replace(ctx, b, engine)
	case engine.count() >= len(p.pages):
		p.mend(ctx, b, engine, poor)
	}
	p.recognise(ctx, b, data, engine)
	return nil
}

// scans are the pages that are pictures.
func (p *pdfReader) scans() (list []int) {
	for i := range p.pages {
		if p.pages[i].Scanned() {
			list = append(list, i)
		}
	}
	return list
}

// nameless are the pages whose letters remain unknown to every engine: their
// fonts do not say what their shapes stand for.
func (p *pdfReader) nameless() (list []int) {
	for i, page := range p.pages {
		if !page.Scanned() && page.Doubtful() {
			list = append(list, i)
		}
	}
	return list
}

// betterReason joins why both engines failed to one reason. No failure of the
// first means that what it read stands.
func betterReason(first, second error) error {
	var why *format.Error
	switch {
	case first == nil:
		return nil
	case errors.Is(second, errPassword):
		return format.Fail(format.Encrypted, "The PDF is protected with a password. Save a copy without it to have it read.", first)
	case errors.As(first, &why):
		return format.Fail(why.Code, why.Reason, errors.Join(why.Unwrap(), second))
	}
	return first
}

// mend takes pages from the second engine that it reads better. What the first
// one read stands for the others.
func (p *pdfReader) mend(ctx context.Context, b *format.Builder, engine pdfEngine, poor []int) {
	for _, i := range poor {
		text, err := engine.text(ctx, i)
		if err != nil {
			continue
		}
		page := p.pages[i]
		page.Set(layout.Arrange(text.turned, i+1, &p.region))
		page.Garbled = text.garbled
		if layout.Better(page, p.pages[i]) {
			page.Shown, page.Lost, page.Broken = 0, 0, false
			p.pages[i] = page
			b.Flag("second-reader")
		}
	}
}

// replace takes the whole file from the second engine.
func (p *pdfReader) replace(ctx context.Context, b *format.Builder, engine pdfEngine) {
	first := p.pages
	p.pages, p.cut = nil, ""
	for i := range engine.count() {
		if i >= p.lim.Pages || format.RunningOut(ctx, p.lim) {
			p.cut = fmt.Sprintf("Only the first %d of %d pages were read.", i, engine.count())
			break
		}
		text, err := engine.text(ctx, i)
		var page layout.Page
		if err == nil {
			page.Set(layout.Arrange(text.turned, i+1, &p.region))
			page.Garbled = text.garbled
			page.Label = text.label
		}
		if page.Letters == 0 && text.drawn {
			page.Pictures = 1 // of what kind, only looking tells
		}
		p.pages = append(p.pages, page)
	}
	if wordsOn(p.pages) < wordsOn(first) {
		p.pages = first
		return
	}
	b.Flag("second-reader")
}

func wordsOn(pages []layout.Page) (words int) {
	for _, p := range pages {
		words += p.Words
	}
	return words
}

// openSecond opens the file with PDFium where this build has it, else with the
// system's poppler.
func openSecond(ctx context.Context, data []byte, lim format.Limits) (pdfEngine, error) {
	engine, err := openPDFium(ctx, data, lim)
	if err == nil || errors.Is(err, errPassword) || ctx.Err() != nil {
		return engine, err
	}
	tools, toolErr := openPoppler(ctx, data)
	if toolErr == nil || errors.Is(toolErr, errPassword) {
		return tools, toolErr
	}
	return nil, errors.Join(err, toolErr)
}
