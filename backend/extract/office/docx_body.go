package office

import (
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// docx writes the body of a Word document as its elements pass by.
type docx struct {
	b      *format.Builder
	levels map[string]int // heading level by style id
	counts *numbering
	math   *formula // the open one

	words  [][]byte // of the open paragraphs: a text box stands inside another's
	style  []paragraphStyle
	inText int
	tables []tableState
}

type paragraphStyle struct {
	level int
	list  bool
	in    string // list that it is numbered in
	depth int    // level of that list
}

// tableState is an open table; only the outermost one's rows become blocks.
type tableState struct {
	cells []string
	cell  []byte
	span  int    // columns of the open cell
	state string // what stands for the open cell where it is one with the cell above
	heads bool   // the row is marked to stand at the top of each page
}

func (t *tableState) put(text string) { t.cell = append(append(t.cell, text...), ' ') }

func (d *docx) part(a *format.Archive, name string, lim format.Limits) error {
	d.words, d.style, d.tables, d.inText, d.math = nil, nil, nil, 0, nil
	return format.WalkWhole(a, name, lim, format.XMLWalk{Open: d.open, Text: d.text, Close: d.close})
}

func (d *docx) open(name string, attr format.XMLAttrs) (skip bool) {
	if d.math != nil {
		return d.math.open(name, attr)
	}
	switch name {
	case "oMath":
		d.math = newFormula()
	case "del", "moveFrom", "delText", "instrText", "Fallback", "rPr", "sectPr", "tblPr", "tcPrChange", "trPrChange":
		return true
	case "p":
		d.words = append(d.words, nil)
		d.style = append(d.style, paragraphStyle{})
	case "pStyle", "outlineLvl", "numPr", "ilvl", "numId":
		d.property(name, attr.Get("val"))
	case "t":
		d.inText++
	case "tab", "br", "cr", "ptab":
		d.put(" ")
	case "noBreakHyphen":
		d.put("-")
	case "sym":
		d.put(symbol(attr.Get("char")))
	case "tbl":
		d.tables = append(d.tables, tableState{})
	case "tr":
		if n := len(d.tables); n > 0 {
			d.tables[n-1].cells, d.tables[n-1].heads = nil, false
		}
	case "tc":
		if n := len(d.tables); n > 0 {
			t := &d.tables[n-1]
			t.cell, t.span, t.state = nil, 1, ""
		}
	case "gridBefore", "gridSpan", "vMerge", "tblHeader":
		if n := len(d.tables); n > 0 {
			d.tables[n-1].property(name, attr.Get("val"))
		}
	}
	return false
}

// property takes in where a cell stands or that its row is of heads.
func (t *tableState) property(name, val string) {
	switch {
	case name == "gridBefore":
		t.cells = append(t.cells, make([]string, min(wholeNumber(val), mostRepeats))...)
	case name == "gridSpan":
		t.span = min(max(1, wholeNumber(val)), mostRepeats)
	case name == "vMerge" && val != "restart":
		t.state = evidence.MergedUp
	case name == "tblHeader":
		t.heads = val == "" || val == "1" || val == "true" || val == "on"
	}
}

// endCell puts the open cell into its columns.
func (t *tableState) endCell() {
	text := string(t.cell)
	blank := strings.TrimSpace(text) == ""
	for range t.span {
		if blank && t.state != "" {
			text = t.state
		}
		t.cells = append(t.cells, text)
		if !blank {
			text = evidence.MergedLeft
		}
	}
}

func (d *docx) property(name, val string) {
	if len(d.style) == 0 {
		return
	}
	s := &d.style[len(d.style)-1]
	switch name {
	case "pStyle":
		s.level = d.levels[val]
		if s.level == 0 {
			s.level = namedLevel(val)
		}
		s.list = s.list || strings.Contains(strings.ToLower(val), "list")
		styled := d.counts.styled[val]
		s.in, s.depth = styled.list, styled.level
	case "outlineLvl":
		if n, err := strconv.Atoi(val); err == nil && n >= 0 && n < 6 {
			s.level = n + 1
		}
	case "numPr":
		s.list = true
	case "ilvl":
		s.depth = wholeNumber(val)
	case "numId":
		s.in = val
	}
}

func (d *docx) text(s string) {
	if d.math != nil {
		d.math.write(s)
	} else if d.inText > 0 {
		d.put(s)
	}
}

func (d *docx) put(s string) {
	if n := len(d.words); n > 0 {
		d.words[n-1] = append(d.words[n-1], s...)
	}
}

func (d *docx) close(name string) {
	if d.math != nil {
		if text, done := d.math.close(); done {
			d.math = nil
			d.put(text)
		}
		return
	}
	switch name {
	case "t":
		d.inText = max(0, d.inText-1)
	case "p":
		d.paragraph()
	case "tc":
		if n := len(d.tables); n > 0 {
			d.tables[n-1].endCell()
		}
	case "tr":
		d.row()
	case "tbl":
		d.tables = d.tables[:max(0, len(d.tables)-1)]
	}
}

// paragraph writes the paragraph that ends: as a block, or into the open cell.
func (d *docx) paragraph() {
	n := len(d.words)
	if n == 0 {
		return
	}
	text, style := string(d.words[n-1]), d.style[n-1]
	d.words, d.style = d.words[:n-1], d.style[:n-1]
	if label := d.counts.next(style.in, style.depth); label != "" && strings.TrimSpace(text) != "" {
		text = label + " " + text
	}
	if t := len(d.tables); t > 0 {
		d.tables[t-1].put(text)
		return
	}
	block := evidence.Block{Kind: evidence.Paragraph}
	switch {
	case style.level > 0:
		block.Kind, block.Level = evidence.Heading, style.level
	case style.list:
		block.Kind, block.Level = evidence.ListItem, evidence.Nested{Depth: style.depth + 1}.Level()
	}
	d.b.Add(block, text)
}

func (d *docx) row() {
	n := len(d.tables)
	if n == 0 {
		return
	}
	t := &d.tables[n-1]
	cells := t.cells
	t.cells = nil
	if n > 1 {
		d.tables[n-2].put(format.JoinCells(cells))
		return
	}
	block := evidence.Block{}
	if t.heads {
		block.Level = evidence.HeadRow
	}
	d.b.AddRow(block, cells)
}

// symbol is the character of a symbol element; private ones are left out.
func symbol(hex string) string {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || n >= 0xe000 && n <= 0xf8ff {
		return ""
	}
	return string(rune(n))
}
