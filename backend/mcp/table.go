package mcp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/table"
)

const mostCells = 200 // of one call

// table asks files the same questions; no table is kept.
func (r Rooms) table(ctx context.Context, in input, tell func(Step)) (Reply, error) {
	if r.Cells == nil || r.Files == nil {
		return Reply{}, fault.New(fault.NotFound, "There are no files here.", "Use ask.")
	}
	files, err := r.Files(ctx, in.Files)
	if err != nil {
		return Reply{}, err
	}
	t := table.Table{Questions: in.Columns, Cells: []table.Cell{}}
	for _, f := range files {
		t.Files = append(t.Files, table.File{ID: f.ID, Path: f.Path})
	}
	if err := t.Check(); err != nil {
		return Reply{}, err
	}
	if len(t.Files)*len(t.Questions) > mostCells {
		return Reply{}, fault.New(fault.InvalidRequest, fmt.Sprintf("%d files and %d questions are more than %d cells.", len(t.Files), len(t.Questions), mostCells), "Call again for some of the files.")
	}
	for c := range t.Fill(ctx, r.Cells, r.Engine.Defaults()) {
		t.Cells = append(t.Cells, c)
		tell(Step{len(t.Cells), fmt.Sprintf("Asked %d of %d", len(t.Cells), len(t.Files)*len(t.Questions))})
	}
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	return structured(cellsText(t), t)
}

// cellsText is a table as a model reads it.
func cellsText(t table.Table) string {
	var b strings.Builder
	for _, c := range t.Cells {
		said := map[table.State]string{
			table.Found: harmless(c.Text, mostPassages), table.NotSure: "not sure: " + harmless(c.Text, mostPassages),
			table.Absent: "not in this file", table.Failed: "not read: " + c.Error,
		}[c.State]
		fmt.Fprintf(&b, "%s | %s | %s", filepath.Base(t.Files[c.Row].Path), t.Questions[c.Column], said)
		if c.Passage != "" {
			fmt.Fprintf(&b, " (footnote://source/%s#%s)", c.Source, c.Passage)
		}
		b.WriteString("\n")
	}
	return b.String()
}
