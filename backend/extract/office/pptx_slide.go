package office

import (
	"cmp"
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

func slideName(number int) string { return "Slide " + strconv.Itoa(number) }

// Slide gathers what a slide, its notes or a diagram says.
type Slide struct {
	Notes    bool // of the notes only the body counts
	bullets  bool // paragraphs are list items unless said otherwise
	Title    []string
	Blocks   []SlideBlock
	Pictures bool

	shapes []slideShape // open ones
	cells  []string     // of the open row
	cell   []string     // paragraphs of the open cell
	merged string       // what stands for the open cell where another covers it
	table  int
	words  strings.Builder
	plain  bool // the open paragraph has no bullet
	bullet bool // the open paragraph has one
	inText int
	math   *formula // the open one

	authors map[string]string // of comments, by id
	said    string            // who said the next text, and when
}

// slideShape is an open shape: its placeholder's type, "-" when it has none.
type slideShape struct{ holder string }

func (s *Slide) read(a *format.Archive, part string, lim format.Limits) error {
	return format.WalkWhole(a, part, lim, format.XMLWalk{Open: s.open, Text: s.text, Close: s.close})
}

func (s *Slide) open(name string, attr format.XMLAttrs) (skip bool) {
	if s.math != nil {
		return s.math.open(name, attr)
	}
	switch name {
	case "oMath":
		s.math = newFormula()
	case "Fallback", "extLst", "style", "spPr":
		return true
	case "sp":
		s.shapes = append(s.shapes, slideShape{holder: "-"})
	case "ph":
		if n := len(s.shapes); n > 0 {
			s.shapes[n-1].holder = attr.Get("type")
		}
	case "pic":
		s.Pictures = true
	case "tbl":
		s.table++
	case "tr":
		s.cells = nil
	case "tc":
		s.cell, s.merged = nil, mergedInto(attr)
	case "p":
		s.words.Reset()
		s.plain, s.bullet = false, false
	case "buNone":
		s.plain = true
	case "buChar", "buAutoNum", "buBlip":
		s.bullet = true
	case "t":
		s.inText++
	case "cm":
		s.said = SaidBy(s.authors[attr.Get("authorId")], cmp.Or(attr.Get("dt"), attr.Get("created")))
	case "text": // of a comment
		s.inText++
		s.words.Reset()
	case "br", "tab":
		s.words.WriteByte(' ')
	}
	return false
}

func (s *Slide) text(text string) {
	if s.math != nil {
		s.math.write(text)
	} else if s.inText > 0 {
		s.words.WriteString(text)
	}
}

func (s *Slide) close(name string) {
	if s.math != nil {
		if text, done := s.math.close(); done {
			s.math = nil
			s.words.WriteString(text)
		}
		return
	}
	switch name {
	case "sp":
		s.shapes = s.shapes[:max(0, len(s.shapes)-1)]
	case "t":
		s.inText = max(0, s.inText-1)
	case "text":
		s.inText = max(0, s.inText-1)
		s.Put(evidence.Paragraph, format.Clean(s.words.String(), false))
		s.words.Reset()
	case "p":
		s.paragraph(format.Clean(s.words.String(), false))
		s.words.Reset()
	case "tc":
		s.cells = append(s.cells, cmp.Or(s.merged, strings.Join(s.cell, " ")))
	case "tr":
		s.PutRow(s.cells)
	case "tbl":
		s.table = max(0, s.table-1)
	}
}

// mergedInto tells where the cell is that a covered cell belongs to.
func mergedInto(attr format.XMLAttrs) string {
	switch {
	case attr.Get("hMerge") == "1" || attr.Get("hMerge") == "true":
		return evidence.MergedLeft
	case attr.Get("vMerge") == "1" || attr.Get("vMerge") == "true":
		return evidence.MergedUp
	}
	return ""
}

// paragraph takes in a paragraph by the role of its shape.
func (s *Slide) paragraph(text string) {
	if s.table > 0 {
		s.cell = append(s.cell, text)
		return
	}
	holder := ""
	if n := len(s.shapes); n > 0 {
		holder = s.shapes[n-1].holder
	}
	switch {
	case holder == "ftr" || holder == "dt" || holder == "sldNum" || holder == "hdr" || holder == "sldImg":
	case s.Notes && holder != "body":
	case !s.Notes && (holder == "title" || holder == "ctrTitle"):
		if text != "" {
			s.Title = append(s.Title, text)
		}
	case s.bullet || !s.plain && !s.Notes && (s.bullets || holder == "" && len(s.shapes) > 0 || holder == "body" || holder == "obj"):
		s.Put(evidence.ListItem, text)
	default:
		s.Put(evidence.Paragraph, text)
	}
}

// SaidBy names who commented on what day, as far as that is known.
func SaidBy(author, moment string) string {
	if day, _, timed := strings.Cut(moment, "T"); timed && len(day) == len("2024-01-01") {
		author = strings.TrimPrefix(author+", "+day, ", ")
	}
	if author == "" {
		return ""
	}
	return author + ": "
}

// commentAuthors are the names of those who commented, by id.
func commentAuthors(a *format.Archive, lim format.Limits) map[string]string {
	authors := map[string]string{}
	for _, part := range []string{"ppt/commentAuthors.xml", "ppt/authors.xml"} {
		format.WalkPart(a, part, lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
			if name == "cmAuthor" || name == "author" {
				authors[attr.Get("id")] = format.Clean(attr.Get("name"), false)
			}
			return false
		}})
	}
	return authors
}

