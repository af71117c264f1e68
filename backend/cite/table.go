package cite

import (
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// cell is a value of a table in a passage, with what names it.
type cell struct {
	table, row, column int
	label              title // of its row: the first cell, and the line that announces its section
	head               title // of its column
	numbers            []token
}

// title names a row or column.
type title struct {
	text    string
	content []token
}

const (
	clearlyNamed = 0.3 // share of its title by which a claim names another row or column more
	longestCell  = 60  // bytes of a cell that spaces alone set apart
)

// readTables finds the tables of a passage and marks the sentences that are lines
// of them.
func (c *Checker) readTables(p *Passage) {
	if !strings.ContainsAny(p.text, "|\t") && !strings.Contains(p.text, "  ") {
		return
	}
	doc := lined(p.text)
	for _, b := range doc.Blocks {
		if b.Kind != evidence.TableRow {
			continue
		}
		for j, at := range p.spans {
			p.sentences[j].row = p.sentences[j].row || at.Start < b.End && b.Start < at.End
		}
	}
	table, end := 0, 0
	for n, row := range evidence.Rows(doc) {
		if strings.Count(p.text[end:row.Start], "\n") > 2 {
			table++
		}
		end = row.End
		label := c.title(strings.TrimSpace(row.Section + " " + row.Label))
		for i, value := range row.Values {
			x := cell{table: table, row: n, column: i, label: label, numbers: c.numbersOf(value)}
			if row.Heads != nil {
				x.head = c.title(row.Heads[i])
			}
			if len(x.numbers) > 0 {
				p.cells = append(p.cells, x)
			}
		}
	}
}

// lined is a text as a document of lines, of which those with several cells are
// rows.
func lined(text string) evidence.Document {
	doc := evidence.Document{Text: text}
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		kind := evidence.Paragraph
		if hasCells(bare) {
			kind = evidence.TableRow
		}
		if bare != "" && !drawsTable(bare) {
			doc.Blocks = append(doc.Blocks, evidence.Block{Start: at, End: at + len(bare), Kind: kind})
		}
		at += len(line)
	}
	return doc
}

// drawsTable reports whether a line only draws the lines of a table.
func drawsTable(line string) bool {
	return strings.ContainsAny(line, "|+") && strings.Trim(line, "|+-=: \t") == ""
}

// hasCells reports whether a line is a row of a table. Two spaces alone may be
// those after a full stop.
func hasCells(line string) bool {
	cells := evidence.Cells(line)
	if len(cells) < 2 {
		return false
	}
	return strings.ContainsAny(line, "|\t") || !slices.ContainsFunc(cells, func(c string) bool {
		return len(c) > longestCell || strings.HasSuffix(c, ".")
	})
}

func (c *Checker) title(text string) title {
	s := c.read(normalise(text))
	t := title{text: text}
	for _, i := range s.content {
		t.content = append(t.content, s.tokens[i])
	}
	return t
}

func (c *Checker) numbersOf(text string) []token {
	s := c.read(normalise(text))
	return slices.DeleteFunc(s.tokens, func(t token) bool { return !t.number() })
}

// named is the part of a title that the claim says, by weight; 0 for none.
func (p *pair) named(t title) float64 {
	var got, all float64
	for i := range t.content {
		w := &t.content[i]
		all += w.weight
		got += w.weight * matchIn(w, &p.claim)
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// otherCell tells where a table of the passage has number i of the claim. why is
// the title of its row or column when the claim names another one instead; met
// is true when it names none that is not the number's own.
func (p *pair) otherCell(i int) (why string, met bool) {
	t := &p.claim.tokens[i]
	for _, x := range p.cells {
		if !slices.ContainsFunc(x.numbers, func(n token) bool { return numEq(t, &n) > 0 }) {
			continue
		}
		other := p.namedInstead(x)
		if other == "" {
			return "", true
		}
		why = other
	}
	return why, false
}

// namedInstead is the title of a cell's row or column where the claim names
// another row or column of the table rather; else empty.
func (p *pair) namedInstead(x cell) string {
	row, column := p.named(x.label)+clearlyNamed, p.named(x.head)+clearlyNamed
	for _, o := range p.cells {
		switch {
		case o.table != x.table:
		case o.row != x.row && o.column == x.column && p.named(o.label) > row:
			return x.label.text
		case o.row == x.row && o.column != x.column && p.named(o.head) > column:
			return x.head.text
		}
	}
	return ""
}
