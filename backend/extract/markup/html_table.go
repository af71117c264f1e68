package markup

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// htmlTable is an open table: how many rows more the cells above reach down in each
// column.
type htmlTable struct {
	node  *html.Node
	down  format.Reach
	pairs bool // rows of a thing and what is said of it, without heads
}

// row writes a row of a table. A head stands in cells of heads alone.
func (w *htmlWriter) row(tr *html.Node) {
	if table := above(tr, atom.Table); table != w.table.node {
		pairs, known := w.pairs[table]
		if !known { // rows may stand between tables inside it: it is looked through once
			pairs = isPairs(table)
			w.pairs[table] = pairs
		}
		w.table = htmlTable{node: table, pairs: pairs}
	}
	heads, labelled := true, w.table.pairs || isLabelled(tr)
	w.table.down.Begin()
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && !hidden(c.Attr) {
			text := textOfNode(c)
			w.table.down.Cell(text, spanOf(c, "colspan"), spanOf(c, "rowspan"))
			heads = heads && (c.DataAtom == atom.Th || strings.TrimSpace(text) == "")
		}
	}
	block := evidence.Block{Page: w.page}
	switch {
	case heads || above(tr, atom.Thead) != nil:
		block.Level = evidence.HeadRow
	case labelled:
		block.Level = evidence.LabelledRow
	}
	w.b.AddRow(block, w.table.down.Row())
}

// isLabelled reports whether the first cell of a row is marked as its head, and no
// other cell is.
func isLabelled(tr *html.Node) bool {
	cells := cellsOf(tr)
	return len(cells) > 1 && cells[0].DataAtom == atom.Th && !slices.ContainsFunc(cells[1:], func(c *html.Node) bool { return c.DataAtom == atom.Th })
}

// isPairs reports whether a table has two columns, no heads and no figures: keys and
// what they do, settings and what they mean. Its first row is one like the others.
func isPairs(table *html.Node) bool {
	if table == nil {
		return false
	}
	rows := 0
	var only func(*html.Node) bool
	only = func(n *html.Node) bool {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table, atom.Thead, atom.Th:
				return false
			case atom.Tr:
				cells := cellsOf(c)
				rows++
				if len(cells) != 2 || evidence.IsFigure(strings.TrimSpace(textOfNode(cells[1]))) {
					return false
				}
			}
			if !only(c) {
				return false
			}
		}
		return true
	}
	return only(table) && rows > 1
}

func cellsOf(tr *html.Node) (cells []*html.Node) {
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells = append(cells, c)
		}
	}
	return cells
}

// above is the nearest element a around n within its table; nil for none.
func above(n *html.Node, a atom.Atom) *html.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.DataAtom == a {
			return n
		}
		if n.DataAtom == atom.Table {
			return nil
		}
	}
	return nil
}

// spanOf is how many columns or rows a cell reaches over.
func spanOf(cell *html.Node, name string) int {
	for _, a := range cell.Attr {
		if a.Key == name {
			if n, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil {
				return n
			}
		}
	}
	return 1
}
