package office

import (
	"strings"
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

const (
	wordHead = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
	wordTail = `</w:body></w:document>`
)

func para(style, text string) string {
	return `<w:p><w:pPr>` + style + `</w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func TestWordIsReadInOrder(t *testing.T) {
	body := para(`<w:pStyle w:val="My"/>`, "Chapter") + para("", "Some &amp; text.") + para(`<w:numPr/>`, "item") +
		`<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t><w:tab/><w:t>too</w:t></w:r></w:p>` +
		`<w:tbl><w:tr><w:tc>` + para("", "Year") + `</w:tc><w:tc>` + para("", "12") + para("", "more") + `</w:tc></w:tr></w:tbl>` +
		`<w:p><w:r><w:t>outer </w:t><w:txbxContent>` + para("", "box") + `</w:txbxContent><w:t>end</w:t></w:r></w:p>`
	doc := extractString(t, "a.docx", string(formattest.ZipOf(t,
		"word/document.xml", wordHead+body+wordTail,
		"word/styles.xml", `<styles><style styleId="My"><basedOn val="H"/></style><style styleId="H"><name val="heading 2"/></style></styles>`,
		"word/footnotes.xml", `<w:footnotes xmlns:w="x">`+para("", "a note")+`</w:footnotes>`,
		"docProps/core.xml", `<cp><dc:title>Report</dc:title><dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>2021-01-02T03:04:05Z</dcterms:modified></cp>`,
	)))
	formattest.WantOutline(t, doc, `
heading2@0 Chapter
paragraph0@0 Some & text.
list0@0 item
paragraph0@0 kept too
row0@0 Year  12 more
paragraph0@0 box
paragraph0@0 outer end
paragraph0@0 a note
`)
	if doc.Source.Title != "Report" || doc.Source.Published.Year() != 2021 {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestHostileArchivesGiveReasons(t *testing.T) {
	lim := format.DefaultLimits()
	lim.Entry, lim.RatioFrom = 8<<20, 1<<20
	many := []string{}
	for i := range 3000 {
		many = append(many, strings.Repeat("x", i%9)+string(rune('a'+i%26)), "")
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"bomb":        {formattest.ZipOf(t, "word/document.xml", wordHead+strings.Repeat(" ", 20<<20)+wordTail), format.TooLarge},
		"many parts":  {formattest.ZipOf(t, many...), format.TooLarge},
		"no archive":  {[]byte("plain"), format.Malformed},
		"no document": {formattest.ZipOf(t, "x", "y"), format.Malformed},
		"DTD":         {formattest.ZipOf(t, "word/document.xml", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>`+wordHead+para("", "&a;")+wordTail), format.Malformed},
		"deep":        {formattest.ZipOf(t, "word/document.xml", wordHead+strings.Repeat("<w:p>", 5000)), format.Malformed},
		"deep skip":   {formattest.ZipOf(t, "word/document.xml", wordHead+strings.Repeat("<w:del>", 5000)), format.Malformed},
		"blank":       {formattest.ZipOf(t, "word/document.xml", wordHead+wordTail), format.Empty},
		"locked":      {append(append([]byte{}, format.OLEMagic...), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00"...), format.Encrypted},
	} {
		if got := extractCode("a.docx", c.data, lim); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	cut := extractString(t, "a.docx", string(formattest.ZipOf(t, "word/document.xml", wordHead+para("", "before")+"<w:p><w:r>")))
	if cut.Text != "before" || !cut.Coverage.Truncated {
		t.Errorf("a document that breaks off: %q %+v", cut.Text, cut.Coverage)
	}
}

func FuzzExtractDocx(f *testing.F) {
	f.Add([]byte(wordHead + para("", "x") + wordTail))
	f.Fuzz(func(t *testing.T, part []byte) {
		formattest.Fuzz(t, ReadDocx, formattest.ZipOf(t, "word/document.xml", string(part), "word/styles.xml", string(part), "docProps/core.xml", string(part)))
	})
}
