package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/table"
)

func TestATableAsksEachFileAlone(t *testing.T) {
	d := sit(t)
	d.write("mill.md", "# The mill\n\nThe mill at Harrow grinds oats. Its wheel has twelve paddles.\n")
	got := d.run("table", "--json", "bridge.md", "mill.md", "--ask", opened, "--ask", "How many paddles has the wheel of the mill?")
	var made table.Table
	if err := json.Unmarshal([]byte(got.out), &made); err != nil || got.code != 0 || len(made.Files) != 2 || len(made.Cells) != 4 {
		t.Fatalf("%v %+v", err, got)
	}
	for i, c := range made.Cells {
		if c.Row != i/2 || c.Column != i%2 || c.State == table.Failed {
			t.Errorf("cell %d: %+v", i, c)
		}
		if (c.Passage == "") != (c.State == table.Absent) {
			t.Errorf("a cell without its passage: %+v", c)
		}
	}
	if first := made.Cells[0]; first.State == table.Absent || !strings.Contains(first.Quote, "3 May 1932") || !strings.Contains(first.Text, "1932") {
		t.Errorf("%+v", first)
	}
	if made.Cells[1].State == table.Found || made.Cells[2].State == table.Found {
		t.Errorf("an answer of another file: %+v", made.Cells)
	}
	d.opensAll(made)
	if threads := d.run("threads"); strings.Contains(threads.out, "thr_") {
		t.Errorf("cells are conversations: %s", threads.out)
	}
}

// opensAll looks up the passage of every cell where a link leads.
func (d *desk) opensAll(made table.Table) {
	d.t.Helper()
	h, err := d.open(d.t.Context(), command.Flags{Data: d.data})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, c := range made.Cells {
		if c.Passage == "" {
			continue
		}
		passage, source, err := h.DB.Passage(d.t.Context(), c.Passage)
		if err != nil || source.Address != made.Files[c.Row].Path || !strings.Contains(passage.Text, c.Quote) {
			d.t.Errorf("%v: %q of %s does not hold %+v", err, passage.Text, source.Address, c)
		}
		if _, err := h.DB.Source(d.t.Context(), c.Source); err != nil {
			d.t.Errorf("the source of %+v: %v", c, err)
		}
	}
	if err := h.Close(d.t.Context()); err != nil {
		d.t.Error(err)
	}
}

func TestATableIsWrittenWithLinks(t *testing.T) {
	d := sit(t)
	got := d.run("table", "bridge.md", "--ask", opened, "--csv", "out.csv", "--xlsx", "out.xlsx")
	if got.code != 0 {
		t.Fatalf("%+v", got)
	}
	written, err := os.ReadFile(filepath.Join(d.dir, "out.csv"))
	if err != nil || !strings.Contains(string(written), "footnote://source/") || !strings.Contains(string(written), "1932") {
		t.Errorf("%v %s", err, written)
	}
	again := d.run("table", "bridge.md", "--ask", opened, "--csv", "out.csv")
	if again.code == 0 {
		t.Error("a file was overwritten")
	}
	if none := d.run("table", "bridge.md"); none.code != 2 || !strings.Contains(none.errs, "--ask") {
		t.Errorf("%+v", none)
	}
}
