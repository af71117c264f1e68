package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
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
		t.turned[0] = []fragment{{text: s, x0: 72, x1: 400, y: 700, size: 12}}
		t.garbled = garbledIn(s)
	}
	return t, nil
}

func pageOf(text string, tr traces) pdfPage {
	page := pdfPage{traces: tr}
	if text != "" {
		page.set([]textLine{{text: text}})
	}
	return page
}

func TestGateAsksForPagesThatAreReadBadly(t *testing.T) {
	prose := strings.Repeat("the lamp was lit at dusk ", 10)
	for name, c := range map[string]struct {
		page pdfPage
		poor bool
		scan bool
	}{
		"prose":         {pageOf(prose, traces{shown: 200}), false, false},
		"blank":         {pageOf("", traces{}), false, false},
		"one word":      {pageOf("Annex", traces{shown: 5}), false, false},
		"lost letters":  {pageOf("", traces{shown: 50, lost: 50}), true, false},
		"damaged":       {pageOf("a few", traces{shown: 5, broken: true}), true, false},
		"garbled":       {pageOf(prose, traces{shown: 200, garbled: 30}), true, false},
		"glued":         {pageOf(strings.Repeat("thelampwaslitatdusk ", 30), traces{shown: 600}), true, false},
		"scan":          {pageOf("", traces{pictures: 0.98}), false, true},
		"small picture": {pageOf("", traces{pictures: 0.1}), false, false},
		"illustrated":   {pageOf(prose, traces{shown: 200, pictures: 0.9}), false, false},
	} {
		if c.page.poor() != c.poor || c.page.scanned() != c.scan {
			t.Errorf("%s: poor %v, scan %v", name, c.page.poor(), c.page.scanned())
		}
	}
}

func TestBetterPagesOfTheSecondEngineAreTaken(t *testing.T) {
	p := &pdfReader{lim: DefaultLimits(), pages: []pdfPage{pageOf("kept as it is", traces{}), pageOf("\uFFFD\uFFFD \uFFFD", traces{shown: 3, garbled: 3})}}
	b := newBuilder(10_000)
	p.mend(context.Background(), b, fakeEngine{pages: []string{"other words", "plain words now"}}, []int{1})
	if p.pages[0].lines[0].text != "kept as it is" || p.pages[1].lines[0].text != "plain words now" || p.pages[1].garbled != 0 {
		t.Errorf("%+v", p.pages)
	}
	if doc := b.document(); len(doc.Flags) != 1 || doc.Flags[0] != "second-reader" {
		t.Errorf("flags %v", doc.Flags)
	}
	p.mend(context.Background(), b, fakeEngine{pages: []string{"", "\uFFFD"}}, []int{1})
	if p.pages[1].lines[0].text != "plain words now" {
		t.Error("a worse page was taken")
	}
}

func TestWholeFileIsTakenWhenTheFirstEngineFails(t *testing.T) {
	lim := DefaultLimits()
	lim.Pages = 2
	p := &pdfReader{lim: lim}
	p.replace(context.Background(), newBuilder(10_000), fakeEngine{pages: []string{"one", "", "three"}, drawn: true})
	if len(p.pages) != 2 || p.cut == "" || !p.pages[1].scanned() {
		t.Errorf("%+v %q", p.pages, p.cut)
	}
}

func TestReasonsOfBothEnginesBecomeOne(t *testing.T) {
	first := fail(Encrypted, "It is protected.", nil)
	wantCode(t, betterReason(fail(Malformed, "x", nil), errPassword), Encrypted)
	wantCode(t, betterReason(first, errNoEngine), Encrypted)
	if err := betterReason(nil, errNoEngine); err != nil {
		t.Errorf("pages that were read are lost: %v", err)
	}
}

func TestScansAreSaidWhereNothingRecognisesThem(t *testing.T) {
	p := &pdfReader{lim: DefaultLimits(), pages: []pdfPage{pageOf("a page of words", traces{}), pageOf("", traces{pictures: 1})}}
	b := newBuilder(10_000)
	p.recognise(context.Background(), b, nil, fakeEngine{pages: []string{"", ""}})
	c := b.document().Coverage
	if !c.Truncated || !strings.HasPrefix(c.Reason, "1 of 2 pages is a scan. ") || !strings.Contains(c.Reason, "switched off") {
		t.Errorf("%+v", c)
	}
}

