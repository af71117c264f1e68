package office

import (
	"context"
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ReadODF reads a text, a spreadsheet or a presentation of OpenDocument:
// headings, paragraphs, lists and rows of tables; sheets with the places of
// their cells, slides with their notes. Footnotes follow at the end; deleted
// text, comments and alternative texts of pictures are left out.
func ReadODF(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	a, err := format.OpenArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.Hurry(ctx)()
	if odfLocked(a, lim) {
		return format.Fail(format.Encrypted, "The file is protected with a password; save it without one and add that.", nil)
	}
	d := &odf{b: b, parents: map[string]string{}, hidden: map[string]bool{}}
	if err := d.part(a, "content.xml", lim); err != nil {
		d.end()
		if !b.Cut(err) {
			return err
		}
	}
	d.end()
	if d.calc {
		properties(a, b, "meta.xml", lim)
	} else {
		coreProperties(a, b, "meta.xml", lim)
	}
	return nil
}

func odfLocked(a *format.Archive, lim format.Limits) bool {
	locked := false
	format.WalkPart(a, "META-INF/manifest.xml", lim, format.XMLWalk{Open: func(name string, _ format.XMLAttrs) bool {
		locked = locked || name == "encryption-data"
		return false
	}})
	return locked
}

// odf writes the body of an OpenDocument file as its elements pass by.
type odf struct {
	b       *format.Builder
	parents map[string]string // style by the style made from it
	hidden  map[string]bool   // styles of hidden tables
	style   string            // being defined

	words  [][]byte // of the open paragraphs: a text box stands inside another's
	levels []int    // heading levels of the same; 0 for none
	lists  int
	inNote int
	notes  []string
	tables []odfTable
	frames []string // classes of the open frames

	calc    bool // sheets, not tables in a text
	slide   *Slide
	remarks bool // inside the notes of the slide
}

// odfTable is an open table, its open row and its open cell. Columns and rows
// count from 0 and 1; only those of a sheet matter.
type odfTable struct {
	sheet              SheetRows // where it is one
	cells              []string
	across             int  // columns that the last cell still reaches over
	covered            bool // the open cell is part of a merged one
	cell               []byte
	value              string // of a cell that shows no text
	repeat             int    // columns the open cell fills
	column, left, last int
	row, rows          int
}

func (d *odf) part(a *format.Archive, name string, lim format.Limits) error {
	return format.WalkWhole(a, name, lim, format.XMLWalk{Open: d.open, Text: d.put, Close: d.close})
}

func (d *odf) open(name string, attr format.XMLAttrs) (skip bool) {
	switch name {
	case "tracked-changes", "annotation", "note-citation", "ruby-text", "forms", "title", "desc", "scripts", "shapes", "binary-data":
		return true
	case "style":
		d.style = attr.Get("name")
		d.parents[d.style] = attr.Get("parent-style-name")
	case "table-properties":
		d.hidden[d.style] = attr.Get("display") == "false"
	case "spreadsheet":
		d.calc = true
	case "p", "h":
		d.words = append(d.words, nil)
		d.levels = append(d.levels, d.level(name, attr))
	case "s", "tab", "line-break":
		d.put(" ")
	case "list-item", "list-header":
		d.lists++
	case "note":
		d.inNote++
	case "frame":
		d.frames = append(d.frames, attr.Get("class"))
	case "notes":
		d.remarks = true
	case "page":
		d.slide = &Slide{}
		d.b.Doc.Coverage.Pages++
	case "image":
		if d.slide != nil && !d.remarks {
			d.slide.Pictures = true
		}
	default:
		d.openTable(name, attr)
	}
	return false
}

// level is the heading level of a paragraph, by its element or its style.
func (d *odf) level(name string, attr format.XMLAttrs) int {
	if name == "h" {
		n, err := strconv.Atoi(attr.Get("outline-level"))
		if err != nil {
			n = 1
		}
		return min(max(n, 1), 6)
	}
	style := attr.Get("style-name")
	for range 10 {
		if level := namedLevel(strings.ReplaceAll(style, "_20_", " ")); level > 0 || style == "" {
			return level
		}
		style = d.parents[style]
	}
	return 0
}

func (d *odf) put(s string) {
	if n := len(d.words); n > 0 {
		d.words[n-1] = append(d.words[n-1], s...)
	}
}

func (d *odf) close(name string) {
	switch name {
	case "p", "h":
		d.paragraph()
	case "list-item", "list-header":
		d.lists = max(0, d.lists-1)
	case "note":
		d.inNote = max(0, d.inNote-1)
	case "frame":
		d.frames = d.frames[:max(0, len(d.frames)-1)]
	case "notes":
		d.remarks = false
	case "page":
		d.endSlide()
	default:
		d.closeTable(name)
	}
}

// paragraph writes the paragraph that ends where it belongs: to the notes, into
// the open cell, onto the slide or into the text.
func (d *odf) paragraph() {
	n := len(d.words)
	if n == 0 {
		return
	}
	text, level := string(d.words[n-1]), d.levels[n-1]
	d.words, d.levels = d.words[:n-1], d.levels[:n-1]
	if d.inNote > 0 {
		d.notes = append(d.notes, text)
		return
	}
	if t := len(d.tables); t > 0 {
		d.tables[t-1].cell = append(append(d.tables[t-1].cell, text...), ' ')
		return
	}
	switch {
	case level > 0 && d.slide == nil:
		d.write(evidence.Heading, level, text)
	case d.lists > 0:
		d.write(evidence.ListItem, evidence.Nested{Depth: d.lists}.Level(), text)
	default:
		d.write(evidence.Paragraph, 0, text)
	}
}

// write puts a block onto the open slide or into the text.
func (d *odf) write(kind evidence.BlockKind, level int, text string) {
	if d.slide == nil {
		d.b.Add(evidence.Block{Kind: kind, Level: level}, text)
		return
	}
	class := ""
	if n := len(d.frames); n > 0 {
		class = d.frames[n-1]
	}
	text = format.Clean(text, kind == evidence.TableRow)
	switch {
	case class == "date-time" || class == "footer" || class == "header" || class == "page-number":
	case d.remarks:
		d.notes = append(d.notes, text)
	case class == "title":
		d.slide.Title = append(d.slide.Title, text)
	default:
		d.slide.put(SlideBlock{kind, level, text})
	}
}

func (d *odf) endSlide() {
	if d.slide == nil {
		return
	}
	remarks := &Slide{}
	for _, text := range d.notes {
		remarks.Put(evidence.Paragraph, text)
	}
	WriteSlide(d.b, d.b.Doc.Coverage.Pages, d.slide, remarks.Blocks, nil)
	d.slide, d.notes, d.frames = nil, nil, nil
}

// end writes what is still open and the notes.
func (d *odf) end() {
	d.endSlide()
	for _, text := range d.notes {
		d.b.Add(evidence.Block{Kind: evidence.Paragraph}, text)
	}
	d.notes = nil
}
