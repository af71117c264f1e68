package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
	"footnote/backend/extract/layout"
)

func pdfDoc(t *testing.T, pages ...string) evidence.Document {
	t.Helper()
	return extractString(t, "a.pdf", string(formattest.PDFOf(pages...)))
}

// prose writes n lines of running text, 12 points apart.
func prose(x, y float64, n int, words string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(formattest.At("F1", 10, x, y-12*float64(i), fmt.Sprintf("%s %d", words, i)))
	}
	return out.String()
}

func TestPDFParagraphsHeadingsAndPlaces(t *testing.T) {
	doc := pdfDoc(t,
		formattest.At("F2", 18, 72, 720, "Annual report")+formattest.At("F2", 10, 72, 690, "Item 1. Business")+
			formattest.At("F1", 10, 72, 670, "The company makes small things of a useful kind and infor-")+
			formattest.At("F1", 10, 72, 658, "mation about them. It was founded long ago by people who")+
			formattest.At("F1", 10, 72, 646, "liked them.")+formattest.At("F1", 10, 72, 620, "A second paragraph goes on over the end of"),
		formattest.At("F1", 10, 72, 720, "the page without a stop."))
	formattest.WantOutline(t, doc, `
heading1@1 Annual report
heading2@1 Item 1. Business
paragraph0@1 The company makes small things of a useful kind and information about them. It was founded long ago by people who liked them.
paragraph0@1 A second paragraph goes on over the end of
paragraph0@2 the page without a stop.
`)
	if !strings.Contains(doc.Text, "the end of the page") || doc.Coverage.Pages != 2 || doc.Coverage.Read != 2 {
		t.Errorf("%q %+v", doc.Text, doc.Coverage)
	}
	if doc.Source.Title != "A useful title" || doc.Source.Published.Year() != 2023 {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestPDFRowsKeepLabelAndNumbers(t *testing.T) {
	cells := func(y float64, label string, numbers ...string) string {
		out := formattest.At("F1", 10, 72, y, label)
		for i, n := range numbers {
			out += formattest.At("F1", 10, 340+90*float64(i), y+0.4, n)
		}
		return out
	}
	doc := pdfDoc(t, cells(700, "", "June 25,", "June 26,")+cells(688, "", "2022", "2021")+
		cells(670, "Net sales:")+
		cells(658, "Products")+formattest.At("F1", 10, 320, 658, "$")+formattest.At("F1", 10, 340, 658, "63,355")+formattest.At("F1", 10, 410, 658, "$")+formattest.At("F1", 10, 430, 658, "63,948")+
		cells(646, "Total change in gains on marketable debt")+cells(634, "securities", "(3,055)", "163")+
		cells(622, "Total net sales", "82,959", "81,434"))
	formattest.WantOutline(t, doc, `
row0@1 June 25, 2022  June 26, 2021
paragraph0@1 Net sales:
row0@1 Products  $63,355  $63,948
row0@1 Total change in gains on marketable debt securities  (3,055)  163
row0@1 Total net sales  82,959  81,434
`)
}

func TestPDFColumnsAreReadOneAfterTheOther(t *testing.T) {
	page := formattest.At("F2", 16, 150, 740, "A title over both columns")
	for i := range 12 { // drawn line by line across the columns, as some programs do
		y := 700 - 12*float64(i)
		page += formattest.At("F1", 10, 72, y, fmt.Sprintf("left column words of line %02d", i)) + formattest.At("F1", 10, 320, y, fmt.Sprintf("right column text at line %02d", i))
	}
	text := pdfDoc(t, page).Text
	if title, left, right := strings.Index(text, "title"), strings.Index(text, "line 11"), strings.Index(text, "right column text at line 00"); title > left || left > right {
		t.Errorf("order: %q", text)
	}
}

func TestPDFRunningHeadsAreKeptOnce(t *testing.T) {
	var pages []string
	for i := range 5 {
		pages = append(pages, formattest.At("F1", 9, 250, 770, "The running head")+prose(72, 700, 8, strings.Repeat(string(rune('a'+i)), 6)+" has its own words here in line")+formattest.At("F1", 10, 72, 50, fmt.Sprintf("Total  %d", 31*i+7))+formattest.At("F1", 9, 300, 30, fmt.Sprintf("Page %d", i+1)))
	}
	doc := pdfDoc(t, pages...)
	if n := strings.Count(doc.Text, "The running head"); n != 1 {
		t.Errorf("the head stands %d times", n)
	}
	if n := strings.Count(doc.Text, "own words"); n != 40 {
		t.Errorf("%d lines of text", n)
	}
	if n := strings.Count(doc.Text, "Total"); n != 5 {
		t.Errorf("%d of 5 totals at the foot of a page", n)
	}
	if n := strings.Count(doc.Text, "Page "); n != 1 {
		t.Errorf("%d page numbers", n)
	}
}

func TestPDFPageNumbersOfATotalAreKeptOnce(t *testing.T) {
	var pages []string
	for i := range 5 {
		pages = append(pages, prose(72, 700, 8, strings.Repeat(string(rune('a'+i)), 6)+" has its own words here in line")+formattest.At("F1", 9, 72, 30, fmt.Sprintf("The pump handbook 2.8 %d / 5", i+1)))
	}
	if n := strings.Count(pdfDoc(t, pages...).Text, "handbook"); n != 1 {
		t.Errorf("the foot stands %d times", n)
	}
}

func TestPDFSectionsBesidePageNumbersAreKeptOnce(t *testing.T) {
	var pages []string
	for i := range 6 {
		foot := fmt.Sprintf("2.%d. Part %s   %d", i, strings.Repeat(string(rune('m'+i)), 4), i+12)
		if i%2 == 1 {
			foot = fmt.Sprintf("%d   Chapter 2. The pump", i+12)
		}
		pages = append(pages, prose(72, 700, 8, strings.Repeat(string(rune('a'+i)), 6)+" has its own words here in line")+formattest.At("F1", 9, 72, 30, foot))
	}
	text := pdfDoc(t, pages...).Text
	if !strings.Contains(text, "mmmm") || strings.Contains(text, "oooo") || strings.Contains(text, "13") {
		t.Errorf("feet stand in %q", text)
	}
}

// A large heading at the top of a page says nothing of the distance of its lines.
func TestPDFLinesUnderALargeHeadingAreOneParagraph(t *testing.T) {
	page := formattest.At("F2", 24, 72, 740, "The pump") + prose(72, 690, 6, "the water of the lower pond is lifted by it in the") + prose(72, 610, 6, "a paragraph that goes on a good deal further to the right than any other")
	doc := pdfDoc(t, page)
	if want := "in the 0 the water"; !strings.Contains(doc.Text, want) {
		t.Errorf("%q is not in %q", want, doc.Text)
	}
}

// TeX shows a mark, goes back and shows its letter; a mark that is typed as an
// apostrophe has a place of its own.
func TestPDFMarksJoinTheirLetters(t *testing.T) {
	doc := pdfDoc(t, "BT /F1 10 Tf 72 700 Td [(une r\\264) 333 (esistance con\\270) 333 (cue, l\\264eau)] TJ ET\n")
	if want := "une résistance conçue, l´eau"; !strings.Contains(doc.Text, want) {
		t.Errorf("%q, want %q", doc.Text, want)
	}
}

func TestDamagedPDFsAreMended(t *testing.T) {
	good := formattest.PDFOf(formattest.At("F1", 12, 72, 700, "The word velnor stands here"))
	for name, data := range map[string][]byte{
		"good":           good,
		"junk before":    append([]byte("junk\n\nheaders\n"), good...),
		"junk after":     append(bytes.Clone(good), bytes.Repeat([]byte("\x00\xff"), 500)...),
		"no end":         good[:bytes.Index(good, []byte("xref\n0"))],
		"wrong xref":     bytes.Replace(good, []byte("startxref\n"), []byte("startxref\n99"), 1),
		"huge size":      bytes.Replace(good, []byte("/Size"), []byte("/Size 999999999/Old"), 1),
		"endless prev":   bytes.Replace(good, []byte("/Root"), []byte("/Prev 9/Root"), 1),
		"wrong length":   bytes.Replace(good, []byte("<</Length"), []byte("<</Length 3/Old"), 1),
		"odd header":     bytes.Replace(good, []byte("%PDF-1.4"), []byte("%PDF-2.9"), 1),
		"negative count": bytes.Replace(good, []byte("/Count 1"), []byte("/Count -7"), 1),
	} {
		if doc := extractString(t, "a.pdf", string(data)); !strings.Contains(doc.Text, "The word velnor stands here") {
			t.Errorf("%s: %q", name, doc.Text)
		}
	}
}

func TestHopelessPDFsGiveReasons(t *testing.T) {
	good := formattest.PDFOf(formattest.At("F1", 12, 72, 700, "words"))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"html":      {[]byte("<html>not a pdf</html>"), format.Malformed},
		"header":    {[]byte("%PDF-1.4\n"), format.Malformed},
		"encrypted": {bytes.Replace(good, []byte("/Root"), []byte("/Encrypt<</Filter/Standard/V 5/R 6/Length 256>>/Root"), 1), format.Encrypted},
		"kids loop": {bytes.Replace(good, []byte("/Kids[6 0 R"), []byte("/Kids[2 0 R"), 1), format.Malformed},
	} {
		p := &pdfReader{fonts: map[string]*pdfFont{}, lim: format.DefaultLimits()}
		formattest.WantCode(t, p.first(context.Background(), format.NewBuilder(1000), c.data), c.want) // another engine may be more lenient
		if code := extractCode("a.pdf", c.data, format.DefaultLimits()); code != c.want && code != format.Empty && code != "" {
			t.Errorf("%s: got %q", name, code)
		}
	}
	if code := extractCode("a.pdf", formattest.PDFOf("0 0 m 10 10 l S"), format.DefaultLimits()); code != format.Empty {
		t.Errorf("got %q for a drawing", code)
	}
}

func TestPDFPagesOverTheLimitAreSaid(t *testing.T) {
	lim := format.DefaultLimits()
	lim.Pages = 2
	data := formattest.PDFOf(formattest.At("F1", 12, 72, 700, "one"), formattest.At("F1", 12, 72, 700, "two"), formattest.At("F1", 12, 72, 700, "three"))
	doc, err := format.Read(t.Context(), Read, format.File{Name: "a.pdf", Data: data}, lim, format.Host{})
	if err != nil || !doc.Coverage.Truncated || strings.Contains(doc.Text, "three") || doc.Coverage.Pages != 2 {
		t.Errorf("%v %+v %q", err, doc.Coverage, doc.Text)
	}
}

func deflate(t testing.TB, data []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestObjectStreamsAndPredictorsAreUnpacked(t *testing.T) {
	objects := "<</Type/Catalog/Pages 2 0 R>> <</Type/Pages/Count 1/Kids[3 0 R]>> <</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>> <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	starts := []int{0, strings.Index(objects, "<</Type/Pages"), strings.Index(objects, "<</Type/Page/"), strings.Index(objects, "<</Type/Font")}
	head := ""
	for i, s := range starts {
		head += fmt.Sprintf("%d %d ", i+1, s)
	}
	packed := deflate(t, []byte(head+objects))
	content := []byte(formattest.At("F1", 12, 72, 700, "packed words"))
	rows := []byte{}
	for before := make([]byte, 4); len(content) > 0; content = content[min(4, len(content)):] {
		line := append(bytes.Clone(content[:min(4, len(content))]), "    "[min(4, len(content)):]...)
		rows = append(rows, 2)
		for i := range line {
			rows = append(rows, line[i]-before[i])
		}
		before = line
	}
	body := deflate(t, rows)
	var file bytes.Buffer
	fmt.Fprintf(&file, "%%PDF-1.5\n9 0 obj\n<</Type/ObjStm/N 4/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n", len(head), len(packed), packed)
	fmt.Fprintf(&file, "5 0 obj\n<</Filter[/FlateDecode]/DecodeParms[<</Predictor 12/Columns 4>>]/Length %d>>\nstream\n%s\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n", len(body), body)
	if doc := extractString(t, "a.pdf", file.String()); doc.Text != "packed words" {
		t.Errorf("got %q", doc.Text)
	}
}

func TestFiltersUndoTheirPacking(t *testing.T) {
	lzw := []byte{0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01} // the example of the PDF standard
	for name, c := range map[string]struct {
		dict string
		raw  []byte
		want string
	}{
		"LZW":        {"/Filter/LZWDecode", lzw, "-----A---B"},
		"hex":        {"/Filter/ASCIIHexDecode", []byte("48 65 6c6C 6f>"), "Hello"},
		"85":         {"/Filter /ASCII85Decode", []byte("<~87cURDZ~>"), "Hello"},
		"run length": {"/Filter[/RunLengthDecode]", []byte{1, 'a', 'b', 254, 'c', 128}, "abccc"},
		"two":        {"/Filter[/AHx/Fl]", []byte(fmt.Sprintf("%x>", deflate(t, []byte("twice")))), "twice"},
		"cut":        {"/Filter/FlateDecode", deflate(t, bytes.Repeat([]byte("cut "), 100))[:14], "cut cut"},
		"none":       {"", []byte("as it is"), "as it is"},
		"picture":    {"/Filter/DCTDecode", []byte("x"), ""},
	} {
		m := &mended{lim: format.DefaultLimits()}
		got, err := m.unpack(c.dict, c.raw)
		if err != nil || !strings.HasPrefix(string(got), c.want) || c.want == "" && got != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	lim := format.DefaultLimits()
	lim.Entry = 1 << 10
	if _, err := (&mended{lim: lim}).unpack("/Filter/FlateDecode", deflate(t, make([]byte, 1<<20))); err == nil {
		t.Error("a bomb was unpacked")
	}
}

func TestContentIsReadWhateverItsSyntax(t *testing.T) {
	content := `/F1 12 Tf BI /W 1 /H 1 ID ` + "\x01\x02 EI \xff\x00 binary\nEI Q\n" +
		`1 0 0 1 72 700 Tm [(a\(b\)) -20 <63> (d\145f\
g)] TJ (open string`
	var got []string
	(&tokens{in: []byte(content)}).run(func(op string, args []operand) {
		line := op
		for _, a := range args {
			line += fmt.Sprintf(" %g%s%v", a.num, a.text, len(a.items))
		}
		got = append(got, line)
	})
	want := []string{"Tf 0F10 120", "BI", "Q", "Tm 10 00 00 10 720 7000", "TJ 04"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestToUnicodeMaps(t *testing.T) {
	m := parseToUnicode("2 beginbfchar <01> <0041> <0002> <D83DDE00> endbfchar 1 beginbfrange <10> <12> <0061> <20> <21> [<0058> <00590059>] endbfrange <00> <FFFFFFFF> <0000>")
	for code, want := range map[int]string{1: "A", 2: "😀", 0x10: "a", 0x12: "c", 0x20: "X", 0x21: "YY"} {
		if m[code] != want {
			t.Errorf("code %x: got %q, want %q", code, m[code], want)
		}
	}
	for name, want := range map[string]string{"A": "A", "uni20AC": "€", "u1F600": "😀", "f_i": "fi", "a.alt": "a", "seven": "7", "g123": "", "quoteright": "’"} {
		if got := glyphText(name); got != want {
			t.Errorf("glyph %s: got %q, want %q", name, got, want)
		}
	}
}

func FuzzExtractPDF(f *testing.F) {
	f.Add(formattest.PDFOf(formattest.At("F1", 12, 72, 700, "words"), "BT /F1 9 Tf [(a) 3 <62>] TJ ET"))
	f.Add([]byte("%PDF-1.4\n1 0 obj<</Root 1 0 R/Type/Catalog/Pages<</Kids[<</Contents 2 0 R>>]>>>>endobj 2 0 obj<</Length 3>>stream\n(x)Tj\nendstream"))
	lim := format.DefaultLimits()
	lim.Entry, lim.Archive, lim.Pages = 1<<20, 4<<20, 20
	f.Fuzz(func(t *testing.T, data []byte) {
		p, b := &pdfReader{fonts: map[string]*pdfFont{}, lim: lim}, format.NewBuilder(lim.Output) // the first engine: others are programs of their own
		if p.first(t.Context(), b, data) == nil {
			layout.WritePages(b, p.pages, p.cut)
			formattest.CheckDocument(t, b.Document())
		}
	})
}

// FuzzBoxes reads what pdftotext writes about a page.
func FuzzBoxes(f *testing.F) {
	f.Add([]byte(`<page><word xMin="72" yMin="90" xMax="100" yMax="102">a</word></page>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, b := &pdfReader{lim: format.DefaultLimits()}, format.NewBuilder(1<<20)
		for i, turned := range readBoxes(bytes.NewReader(data)) {
			var page layout.Page
			page.Set(layout.Arrange(turned, i+1, &p.region))
			p.pages = append(p.pages, page)
		}
		layout.WritePages(b, p.pages, p.cut)
		formattest.CheckDocument(t, b.Document())
	})
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("BT /F1 12 Tf [(a) -2 <62>] TJ << /x [1] >> ET BI ID x EI"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		(&tokens{in: data}).run(func(string, []operand) { n++ })
		if n > len(data) {
			t.Fatalf("%d operators in %d bytes", n, len(data))
		}
	})
}

func BenchmarkPDF(b *testing.B) {
	page := formattest.At("F2", 14, 72, 740, "A heading") + prose(72, 700, 50, "some sixty characters of running text in this line")
	pages := make([]string, 20)
	for i := range pages {
		pages[i] = page
	}
	data := formattest.PDFOf(pages...)
	for b.Loop() {
		if _, err := format.Read(b.Context(), Read, format.File{Name: "a.pdf", Data: data}, format.DefaultLimits(), format.Host{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(pages))/b.Elapsed().Seconds(), "pages/s")
}
