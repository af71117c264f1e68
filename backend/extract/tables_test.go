package extract

import (
	"context"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"footnote/backend/evidence"
	"footnote/backend/extract/formattest"
)

// A table of testdata/tables/tables.txt: rows of cells ("~" is empty, ">2" reaches
// over two columns, "^2" down two rows), and questions with their row ("@" and what
// it stands under), head and cell.
type specTable struct {
	name  string
	rows  [][]specCell
	asked []specQuestion
}

type specCell struct {
	text         string
	across, down int
}

type specQuestion struct{ label, section, head, value string }

func specCellOf(text string) specCell {
	c := specCell{text: strings.TrimSpace(text), across: 1, down: 1}
	for mark, n := range map[string]*int{">": &c.across, "^": &c.down} {
		if before, after, ok := strings.Cut(c.text, mark); ok {
			*n, _ = strconv.Atoi(after)
			c.text = before
		}
	}
	if c.text == "~" {
		c.text = ""
	}
	return c
}

func specTables(t *testing.T) (tables []*specTable) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "tables", "tables.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(string(data))) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "); ok {
			tables = append(tables, &specTable{name: name})
			continue
		}
		s := tables[len(tables)-1]
		if q, ok := strings.CutPrefix(line, "? "); ok {
			f := strings.Split(q, " ; ")
			label, section, _ := strings.Cut(f[0], " @ ")
			s.asked = append(s.asked, specQuestion{label, section, f[1], f[2]})
			continue
		}
		var row []specCell
		for c := range strings.SplitSeq(line, ";") {
			row = append(row, specCellOf(c))
		}
		s.rows = append(s.rows, row)
	}
	return tables
}

// each visits the cells of a table by row and column, covered ones as well: those
// have no text, and left or up says where the cell is that covers them.
func (s *specTable) each(row func(i int), cell func(row, column int, c specCell, left, up bool)) {
	down := map[int]int{}
	for i, cells := range s.rows {
		row(i)
		at := 0
		cover := func() {
			for ; down[at] > 0; at++ {
				down[at]--
				cell(i, at, specCell{across: 1, down: 1}, false, true)
			}
		}
		for _, c := range cells {
			cover()
			cell(i, at, c, false, false)
			down[at] = c.down - 1
			for range c.across - 1 {
				at++
				cell(i, at, specCell{across: 1, down: 1}, true, false)
			}
			at++
		}
		cover()
	}
}

// written writes a table with what begins a row and what each cell becomes.
func (s *specTable) written(between string, cell func(c specCell, left, up bool) string) string {
	var b strings.Builder
	s.each(func(i int) {
		if i > 0 {
			b.WriteString(between)
		}
	}, func(_, _ int, c specCell, left, up bool) { b.WriteString(cell(c, left, up)) })
	return b.String()
}

func (s *specTable) html() string {
	return "<h1>Report on " + s.name + "</h1><table><tr>" + s.written("</tr>\n<tr>", func(c specCell, left, up bool) string {
		if left || up {
			return ""
		}
		return fmt.Sprintf(`<td colspan="%d" rowspan=%d>%s</td>`, c.across, c.down, html.EscapeString(c.text))
	}) + "</tr></table>"
}

func (s *specTable) markdown() string {
	columns := 0
	for _, r := range s.rows {
		columns = max(columns, len(r))
	}
	text := "| " + s.written("\n| ", func(c specCell, _, _ bool) string { return c.text + " | " })
	first, rest, _ := strings.Cut(text, "\n")
	return "# Report on " + s.name + "\n\n" + first + "\n" + strings.Repeat("| --- ", columns) + "|\n" + rest + "\n"
}

func (s *specTable) csv() string {
	return s.written("\n", func(c specCell, _, _ bool) string { return `"` + c.text + `",` })
}

func (s *specTable) docx() string {
	return `<w:document xmlns:w="w"><w:body><w:tbl><w:tr>` + s.written("</w:tr><w:tr>", func(c specCell, left, up bool) string {
		merge := ""
		switch {
		case left:
			return ""
		case up:
			merge = "<w:vMerge/>"
		case c.down > 1:
			merge = `<w:vMerge w:val="restart"/>`
		}
		return fmt.Sprintf(`<w:tc><w:tcPr><w:gridSpan w:val="%d"/>%s</w:tcPr><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:tc>`, c.across, merge, c.text)
	}) + `</w:tr></w:tbl></w:body></w:document>`
}

func (s *specTable) slide() string {
	return `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:graphicFrame><a:tbl><a:tr>` + s.written("</a:tr><a:tr>", func(c specCell, left, up bool) string {
		covered := ""
		if left {
			covered = ` hMerge="1"`
		} else if up {
			covered = ` vMerge="1"`
		}
		return fmt.Sprintf(`<a:tc gridSpan="%d" rowSpan="%d"%s><a:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></a:txBody></a:tc>`, c.across, c.down, covered, c.text)
	}) + `</a:tr></a:tbl></p:graphicFrame></p:spTree></p:cSld></p:sld>`
}

