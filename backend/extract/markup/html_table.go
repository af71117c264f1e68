package markup

import (
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
	node *html.Node
	down format.Reach
}

// row writes a row of a table. A head stands in cells of heads alone.
func (w *htmlWriter) row(tr *html.Node) {
	if table := above(tr, atom.Table); table != w.table.node {
		w.table = htmlTable{node: table}
	}
	heads := true
	w.table.down.Begin()
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && !hidden(c.Attr) {
			text := textOfNode(c)
			w.table.down.Cell(text, spanOf(c, "colspan"), spanOf(c, "rowspan"))
			heads = heads && (c.DataAtom == atom.Th || strings.TrimSpace(text) == "")
		}
	}
	block := evidence.Block{Page: w.page}
	if heads || above(tr, atom.Thead) != nil {
		block.Level = evidence.HeadRow
	}
	w.b.AddRow(block, w.table.down.Row())
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
