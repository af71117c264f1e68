package office

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// testFile reads a small file of this room's own.
func testFile(t *testing.T, name string) evidence.Document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return extractString(t, name, string(data))
}

const guideOutline = `
heading1@0 Arriving
paragraph0@0 Ships call the harbour office on channel 12 at least two hours ahead. Größe und Länge — “as measured”.
heading1@0 Fees
list0@0 A day costs 14 euros
list0@0 A week costs 80 euros
row0@0 Length  Day  Week
row0@0 8 m  14  80
row0@0 12 m  21  120
`

func TestOneGuideIsReadAlikeInEveryFormat(t *testing.T) {
	for _, name := range []string{"guide.odt", "guide.rtf", "guide.epub", "guide.pptx"} {
		t.Run(name, func(t *testing.T) {
			doc := testFile(t, name)
			got := strings.NewReplacer("2@", "1@", "@1 ", "@0 ", "@2 ", "@0 ", "@3 ", "@0 ", "ahead.1 ", "ahead. ").Replace(formattest.Outline(doc))
			for _, line := range strings.Split(strings.TrimSpace(guideOutline), "\n") {
				if !strings.Contains(got, line+"\n") {
					t.Errorf("no %q in\n%s", line, formattest.Outline(doc))
				}
			}
			if !strings.Contains(doc.Text, "In winter three hours.") {
				t.Error("the footnote is lost")
			}
			if !strings.Contains(doc.Source.Title+doc.Text, "The harbour guide") {
				t.Errorf("title %q", doc.Source.Title)
			}
			rows := evidence.Rows(doc)
			if len(rows) != 2 || strings.Join(rows[1].Values, "|") != "21|120" {
				t.Errorf("rows %+v", rows)
			}
		})
	}
}

