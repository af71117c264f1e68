package office

import (
	"strings"
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

const (
	bookContainer = `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`
	bookPackage   = `<package><metadata><dc:title>The book</dc:title><dc:date>2019-08-07</dc:date></metadata><manifest>
<item id="n" href="nav.xhtml" properties="nav"/><item id="a" href="text/one%20a.xhtml"/><item id="b" href="two.xhtml"/></manifest>
<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/><itemref idref="missing"/></spine></package>`
)

func book(t testing.TB, one, two string, more ...string) []byte {
	return formattest.ZipOf(t, append([]string{"mimetype", "application/epub+zip", "META-INF/container.xml", bookContainer, "OEBPS/book.opf", bookPackage,
		"OEBPS/nav.xhtml", `<html><body><nav><ol><li><a href="text/one%20a.xhtml#x">Chapter <b>A</b></a></li><li><a href="two.xhtml">Two</a></li></ol></nav></body></html>`,
		"OEBPS/text/one a.xhtml", one, "OEBPS/two.xhtml", two}, more...)...)
}

func TestBooksAreReadInOrder(t *testing.T) {
	doc := extractString(t, "a.epub", string(book(t,
		`<html><head><title/><script src="x"/></head><body><span epub:type="pagebreak" title="7"/><p>Words of<a id="x"/> A.</p><p>On <span role="doc-pagebreak" aria-label="8"/>two pages.</p><table><tr><td>a<td>b</table></body></html>`,
		`<?xml version="1.0"?><html><body><h1>My own head</h1><p>Two.</p></body></html>`)))
	formattest.WantOutline(t, doc, `
heading1@0 My own head
paragraph0@0 Two.
heading1@0 Chapter A
paragraph0@7 Words of A.
paragraph0@7 On two pages.
row0@8 a  b
`)
	if doc.Source.Title != "The book" || doc.Source.Published.Year() != 2019 {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestProtectedAndDamagedBooks(t *testing.T) {
	lock := `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/two.xhtml"/></CipherData></EncryptedData></encryption>`
	if got := extractCode("a.epub", book(t, "<p>x", "<p>y", "META-INF/encryption.xml", lock), format.DefaultLimits()); got != format.Encrypted {
		t.Errorf("locked: %q", got)
	}
	font := strings.Replace(lock, "two.xhtml", "font.otf", 1)
	if got := extractCode("a.epub", book(t, "<p>x", "<p>y", "META-INF/encryption.xml", font), format.DefaultLimits()); got != "" {
		t.Errorf("scrambled fonts: %q", got)
	}
	lost := extractString(t, "a.epub", string(formattest.ZipOf(t, "x/book.opf", strings.Replace(bookPackage, "nav.xhtml", "gone.xhtml", 1), "x/two.xhtml", "<p>kept")))
	if lost.Text != "kept" || !lost.Coverage.Truncated {
		t.Errorf("a chapter is missing: %q %+v", lost.Text, lost.Coverage)
	}
	if got := extractCode("a.epub", formattest.ZipOf(t, "x", "y"), format.DefaultLimits()); got != format.Malformed {
		t.Errorf("no book: %q", got)
	}
}

func FuzzExtractEPUB(f *testing.F) {
	f.Add("<p>one", "<h1>two</h1>", bookPackage)
	f.Add("<title/><p/>x", "", "<package><item id='a' href='b'/></package>")
	f.Fuzz(func(t *testing.T, one, two, opf string) {
		formattest.Fuzz(t, ReadEPUB, formattest.ZipOf(t, "a.opf", opf, "nav.xhtml", one, "two.xhtml", two, "toc.ncx", two, "text/one a.xhtml", one))
	})
}

func FuzzExtractODF(f *testing.F) {
	f.Add(odfHead + `<office:text><text:h>x</text:h><text:p>y</text:p></office:text></office:document-content>`)
	f.Add(odfHead + `<spreadsheet><table name="a">` + odsRow("", "b") + `</table></spreadsheet><page><p/></page>`)
	f.Fuzz(func(t *testing.T, content string) {
		formattest.Fuzz(t, ReadODF, formattest.ZipOf(t, "content.xml", content, "meta.xml", content, "META-INF/manifest.xml", content))
	})
}

func FuzzExtractPPTX(f *testing.F) {
	f.Add("<p:sld>"+shape("", run("x"))+"</p:sld>", "<c:ser><c:tx><c:v>a</c:v></c:tx></c:ser>")
	f.Add("<tbl><tr><tc><p><t>a", "<p></t></tc></tr></tbl>")
	f.Fuzz(func(t *testing.T, slide, side string) {
		formattest.Fuzz(t, ReadPptx, formattest.ZipOf(t, "ppt/presentation.xml", deckMain, "ppt/_rels/presentation.xml.rels", deckRels, "ppt/slides/slide1.xml", slide, "ppt/slides/slide2.xml", side,
			"ppt/slides/_rels/slide1.xml.rels", `<R><Relationship Id="a" Type="notesSlide" Target="slide2.xml"/><Relationship Id="b" Type="chart" Target="slide2.xml"/></R>`))
	})
}
