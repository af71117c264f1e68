package evidence

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// printed makes a document of lines: "# " opens a heading, "> " a paragraph,
// everything else is a row; "--" turns the page. Rows follow each other line by
// line, as extraction writes them; "" leaves one blank.
func printed(lines ...string) Document {
	var d Document
	page, gap := 1, "\n\n"
	for _, line := range lines {
		kind, level := TableRow, 0
		switch {
		case line == "--":
			page++
			continue
		case line == "":
			gap = "\n\n"
			continue
		case strings.HasPrefix(line, "# "):
			kind, level, line = Heading, 1, line[2:]
		case strings.HasPrefix(line, "> "):
			kind, line = Paragraph, line[2:]
		}
		if kind != TableRow {
			gap = "\n\n"
		}
		if len(d.Blocks) > 0 {
			d.Text += gap
		}
		gap = "\n\n"
		if kind == TableRow {
			gap = "\n"
		}
		start := len(d.Text)
		d.Text += line
		d.Blocks = append(d.Blocks, Block{Start: start, End: start + len(line), Kind: kind, Level: level, Page: page})
	}
	return d
}

// told is a row in one line: section, label, values under heads.
func told(rows []Row) []string {
	out := []string{}
	for _, r := range rows {
		s := r.Section + "|" + r.Label
		for i, v := range r.Values {
			s += "|"
			if r.Heads != nil {
				s += r.Heads[i] + "="
			}
			s += v
		}
		out = append(out, s)
	}
	return out
}