func (s *specTable) openDocument(kind string) string {
	return `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:` + kind + `><table:table table:name="` + s.name + `"><table:table-row>` +
		s.written("</table:table-row><table:table-row>", func(c specCell, left, up bool) string {
			if left || up {
				return "<table:covered-table-cell/>"
			}
			return fmt.Sprintf(`<table:table-cell table:number-columns-spanned="%d" table:number-rows-spanned="%d"><text:p>%s</text:p></table:table-cell>`, c.across, c.down, c.text)
		}) + `</table:table-row></table:table></office:` + kind + `></office:body></office:document-content>`
}

// plainLetters are those that the font of a drawn page has.
var plainLetters = strings.NewReplacer("–", "-", "€", "EUR", "ö", "oe")

// page draws a table: labels and words from the left, figures to the right, heads
// over the middle of what they reach over. A cell that reaches down stands above.
func (s *specTable) page() string {
	const size, pitch, letter = 8, 84.0, 4.0
	out := formattest.At("F2", 14, 60, 740, "Report on "+s.name)
	s.each(func(int) {}, func(row, column int, c specCell, left, up bool) {
		text := plainLetters.Replace(c.text)
		if left || up || text == "" {
			return
		}
		x, width := 60+pitch*float64(column), letter*float64(len(text))
		switch {
		case c.across > 1 && column > 0:
			x += (pitch*float64(c.across) - 20 - width) / 2
		case evidence.IsFigure(text) && column > 0:
			x += pitch - 20 - width
		}
		out += formattest.At("F1", size, x, 700-12*float64(row), text)
	})
	return out
}

func (s *specTable) xlsx(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	s.each(func(int) {}, func(row, column int, c specCell, _, _ bool) {
		from, _ := excelize.CoordinatesToCellName(column+1, row+1)
		to, _ := excelize.CoordinatesToCellName(column+c.across, row+c.down)
		if c.text == "" {
			return
		}
		if err := f.SetCellValue("Sheet1", from, c.text); err != nil {
			t.Fatal(err)
		}
		if from != to {
			if err := f.MergeCell("Sheet1", from, to); err != nil {
				t.Fatal(err)
			}
		}
	})
	data, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// files are a table as files of every kind, by their ends.
func (s *specTable) files(t *testing.T) map[string][]byte {
	t.Helper()
	const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
	return map[string][]byte{
		"html": []byte(s.html()),
		"md":   []byte(s.markdown()),
		"csv":  []byte(s.csv()),
		"pdf":  formattest.PDFOf(s.page()),
		"xlsx": s.xlsx(t),
		"docx": formattest.ZipOf(t, "[Content_Types].xml", types, "word/document.xml", s.docx()),
		"pptx": formattest.ZipOf(t, "[Content_Types].xml", types,
			"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>`,
			"ppt/slides/slide1.xml", s.slide()),
		"odt": formattest.ZipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", s.openDocument("text")),
		"ods": formattest.ZipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", s.openDocument("spreadsheet")),
	}
}

// bound reports whether the row of a question has its value under its head alone.
func (q specQuestion) bound(rows []evidence.Row) bool {
	return slices.ContainsFunc(rows, func(r evidence.Row) bool {
		i := slices.Index(r.Heads, q.head)
		return r.Label == q.label && i >= 0 && r.Values[i] == q.value && strings.Contains(r.Section, q.section)
	})
}

// toldIn reports whether a kind of file can tell what is asked: in the plain forms,
// and on a page, nothing says what a cell covers, so that a row below one that
// reaches down does not name what it stands under.
func (q specQuestion) toldIn(kind string) bool {
	return kind != "csv" && kind != "md" && kind != "pdf" || !strings.HasSuffix(q.section, "Lane") && !strings.HasSuffix(q.section, "Street")
}

func TestCellsStandUnderTheirHeadsInEveryKindOfFile(t *testing.T) {
	asked, right := map[string]int{}, map[string]int{}
	for _, s := range specTables(t) {
		for kind, data := range s.files(t) {
			name := s.name + "." + kind
			doc, err := Extract(context.Background(), MediaType(name, data[:min(len(data), sniffed)]), name, data, DefaultLimits())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			rows := evidence.Rows(doc)
			for _, q := range s.asked {
				if !q.toldIn(kind) {
					continue
				}
				if kind == "pdf" {
					q = specQuestion{plainLetters.Replace(q.label), plainLetters.Replace(q.section), plainLetters.Replace(q.head), plainLetters.Replace(q.value)}
				}
				if asked[kind]++; q.bound(rows) {
					right[kind]++
					continue
				}
				t.Errorf("%s: %+v is not bound", name, q)
			}
		}
	}
	for kind, n := range asked {
		t.Logf("%s: %d of %d cells", kind, right[kind], n)
	}
	if len(asked) != 9 || asked["html"] != 40 {
		t.Errorf("asked %v", asked)
	}
}