// Put adds a block.
func (s *Slide) Put(kind evidence.BlockKind, text string) {
	s.put(SlideBlock{kind: kind, text: text})
}

// PutRow adds a row of a table, given by column.
func (s *Slide) PutRow(cells []string) { s.put(rowBlock(cells)) }

func (s *Slide) put(block SlideBlock) {
	if block.text != "" {
		block.text, s.said = s.said+block.text, ""
		s.Blocks = append(s.Blocks, block)
	}
}

func rowBlock(cells []string) SlideBlock {
	return SlideBlock{evidence.TableRow, evidence.ColumnBits(cells), format.JoinCells(cells)}
}

// chart gathers what a chart shows: its titles and its series, from the values
// kept beside the formulas.
type chart struct {
	titles     []string
	series     []chartSeries
	words      strings.Builder
	part       string // "tx", "cat" or "val" of the open series
	inText     int
	inValue    bool
	categories []string
}

type chartSeries struct {
	name   string
	values []string
}

// readChart gives a chart as a table: categories down, series across. What is
// damaged in it is as good as missing.
func readChart(a *format.Archive, part string, lim format.Limits) []SlideBlock {
	c := &chart{}
	format.WalkPart(a, part, lim, format.XMLWalk{Open: c.open, Text: c.text, Close: c.close})
	var out []SlideBlock
	for _, t := range c.titles {
		out = append(out, SlideBlock{kind: evidence.Paragraph, text: t})
	}
	head := []string{""} // above the categories
	for _, s := range c.series {
		head = append(head, s.name)
	}
	if row := rowBlock(head); row.text != "" {
		row.level |= evidence.HeadRow
		out = append(out, row)
	}
	for i, name := range c.categories {
		cells := []string{name}
		for _, s := range c.series {
			if i < len(s.values) {
				cells = append(cells, s.values[i])
			}
		}
		if row := rowBlock(cells); row.text != "" {
			out = append(out, row)
		}
	}
	return out
}

func (c *chart) open(name string, _ format.XMLAttrs) (skip bool) {
	switch name {
	case "Fallback", "extLst", "externalData", "txPr", "spPr":
		return true
	case "ser":
		c.series = append(c.series, chartSeries{})
	case "tx", "cat", "val", "xVal", "yVal":
		c.part = name
	case "p":
		c.words.Reset()
	case "t":
		c.inText++
	case "v":
		c.inValue = true
		c.words.Reset()
	}
	return false
}

func (c *chart) text(text string) {
	if c.inText > 0 || c.inValue {
		c.words.WriteString(text)
	}
}

func (c *chart) close(name string) {
	switch name {
	case "t":
		c.inText = max(0, c.inText-1)
	case "p":
		if text := format.Clean(c.words.String(), false); text != "" {
			c.titles = append(c.titles, text)
		}
		c.words.Reset()
	case "v":
		c.inValue = false
		c.value(format.Clean(c.words.String(), false))
		c.words.Reset()
	case "tx", "cat", "val", "xVal", "yVal":
		c.part = ""
	}
}

// value takes in a kept value by the part of the series it stands in. All series
// share the categories of the first.
func (c *chart) value(text string) {
	n := len(c.series)
	if n == 0 {
		return
	}
	s := &c.series[n-1]
	switch c.part {
	case "tx":
		s.name = text
	case "cat", "xVal":
		if n == 1 {
			c.categories = append(c.categories, text)
		}
	case "val", "yVal":
		s.values = append(s.values, plainNumber(text))
	}
}

// plainNumber is a stored number as people write it: without the noise of its binary
// form.
func plainNumber(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, ".eE") {
		return text
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