func TestRowsAreReadWithTheirHeadsAndSections(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"two columns": {
			[]string{"# Tickets", "Ticket  Price", "Adult  9.50 euro", "Family, two adults  22.00 euro"},
			[]string{"|Adult|Price=9.50 euro", "|Family, two adults|Price=22.00 euro"},
		},
		"two tables": {
			[]string{"Ticket  Price", "Adult  9.50 euro", "", "Boat  Seats", "Marigold  24", "> Fares:", "Return  14 euro"},
			[]string{"|Adult|Price=9.50 euro", "|Marigold|Seats=24", "Fares|Return|Seats=14 euro"},
		},
		"bars": {
			[]string{"| Year | Toll |", "| 1990 | 2 crowns |"},
			[]string{"|1990|Toll=2 crowns"},
		},
		"text only": {
			[]string{"Duty  Who  Training", "Stair  Ann  first aid", "Boat  Piet  a day"},
			[]string{"|Stair|Who=Ann|Training=first aid", "|Boat|Who=Piet|Training=a day"},
		},
		"spanning heads, sections and totals": {
			[]string{
				"Three Months Ended  Nine Months Ended", "July 1, 2023  June 25, 2022  July 1, 2023  June 25, 2022",
				"> Net sales:", "Products  $60,584  $63,355  $230,901  $245,241", "Total net sales  1  2  3  4", "Gross margin  (5)  —  7 %  8",
			},
			[]string{
				"Net sales|Products|Three Months Ended July 1, 2023=$60,584|Three Months Ended June 25, 2022=$63,355|Nine Months Ended July 1, 2023=$230,901|Nine Months Ended June 25, 2022=$245,241",
				"Net sales|Total net sales|Three Months Ended July 1, 2023=1|Three Months Ended June 25, 2022=2|Nine Months Ended July 1, 2023=3|Nine Months Ended June 25, 2022=4",
				"|Gross margin|Three Months Ended July 1, 2023=(5)|Three Months Ended June 25, 2022=—|Nine Months Ended July 1, 2023=7 %|Nine Months Ended June 25, 2022=8",
			},
		},
		"years as heads, columns that touch": {
			[]string{"2023  2022  Change  2023", "Mac  $7  $8  2 % $9"},
			[]string{"|Mac|2023=$7|2022=$8|Change=2 %|2023=$9"},
		},
		"heads go on over a page, and change there": {
			[]string{"Part  2005  2025", "Lean  14  15", "--", "Wear  11  13", "--", "Site  Depth", "North  3"},
			[]string{"|Lean|2005=14|2025=15", "|Wear|2005=11|2025=13", "|North|Depth=3"},
		},
		"a cell is missing: no guess": {
			[]string{"Part  2005  2025  Limit", "Lean  14  40"},
			[]string{"|Lean|14|40"},
		},
		"a paragraph ends the table": {
			[]string{"Part  Depth", "North  3", "> A long story begins here and has no colon.", "South  4"},
			[]string{"|North|Depth=3", "|South|4"},
		},
		"dates as labels": {
			[]string{"date  closed from", "2026-05-02  05:10"},
			[]string{"|2026-05-02|closed from=05:10"},
		},
		"parts of heads are no rows": {
			[]string{"Total Number  Average", "of Shares  Price", "Purchased  Paid", "April  3  4", "May  5  6"},
			[]string{"|April|3|4", "|May|5|6"},
		},
		"one cell":  {[]string{"alone"}, []string{}},
		"no tables": {[]string{"# A", "> b"}, []string{}},
	} {
		if got := told(Rows(printed(c.lines...))); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestARowKnowsItsPlace(t *testing.T) {
	d := printed("# Tower", "Part  Depth", "North  3")
	rows := Rows(d)
	if len(rows) != 1 || d.Text[rows[0].Start:rows[0].End] != "North  3" || rows[0].Heading != "Tower" {
		t.Errorf("%+v", rows)
	}
	d = printed("> Ä long day — indeed.", "Part  Depth", "Nörd  3")
	rows = Rows(d)
	if at := rows[0].At; string([]rune(d.Text)[at.Start:at.End]) != "Nörd  3" {
		t.Errorf("code points %+v", at)
	}
	d.Blocks = append(d.Blocks, Block{Start: -1, End: 3, Kind: TableRow}, Block{Start: 5, End: 1 << 20, Kind: TableRow})
	if got := Rows(d); len(got) != 1 {
		t.Errorf("blocks out of the text gave rows: %+v", got)
	}
}

// FuzzRows: rows of any text lie in it, in order, with a head for each value or none.
func FuzzRows(f *testing.F) {
	f.Add("Ticket  Price\nAdult  9.50 euro\n> Net sales:\nA  1  2")
	f.Add("a\tb\n| | |\n$  €\n2 % $3")
	f.Fuzz(func(t *testing.T, text string) {
		d := printed(strings.Split(text, "\n")...)
		end := 0
		for _, r := range Rows(d) {
			if r.Start < end || r.End > len(d.Text) || r.Heads != nil && len(r.Heads) != len(r.Values) || len(r.Values) == 0 {
				t.Fatalf("%+v after %d in %q", r, end, d.Text)
			}
			end = r.End
		}
	})
}

func TestRowsOfKnownColumns(t *testing.T) {
	var doc Document
	for _, line := range []string{"Year,Title,Role,Notes", "1987,Frog,Kathy,Television movie", "1988,Platinum Blonde,,Short film", "1999,Any Given Sunday,Mandy Murphy,", "2001,Out of These Rooms,,"} {
		cells := strings.Split(line, ",")
		if doc.Text != "" {
			doc.Text += "\n"
		}
		start := len(doc.Text)
		doc.Text += strings.Join(slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return c == "" }), "  ")
		doc.Blocks = append(doc.Blocks, Block{Start: start, End: len(doc.Text), Kind: TableRow, Level: ColumnBits(cells)})
	}
	var got []string
	for _, r := range Rows(doc) {
		got = append(got, r.Label+": "+strings.Join(r.Heads, ",")+" "+strings.Join(r.Values, ","))
	}
	want := []string{"Frog: Year,Role,Notes 1987,Kathy,Television movie", "Platinum Blonde: Year,Notes 1988,Short film", "Any Given Sunday: Year,Role 1999,Mandy Murphy", "Out of These Rooms: Year 2001"}
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%s", strings.Join(got, "\n"))
	}
	if ColumnBits([]string{"one", ""}) != 1 || ColumnBits(make([]string, 80)) != 0 || ColumnBits([]string{"a", "", "b"}) != 5 {
		t.Error("bits of columns are wrong")
	}
}

// BenchmarkRows reads a text of long paragraphs with a table in a hundred of them.
func BenchmarkRows(b *testing.B) {
	d := &draw{}
	for i := range 2000 {
		d.add(Paragraph, 0, i/20, 0, "\n\n", sentence(i, 30)+" "+sentence(i, 60))
		if i%100 == 0 {
			for k, row := range ledger(i, 5) {
				d.add(TableRow, 0, i/20, 0, gapBefore(k), row)
			}
		}
	}
	doc := d.doc()
	b.SetBytes(int64(len(doc.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Rows(doc)
	}
}

func TestOnlyAShortLineSaysWhatATableShows(t *testing.T) {
	long := strings.Repeat("a line that goes on ", 6)
	for text, want := range map[string]bool{
		"": false, "Table 3: sales": true, "Sales in thousands": true, "(" + long + "in thousands)": true, long + "in thousands": false,
		strings.Repeat(long, 8) + "in thousands": false, strings.Repeat("塔", 70) + " in thousands": false, strings.Repeat("塔", 60) + " in thousands": true,
	} {
		if got := Captions(text); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}