func TestPagesInNamelessLettersAreReadLikeScans(t *testing.T) {
	nameless := pageOf(strings.Repeat("\uFFFD", 20)+" "+strings.Repeat("\uFFFD", 20), traces{})
	nameless.garbled = 40
	p := &pdfReader{lim: DefaultLimits(), pages: []pdfPage{pageOf("a page of words", traces{}), nameless}}
	if got := p.nameless(); len(got) != 1 || got[0] != 1 {
		t.Fatalf("nameless pages %v", got)
	}
	b := newBuilder(10_000)
	p.recognise(context.Background(), b, nil, fakeEngine{pages: []string{"", ""}})
	if c := b.document().Coverage; !strings.HasPrefix(c.Reason, "1 of 2 pages in letters that the PDF does not name. ") {
		t.Errorf("%+v", c)
	}
}

func TestPicturesAreTurned(t *testing.T) {
	upright := []byte("P5\n3 2\n255\nabcdef")
	for quarters, want := range []string{"P5\n3 2\n255\nabcdef", "P5\n2 3\n255\ndaebfc", "P5\n3 2\n255\nfedcba", "P5\n2 3\n255\ncfbead"} {
		got, err := turnPicture(upright, quarters)
		if err != nil || string(got) != want {
			t.Errorf("%d quarters: %q, %v", quarters, got, err)
		}
	}
	for _, bad := range []string{"", "P5\n3 2\n255\nabc", "P5\n-3 2\n255\nabcdef", "P5\n3 2\n65535\nabcdef", "P5\n99999999 99999999\n255\n"} {
		if got, err := turnPicture([]byte(bad), 2); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestRecognisedWordsBecomeLines(t *testing.T) {
	table := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"1\t1\t0\t0\t0\t0\t0\t0\t1000\t1000\t-1\t\n" +
		"5\t1\t1\t1\t1\t1\t100\t100\t80\t30\t96.5\tThe\n" +
		"5\t1\t1\t1\t1\t2\t190\t100\t90\t30\t91\tlamp\n" +
		"5\t1\t1\t1\t1\t3\t290\t100\t90\t30\t5\t|;~\n" +
		"5\t1\t1\t1\t2\t1\t100\t140\t80\t30\t20\twhale\n" +
		"5\t2\t1\t1\t1\t1\t100\t100\t80\t30\t96\tsecond\n" +
		"5\tbad\trow\n"
	pages := readRecognised([]byte(table))
	if len(pages) != 2 || len(pages[0].lines) != 2 || pages[0].lines[0].text != "The lamp" || pages[0].garbled != 5 || pages[1].lines[0].text != "second" {
		t.Errorf("%+v", pages)
	}
}

func TestWordsOfPdftotextBecomeFragments(t *testing.T) {
	pages := readBoxes(strings.NewReader(`<html><body><doc><page width="612" height="792">
<word xMin="72" yMin="90" xMax="100" yMax="102">R&amp;D</word><word xMin="104" yMin="90" xMax="140" yMax="102">costs</word></page><page></page></doc>`))
	if len(pages) != 2 || len(pages[0][0]) != 2 || pages[0][0][0].text != "R&D" {
		t.Fatalf("%+v", pages)
	}
	region := 0
	if lines := layout(pages[0][0], 1, &region); len(lines) != 1 || lines[0].text != "R&D costs" {
		t.Errorf("%+v", lines)
	}
}

// TestScannedPageIsRecognised needs tesseract and something that draws pages.
func TestScannedPageIsRecognised(t *testing.T) {
	if _, err := exec.LookPath("tesseract"); err != nil || testing.Short() {
		t.Skip("no tesseract, or -short")
	}
	picture := drawWords(t, "The lamp of Skerry burns whale oil")
	lim := DefaultLimits()
	lim.OCR = RecognitionTime
	doc, err := Extract(context.Background(), "image/png", "sign.png", picture, lim)
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, doc)
	if !strings.Contains(doc.Text, "whale") || doc.Coverage.Pages != 1 {
		t.Errorf("%q %+v", doc.Text, doc.Coverage)
	}
	head, err := turnPicture(picture, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRecogniser(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if pages, err := r.read(context.Background(), head); err != nil || len(pages) != 1 || len(pages[0].lines) == 0 || !strings.Contains(pages[0].lines[0].text, "whale") {
		t.Errorf("on its head: %+v, %v", pages, err)
	}
	lim.OCR = 0
	_, err = Extract(context.Background(), "image/png", "sign.png", picture, lim)
	wantCode(t, err, Unsupported)
}

// drawWords makes a picture of words with an engine that draws PDFs.
func drawWords(t *testing.T, text string) []byte {
	t.Helper()
	data := pdfOf(at("F1", 24, 72, 700, text))
	engine, err := openSecond(context.Background(), data, DefaultLimits())
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