func TestWhatTakesTooLongIsReadInPart(t *testing.T) {
	a, err := format.OpenArchive(formattest.ZipOf(t, "x", "words"), format.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	a.Hurry(t.Context())()
	b := format.NewBuilder(100)
	_, err = format.ReadPart(a, "x")
	if b.Cut(err) {
		t.Error("nothing was read, but it counts as a part")
	}
	b.Add(evidence.Block{Kind: evidence.Paragraph}, "words")
	if !b.Cut(err) || !b.Document().Coverage.Truncated {
		t.Errorf("%v, %+v", err, b.Document().Coverage)
	}
	lim := format.DefaultLimits()
	lim.Time = 1
	for _, name := range []string{"guide.odt", "guide.epub", "guide.pptx", "guide.docx"} {
		data, err := os.ReadFile(filepath.Join("testdata", strings.Replace(name, "docx", "odt", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := extractCode(name, data, lim); got == "" {
			t.Errorf("%s is read in no time", name)
		}
	}
}

const (
	deckMain = `<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`
	deckRels = `<Relationships><Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/><Relationship Id="rId2" Type="x/slide" Target="/ppt/slides/slide2.xml"/></Relationships>`
)

// shape is a shape of a slide with a placeholder, or none, and paragraphs.
func shape(holder string, paragraphs ...string) string {
	s := "<p:sp><p:nvSpPr><p:nvPr>" + holder + "</p:nvPr></p:nvSpPr><p:txBody>"
	for _, p := range paragraphs {
		s += "<a:p>" + p + "</a:p>"
	}
	return s + "</p:txBody></p:sp>"
}

func run(text string) string { return "<a:r><a:t>" + text + "</a:t></a:r>" }

func TestSlidesAreReadInOrderWithTheirNotes(t *testing.T) {
	first := shape("", run("Loose text")) +
		shape(`<p:ph type="title"/>`, run("Plan ")+run("B")) +
		shape(`<p:ph idx="1"/>`, run("point"), "<a:pPr><a:buNone/></a:pPr>"+run("plain")) +
		shape(`<p:ph type="sldNum"/>`, run("7")) +
		`<p:graphicFrame><a:tbl><a:tr><a:tc><a:p>` + run("Year") + `</a:p></a:tc><a:tc><a:p>` + run("Sum") + `</a:p></a:tc></a:tr></a:tbl></p:graphicFrame>`
	second := shape("", run("No title here"))
	doc := extractString(t, "deck.pptx", string(formattest.ZipOf(t,
		"ppt/presentation.xml", deckMain, "ppt/_rels/presentation.xml.rels", deckRels,
		"ppt/slides/slide2.xml", "<p:sld>"+first+"</p:sld>",
		"ppt/slides/slide1.xml", `<p:sld show="0">`+second+"</p:sld>",
		"ppt/slides/_rels/slide2.xml.rels", `<Relationships><Relationship Id="a" Type="x/notesSlide" Target="../notesSlides/n.xml"/><Relationship Id="b" Type="x/chart" Target="../charts/c.xml"/><Relationship Id="c" Type="x/comments" Target="../comments/c.xml"/></Relationships>`,
		"ppt/notesSlides/n.xml", "<p:notes>"+shape(`<p:ph type="sldImg"/>`, run("x"))+shape(`<p:ph type="body"/>`, run("Say hello"))+"</p:notes>",
		"ppt/charts/c.xml", `<c:chart><c:title><c:tx><c:rich><a:p>`+run("Sales")+`</a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:v>North</c:v></c:tx><c:cat><c:pt><c:v>Q1</c:v></c:pt></c:cat><c:val><c:pt><c:v>4.30000000000000004</c:v></c:pt></c:val></c:ser></c:chart>`,
		"ppt/comments/c.xml", `<p:cmLst><p:cm authorId="3" dt="2026-06-18T17:35:35"><p:text>Check this</p:text></p:cm><p:cm authorId="9"><p:text>And that</p:text></p:cm></p:cmLst>`,
		"ppt/commentAuthors.xml", `<p:cmAuthorLst><p:cmAuthor id="3" name="Jane Lorne"/></p:cmAuthorLst>`,
		"docProps/core.xml", `<c><dc:title>PowerPoint Presentation</dc:title></c>`,
	)))
	formattest.WantOutline(t, doc, `
heading1@1 Plan B
paragraph0@1 Loose text
list0@1 point
paragraph0@1 plain
row0@1 Year  Sum
paragraph0@1 Sales
row0@1 North
row0@1 Q1  4.3
heading2@1 Speaker notes
paragraph0@1 Say hello
heading2@1 Comments
paragraph0@1 Jane Lorne, 2026-06-18: Check this
paragraph0@1 And that
heading1@2 No title here
`)
	if doc.Source.Title != "Plan B" || doc.Coverage.Pages != 2 || doc.Coverage.Read != 2 {
		t.Errorf("%+v %+v", doc.Source, doc.Coverage)
	}
	if got := evidence.PlaceAt(doc, strings.Index(doc.Text, "No title")); got != "Slide 2" {
		t.Errorf("place %q", got)
	}
}

func TestSlidesWithoutWordsAreCounted(t *testing.T) {
	deck := func(second string) evidence.Document {
		return extractString(t, "deck.pptx", string(formattest.ZipOf(t, "ppt/presentation.xml", deckMain, "ppt/_rels/presentation.xml.rels", deckRels,
			"ppt/slides/slide1.xml", "<p:sld>"+second, "ppt/slides/slide2.xml", "<p:sld>"+shape("", run("words"))+"</p:sld>")))
	}
	if c := deck("<p:pic/></p:sld>").Coverage; c.Pages != 2 || c.Read != 1 || c.Empty != 1 {
		t.Errorf("a picture: %+v", c)
	}
	if c := deck("</p:sld>").Coverage; c.Read != 2 || c.Empty != 0 {
		t.Errorf("a blank slide: %+v", c)
	}
	if c := deck("<p:sp><broken").Coverage; !c.Truncated || c.Reason == "" {
		t.Errorf("a damaged slide: %+v", c)
	}
}

const odfHead = `<office:document-content>`

func TestOpenDocumentTextIsReadAsShown(t *testing.T) {
	body := `<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
<text:p text:style-name="P1">The letter</text:p><text:h text:outline-level="2">Part<text:s/>one</text:h>
<text:p>Words<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note> go<text:tab/>on<office:annotation><text:p>remark</text:p></office:annotation>.
<draw:frame><svg:title>alt</svg:title><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></text:p>
<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><table:table><table:table-row><table:table-cell><text:p>inner</text:p></table:table-cell></table:table-row></table:table></table:table-cell></table:table-row></table:table>
</office:text></office:body></office:document-content>`
	doc := extractString(t, "a.odt", string(formattest.ZipOf(t, "content.xml", odfHead+body, "meta.xml", `<m><meta:creation-date>2020-05-06T07:08:09.123</meta:creation-date></m>`)))
	formattest.WantOutline(t, doc, `
heading1@0 The letter
heading2@0 Part one
paragraph0@0 box
paragraph0@0 Words go on.
list0@0 item
row0@0 A  inner
paragraph0@0 a note
`)
	if doc.Source.Title != "The letter" || doc.Source.Published.Year() != 2020 {
		t.Errorf("source %+v", doc.Source)
	}
}

func odsRow(attr string, cells ...string) string {
	s := "<table:table-row " + attr + ">"
	for _, c := range cells {
		text := ""
		if c != "" {
			text = "<text:p>" + c + "</text:p>"
		}
		s += "<table:table-cell>" + text + "</table:table-cell>"
	}
	return s + "</table:table-row>"
}

func TestSheetsOfOpenDocumentKeepTheirCells(t *testing.T) {
	body := `<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style><office:spreadsheet><table:table table:name="Costs">` +
		odsRow("", "", "Item", "Sum") + odsRow(`table:number-rows-repeated="2"`, "", "Rent", "5 €") +
		odsRow(`table:number-rows-repeated="1000000"`, "") +
		`<table:table-row><table:table-cell table:number-columns-repeated="26"/><table:table-cell office:value="7"/></table:table-row></table:table>` +
		`<table:table table:name="Old" table:style-name="ta2">` + odsRow("", "x") + `</table:table></office:spreadsheet></office:document-content>`
	doc := extractString(t, "a.ods", string(formattest.ZipOf(t, "content.xml", odfHead+body)))
	formattest.WantOutline(t, doc, `
heading1@0 Costs
row0@1 Item  Sum
row0@2 Rent  5 €
row0@1000004 7
heading1@0 Old (hidden)
row0@1 x
`)
	var cells []string
	for _, b := range doc.Blocks {
		cells = append(cells, b.Cells)
	}
	if got := fmt.Sprint(cells); got != "[ B1:C1 B2:C3 AA1000004  A1]" {
		t.Errorf("cells %s", got)
	}
	if doc.Source.Title != "a" || doc.Coverage.Pages != 2 {
		t.Errorf("%+v %+v", doc.Source, doc.Coverage)
	}
}

func TestSlidesOfOpenDocument(t *testing.T) {
	doc := extractString(t, "a.odp", string(formattest.ZipOf(t, "content.xml", odfHead+`<office:presentation><draw:page>
<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>point</text:p></text:list-item></text:list></draw:text-box></draw:frame>
<draw:frame presentation:class="title"><draw:text-box><text:p>Head</text:p></draw:text-box></draw:frame>
<draw:frame presentation:class="footer"><draw:text-box><text:p>foot</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page><draw:frame><draw:image/></draw:frame></draw:page></office:presentation></office:document-content>`)))
	formattest.WantOutline(t, doc, `
heading1@1 Head
list0@1 point
heading2@1 Speaker notes
paragraph0@1 say
`)
	if c := doc.Coverage; c.Pages != 2 || c.Read != 1 || c.Empty != 1 {
		t.Errorf("%+v", c)
	}
}
