package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
	"footnote/backend/extract/layout"
	"footnote/backend/extract/ocr"
)

// fakeEngine reads pages as told.
type fakeEngine struct {
	pages []string
	drawn bool
}

func (f fakeEngine) count() int { return len(f.pages) }
func (f fakeEngine) close()     {}
func (f fakeEngine) picture(context.Context, int) ([]byte, error) {
	return nil, errors.New("nothing is drawn")
}

func (f fakeEngine) text(_ context.Context, page int) (pageText, error) {
	t := pageText{drawn: f.drawn}
	if s := f.pages[page]; s != "" {
		t.turned[0] = []layout.Fragment{{Text: s, X0: 72, X1: 400, Y: 700, Size: 12}}
		t.garbled = layout.GarbledIn(s)
	}
	return t, nil
}

func pageOf(text string, tr layout.Traces) layout.Page {
	page := layout.Page{Traces: tr}
	if text != "" {
		page.Set([]layout.Line{{Text: text}})
	}
	return page
}

func TestGateAsksForPagesThatAreReadBadly(t *testing.T) {
	prose := strings.Repeat("the lamp was lit at dusk ", 10)
	for name, c := range map[string]struct {
		page layout.Page
		poor bool
		scan bool
	}{
		"prose":         {pageOf(prose, layout.Traces{Shown: 200}), false, false},
		"blank":         {pageOf("", layout.Traces{}), false, false},
		"one word":      {pageOf("Annex", layout.Traces{Shown: 5}), false, false},
		"lost letters":  {pageOf("", layout.Traces{Shown: 50, Lost: 50}), true, false},
		"damaged":       {pageOf("a few", layout.Traces{Shown: 5, Broken: true}), true, false},
		"garbled":       {pageOf(prose, layout.Traces{Shown: 200, Garbled: 30}), true, false},
		"glued":         {pageOf(strings.Repeat("thelampwaslitatdusk ", 30), layout.Traces{Shown: 600}), true, false},
		"scan":          {pageOf("", layout.Traces{Pictures: 0.98}), false, true},
		"small picture": {pageOf("", layout.Traces{Pictures: 0.1}), false, false},
		"illustrated":   {pageOf(prose, layout.Traces{Shown: 200, Pictures: 0.9}), false, false},
	} {
		if c.page.Poor() != c.poor || c.page.Scanned() != c.scan {
			t.Errorf("%s: poor %v, scan %v", name, c.page.Poor(), c.page.Scanned())
		}
	}
}

func TestBetterPagesOfTheSecondEngineAreTaken(t *testing.T) {
	p := &pdfReader{lim: format.DefaultLimits(), pages: []layout.Page{pageOf("kept as it is", layout.Traces{}), pageOf("\uFFFD\uFFFD \uFFFD", layout.Traces{Shown: 3, Garbled: 3})}}
	b := format.NewBuilder(10_000)
	p.mend(context.Background(), b, fakeEngine{pages: []string{"other words", "plain words now"}}, []int{1})
	if p.pages[0].Lines[0].Text != "kept as it is" || p.pages[1].Lines[0].Text != "plain words now" || p.pages[1].Garbled != 0 {
		t.Errorf("%+v", p.pages)
	}
	if doc := b.Document(); len(doc.Flags) != 1 || doc.Flags[0] != "second-reader" {
		t.Errorf("flags %v", doc.Flags)
	}
	p.mend(context.Background(), b, fakeEngine{pages: []string{"", "\uFFFD"}}, []int{1})
	if p.pages[1].Lines[0].Text != "plain words now" {
		t.Error("a worse page was taken")
	}
}

func TestWholeFileIsTakenWhenTheFirstEngineFails(t *testing.T) {
	lim := format.DefaultLimits()
	lim.Pages = 2
	p := &pdfReader{lim: lim}
	p.replace(context.Background(), format.NewBuilder(10_000), fakeEngine{pages: []string{"one", "", "three"}, drawn: true})
	if len(p.pages) != 2 || p.cut == "" || !p.pages[1].Scanned() {
		t.Errorf("%+v %q", p.pages, p.cut)
	}
}

func TestReasonsOfBothEnginesBecomeOne(t *testing.T) {
	first := format.Fail(format.Encrypted, "It is protected.", nil)
	formattest.WantCode(t, betterReason(format.Fail(format.Malformed, "x", nil), errPassword), format.Encrypted)
	formattest.WantCode(t, betterReason(first, errNoEngine), format.Encrypted)
	if err := betterReason(nil, errNoEngine); err != nil {
		t.Errorf("pages that were read are lost: %v", err)
	}
}

