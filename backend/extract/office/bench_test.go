package office

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// BenchmarkExtractOffice measures each format in bytes of text a second.
func BenchmarkExtractOffice(b *testing.B) {
	const words = "The harbour office keeps the tide tables and the keys of the crane. "
	times := func(n int, s string) string { return strings.Repeat(s, n) }
	cells := odsRow("", "Rent of the crane", "1,234.50", "12 %", "2024-03-01")
	for _, c := range []struct {
		name string
		read format.Reader
		data []byte
	}{
		{"pptx", ReadPptx, formattest.ZipOf(b, "ppt/presentation.xml", deckMain, "ppt/_rels/presentation.xml.rels", deckRels,
			"ppt/slides/slide1.xml", "<p:sld>"+shape("", strings.Fields(times(15000, run("Words")+" "))...)+times(15000, shape("", run(strings.TrimSpace(words))))+"</p:sld>")},
		{"xlsx", ReadXlsx, workbook(b, func(f *excelize.File) {
			for i := range 20000 {
				row := []any{"Rent of the crane", float64(i) / 4, i, "paid on the first"}
				_ = f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row)
			}
		})},
		{"odt", ReadODF, formattest.ZipOf(b, "content.xml", odfHead+"<text>"+times(15000, "<p>"+words+"</p>")+"</text></office:document-content>")},
		{"ods", ReadODF, formattest.ZipOf(b, "content.xml", odfHead+`<spreadsheet><table name="a">`+times(20000, cells)+"</table></spreadsheet></office:document-content>")},
		{"rtf", ReadRTF, []byte(`{\rtf1\ansi ` + times(15000, words+`\par `) + "}")},
		{"epub", ReadEPUB, book(b, times(15000, "<p>"+words+"</p>"), "<p>x")},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				doc, err := format.Read(b.Context(), c.read, format.File{Name: c.name, Data: c.data}, format.DefaultLimits(), format.Host{})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(doc.Text)))
			}
		})
	}
}
