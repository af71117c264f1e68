package extract

import (
	"context"
	"errors"
	"fmt"
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
	turned  [turns][]fragment // by direction, as painter has them
	garbled int               // characters that stand for unknown ones
	drawn   bool              // there may be something on it that is no text
}

// errPassword is the error of an engine that wants a password.
var errPassword = errors.New("a password is needed")

// The gate of the second engine.
const (
	fewWords    = 10   // on a page that has content
	maxGarbled  = 0.05 // share of characters that are no text
	mostGarbled = 0.2  // … above which a page is looked at like a scan
	longWords   = 12   // mean letters of a word: blanks are missing
	mostOfPage  = 0.4  // share that a scan covers at least
	minWords    = 20   // of a page, before the mean says anything
)

// poor reports whether another engine may read a page better: little text where
// something was shown or damage ended it, garbled text, or words without blanks.
// A page that only draws pictures is not poor: it is a scan.
func (p *pdfPage) poor() bool {
	switch {
	case p.words < fewWords && (p.broken || p.lost*4 > p.shown):
		return true
	case float64(p.garbled+p.lost) > maxGarbled*float64(max(p.shown, p.letters)):
		return true
	}
	return p.words >= minWords && p.letters > longWords*p.words
}

// scanned reports whether a page shows a picture in place of text.
func (p *pdfPage) scanned() bool { return p.pictures > mostOfPage && p.words < fewWords }

// ask has the second engine read what the first did not read well: the whole
// file when it failed, else the poor pages; and has scans recognised. Both take
// time of their own. The error is the first engine's when nobody reads the file,
// or the context's.
func (p *pdfReader) ask(b *builder, data []byte, failure error) error {
	var poor []int
	for i := range p.pages {
		if p.pages[i].poor() {
			poor = append(poor, i)
		}
	}
	if failure == nil && len(poor) == 0 && len(p.scans()) == 0 {
		return nil
	}
	ctx, cancel := b.slow()
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
		if p.pages[i].scanned() {
			list = append(list, i)
		}
	}
	return list
}

// nameless are the pages whose letters remain unknown to every engine: their
// fonts do not say what their shapes stand for.
func (p *pdfReader) nameless() (list []int) {
	for i, page := range p.pages {
		if !page.scanned() && page.doubtful() {
			list = append(list, i)
		}
	}
	return list
}

// betterReason joins why both engines failed to one reason. No failure of the
// first means that what it read stands.
func betterReason(first, second error) error {
	var why *Error
	switch {
	case first == nil:
		return nil
	case errors.Is(second, errPassword):
		return fail(Encrypted, "The PDF is protected with a password. Save a copy without it to have it read.", first)
	case errors.As(first, &why):
		return fail(why.Code, why.Reason, errors.Join(why.cause, second))
	}
	return first
}

// mend takes pages from the second engine that it reads better. What the first
// one read stands for the others.
func (p *pdfReader) mend(ctx context.Context, b *builder, engine pdfEngine, poor []int) {
	for _, i := range poor {
		text, err := engine.text(ctx, i)
		if err != nil {
			continue
		}
		page := p.pages[i]
		page.set(p.arrange(text.turned, i+1))
		page.garbled = text.garbled
		if better(page, p.pages[i]) {
			page.shown, page.lost, page.broken = 0, 0, false
			p.pages[i] = page
			b.flag("second-reader")
		}
	}
}

// better compares two readings of a page: more words, of letters that are
// letters.
func better(a, b pdfPage) bool {
	good := func(p pdfPage) float64 { return float64(p.words) * (1 - float64(p.garbled)/float64(max(1, p.letters))) }
	if b.letters > longWords*max(1, b.words) && a.words > b.words { // blanks were missing
		return true
	}
	return good(a) > 1.02*good(b)
}

// replace takes the whole file from the second engine.
func (p *pdfReader) replace(ctx context.Context, b *builder, engine pdfEngine) {
	first := p.pages
	p.pages, p.cut = nil, ""
	for i := range engine.count() {
		if i >= p.lim.Pages || runningOut(ctx, p.lim) {
			p.cut = fmt.Sprintf("Only the first %d of %d pages were read.", i, engine.count())
			break
		}
		text, err := engine.text(ctx, i)
		var page pdfPage
		if err == nil {
			page.set(p.arrange(text.turned, i+1))
			page.garbled = text.garbled
		}
		if page.letters == 0 && text.drawn {
			page.pictures = 1 // of what kind, only looking tells
		}
		p.pages = append(p.pages, page)
	}
	if wordsOn(p.pages) < wordsOn(first) {
		p.pages = first
		return
	}
	b.flag("second-reader")
}

func wordsOn(pages []pdfPage) (words int) {
	for _, p := range pages {
		words += p.words
	}
	return words
}

// openSecond opens the file with PDFium where this build has it, else with the
// system's poppler.
func openSecond(ctx context.Context, data []byte, lim Limits) (pdfEngine, error) {
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

// pagesOf names how many pages, for people.
func pagesOf(n int) string {
	if n == 1 {
		return "1 page"
	}
	return fmt.Sprintf("%d pages", n)
}

// garbledIn counts characters that stand for unknown ones.
func garbledIn(s string) (n int) {
	for _, r := range s {
		if isGarbled(r) {
			n++
		}
	}
	return n
}
