package evidence

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

// forms draw a table as the formats that have tables give it: below the name of a
// sheet, on a slide, in a chapter.
var forms = map[string]func(d *draw, n int, rows []string){
	"sheet": func(d *draw, n int, rows []string) {
		d.add(Heading, 1, 0, 0, "\n\n", fmt.Sprintf("Costs %d", n))
		for i, row := range rows {
			d.add(TableRow, 0, 0, 0, gapBefore(i), row)
			d.blocks[len(d.blocks)-1].Cells = fmt.Sprintf("A%d:%c%d", i+1, 'A'+len(Cells(row))-1, i+1)
		}
	},
	"slide": func(d *draw, n int, rows []string) {
		d.add(Heading, 1, n, 0, "\n\n", fmt.Sprintf("Slide on %d", n))
		d.add(ListItem, 0, n, 0, "\n\n", "One point to make.")
		for i, row := range rows {
			d.add(TableRow, 0, n, 0, gapBefore(i), row)
		}
		for i := range d.blocks {
			d.blocks[i].Unit = Slides
		}
	},
	"chapter": func(d *draw, n int, rows []string) {
		d.add(Heading, 2, 0, 0, "\n\n", fmt.Sprintf("Chapter %d", n))
		d.add(Paragraph, 0, 0, 0, "\n\n", sentence(n, 40)+" "+sentence(n, 30))
		for i, row := range rows {
			d.add(TableRow, 0, 0, 0, gapBefore(i), row)
		}
		d.add(Paragraph, 0, 0, 0, "\n\n", sentence(n, 25))
	},
}

func gapBefore(row int) string {
	if row == 0 {
		return "\n\n"
	}
	return "\n"
}

// ledger is a table with heads of its own and this many rows.
func ledger(n, rows int) []string {
	out := []string{fmt.Sprintf("Item %d  Price  Pieces", n)}
	for i := range rows {
		out = append(out, fmt.Sprintf("Thing %d of %d, as ordered  %d.50 euro  %d", i+1, n, i*3+2, i+7))
	}
	return out
}

func TestTablesOfEveryFormStayWholeWithTheirHeads(t *testing.T) {
	for form, add := range forms {
		rng := rand.New(rand.NewSource(11))
		d := &draw{}
		var tables [][]string
		for n := range 40 {
			rows := ledger(n, 1+rng.Intn(60))
			tables = append(tables, rows)
			add(d, n+1, rows)
		}
		doc := d.doc()
		ps := Split(doc, SplitOptions{})
		checkPassages(t, doc, ps)
		for n, rows := range tables {
			whole, printed := strings.Join(rows, "\n"), 0
			for _, p := range ps {
				if strings.Contains(p.Text, whole) {
					printed++
				}
			}
			if short := utf8.RuneCountInString(whole) <= 700; short && printed != 1 {
				t.Errorf("%s: table %d of %d characters stands whole in %d passages", form, n, len(whole), printed)
			}
			for _, row := range rows {
				if !isLineOfOne(ps, row) {
					t.Errorf("%s: row %q is cut or doubled", form, row)
				}
			}
		}
	}
}

// isLineOfOne reports whether a row is a whole line of exactly one passage.
func isLineOfOne(ps []Passage, row string) bool {
	found := 0
	for _, p := range ps {
		for line := range strings.SplitSeq(p.Text, "\n") {
			if line == row {
				found++
			}
		}
	}
	return found == 1
}

func TestPassagesOfTablesSayWhereTheyStand(t *testing.T) {
	d := &draw{}
	for n := range 3 {
		forms["sheet"](d, n, ledger(n, 40))
	}
	for _, p := range Split(d.doc(), SplitOptions{}) {
		if !strings.HasPrefix(p.At.Heading, "Costs ") || !strings.HasPrefix(p.At.Place, "Sheet '"+p.At.Heading+"' A") {
			t.Errorf("a passage of a sheet stands at %+v", p.At)
		}
		if got := Prefix(Source{Kind: File, Address: "/x/Year 2026.xlsx"}, p.At); got != "Year 2026 > "+p.At.Heading {
			t.Errorf("its prefix is %q", got)
		}
	}
	d = &draw{}
	for n := range 30 {
		forms["slide"](d, n+1, ledger(n, 10))
	}
	for _, p := range Split(d.doc(), SplitOptions{}) {
		if want := fmt.Sprintf("Slide %d", p.At.Page); p.At.Place != want || !strings.HasPrefix(p.Text, "Slide on") {
			t.Errorf("a passage of %s stands at %+v", want, p.At)
		}
	}
}

func TestRowsOfEveryFormAreReadUnderTheirHeads(t *testing.T) {
	for form, add := range forms {
		d := &draw{}
		for n := range 5 {
			add(d, n+1, ledger(n, 12))
		}
		doc := d.doc()
		rows := Rows(doc)
		if len(rows) != 60 {
			t.Errorf("%s: %d rows", form, len(rows))
		}
		for _, row := range rows {
			if row.Label == "" || strings.Join(row.Heads, "|") != "Price|Pieces" || len(row.Values) != 2 || row.Heading == "" {
				t.Errorf("%s: %+v", form, row)
			}
			if got := string([]rune(doc.Text)[row.At.Start:row.At.End]); got != doc.Text[row.Start:row.End] {
				t.Errorf("%s: the row is %q and %q", form, got, doc.Text[row.Start:row.End])
			}
		}
	}
}

func TestATableThatFitsNowhereIsCutBetweenRows(t *testing.T) {
	d := (&draw{}).add(Paragraph, 0, 0, 0, "", sentence(1, 60))
	for i, row := range ledger(1, 300) {
		d.add(TableRow, 0, 0, 0, gapBefore(i), row)
	}
	ps := Split(d.doc(), SplitOptions{})
	if !strings.Contains(ps[0].Text, "Sentence 1") || !strings.Contains(ps[0].Text, "Thing 1 of 1,") {
		t.Errorf("the first passage is not filled: %q", ps[0].Text)
	}
}