func TestScansAreSaidWhereNothingRecognisesThem(t *testing.T) {
	p := &pdfReader{lim: format.DefaultLimits(), pages: []layout.Page{pageOf("a page of words", layout.Traces{}), pageOf("", layout.Traces{Pictures: 1})}}
	b := format.NewBuilder(10_000)
	p.recognise(context.Background(), b, nil, fakeEngine{pages: []string{"", ""}})
	c := b.Document().Coverage
	if c.Truncated || !slices.Contains(b.Document().Flags, "partly-read") || !strings.HasPrefix(c.Reason, "1 of 2 pages is a scan. ") || !strings.Contains(c.Reason, "switched off") {
		t.Errorf("%+v", c)
	}
}

func TestPagesInNamelessLettersAreReadLikeScans(t *testing.T) {
	nameless := pageOf(strings.Repeat("\uFFFD", 20)+" "+strings.Repeat("\uFFFD", 20), layout.Traces{})
	nameless.Garbled = 40
	p := &pdfReader{lim: format.DefaultLimits(), pages: []layout.Page{pageOf("a page of words", layout.Traces{}), nameless}}
	if got := p.nameless(); len(got) != 1 || got[0] != 1 {
		t.Fatalf("nameless pages %v", got)
	}
	b := format.NewBuilder(10_000)
	p.recognise(context.Background(), b, nil, fakeEngine{pages: []string{"", ""}})
	if c := b.Document().Coverage; !strings.HasPrefix(c.Reason, "1 of 2 pages in letters that the PDF does not name. ") {
		t.Errorf("%+v", c)
	}
}

func TestWordsOfPdftotextBecomeFragments(t *testing.T) {
	pages := readBoxes(strings.NewReader(`<html><body><doc><page width="612" height="792">
<word xMin="72" yMin="90" xMax="100" yMax="102">R&amp;D</word><word xMin="104" yMin="90" xMax="140" yMax="102">costs</word></page><page></page></doc>`))
	if len(pages) != 2 || len(pages[0][0]) != 2 || pages[0][0][0].Text != "R&D" {
		t.Fatalf("%+v", pages)
	}
	region := 0
	if lines := layout.Lines(pages[0][0], 1, &region); len(lines) != 1 || lines[0].Text != "R&D costs" {
		t.Errorf("%+v", lines)
	}
}

// TestScannedPageIsRecognised needs tesseract and something that draws pages.
func TestScannedPageIsRecognised(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil || testing.Short() {
		t.Skip("no tesseract, or -short")
	}
	picture := drawWords(t, "The lamp of Skerry burns whale oil")
	lim := format.DefaultLimits()
	lim.OCR = format.RecognitionTime
	doc, err := format.Read(context.Background(), ocr.Read, format.File{Name: "sign.png", Data: picture}, lim, format.Host{})
	if err != nil {
		t.Fatal(err)
	}
	formattest.CheckDocument(t, doc)
	if !strings.Contains(doc.Text, "whale") || doc.Coverage.Pages != 1 {
		t.Errorf("%q %+v", doc.Text, doc.Coverage)
	}
	head, err := ocr.Turn(picture, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ocr.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if pages, err := r.Read(context.Background(), head); err != nil || len(pages) != 1 || len(pages[0].Lines) == 0 || !strings.Contains(pages[0].Lines[0].Text, "whale") {
		t.Errorf("on its head: %+v, %v", pages, err)
	}
	lim.OCR = 0
	_, err = format.Read(context.Background(), ocr.Read, format.File{Name: "sign.png", Data: picture}, lim, format.Host{})
	formattest.WantCode(t, err, format.Unsupported)
}

// drawWords makes a picture of words with an engine that draws PDFs.
func drawWords(t *testing.T, text string) []byte {
	t.Helper()
	data := formattest.PDFOf(formattest.At("F1", 24, 72, 700, text))
	engine, err := openSecond(context.Background(), data, format.DefaultLimits())
	if err != nil {
		t.Skip("nothing here draws pages")
	}
	defer engine.close()
	turned, err := engine.text(context.Background(), 0)
	if err != nil || len(turned.turned[0]) == 0 {
		t.Fatalf("%v %+v", err, turned)
	}
	picture, err := engine.picture(context.Background(), 0)
	if err != nil {
		t.Skipf("nothing here draws pages: %v", err)
	}
	if !bytes.HasPrefix(picture, []byte("\x89PNG")) && !bytes.HasPrefix(picture, []byte("P5")) {
		t.Fatalf("no picture but %q", fmt.Sprintf("%.20s", picture))
	}
	return picture
}
