package markup

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

func TestWrappedLinesFlowAndOthersDoNot(t *testing.T) {
	doc := extractString(t, "letter.txt", `A letter
========

This paragraph was wrapped at a width of sixty characters, as
many mails and manuals are, so its lines belong together and
make one.

Name: Ada
City: London

- first item
- second item
`)
	formattest.WantOutline(t, doc, `
heading1@1 A letter
paragraph0@4 This paragraph was wrapped at a width of sixty characters, as
paragraph0@5 many mails and manuals are, so its lines belong together and
paragraph0@6 make one.
paragraph0@8 Name: Ada
paragraph0@9 City: London
list0@11 - first item
list0@12 - second item
`)
	if !strings.Contains(doc.Text, "characters, as many mails") || !strings.Contains(doc.Text, "Ada\nCity") {
		t.Errorf("line ends: %q", doc.Text)
	}
}

func TestTextOfAnyCharset(t *testing.T) {
	russian := strings.Repeat("Съешь же ещё этих мягких французских булок, да выпей чаю. ", 5)
	for name, c := range map[string]struct {
		e    encoding.Encoding
		text string
	}{
		"utf-16le":     {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Grüße, 世界 and words"},
		"utf-16be":     {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "Grüße, 世界 and words"},
		"utf-16 bare":  {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "Latin text without a mark at all"},
		"utf-8 mark":   {unicode.UTF8BOM, "Grüße"},
		"windows-1252": {charmap.Windows1252, "Café – “déjà vu” à Zürich, naïve fiancée"},
		"latin-1":      {charmap.ISO8859_1, "Caf\u00e9 d\u00e9j\u00e0 vu, gar\u00e7on"},
		"windows-1251": {charmap.Windows1251, russian},
		"koi8-r":       {charmap.KOI8R, russian},
		"shift-jis":    {japanese.ShiftJIS, strings.Repeat("これは日本語の文章です。", 8)},
	} {
		data, err := c.e.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := extractString(t, "a.txt", data).Text; got != strings.TrimSpace(c.text) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if got := format.ToUTF8([]byte("plainly \xff broken \xfe but r\xc3\xa9adable caf\xc3\xa9 na\xc3\xafve \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9 \xc3\xa9t\xc3\xa9"), ""); !strings.Contains(got, "réadable") {
		t.Errorf("broken UTF-8: %q", got)
	}
}

func TestInvisibleCharactersAreDropped(t *testing.T) {
	doc := extractString(t, "a.txt", "vis\u200bible\u202e \U000e0041\U000e0042text\u00ad \x07 end\u00a0here")
	if doc.Text != "visible text end here" {
		t.Errorf("got %q", doc.Text)
	}
}

func TestTablesKeepRowsAndLines(t *testing.T) {
	doc := extractString(t, "sales.csv", "Year,Sales\n2021,\"1,234\"\n2022,\n\"a\nb\",5\n")
	formattest.WantOutline(t, doc, "\nrow0@1 Year  Sales\nrow0@2 2021  1,234\nrow0@3 2022\nrow0@4 a b  5\n")
	if doc := extractString(t, "sales.csv", "Jahr;Umsatz\n2021;1,5\n"); !strings.Contains(doc.Text, "2021  1,5") {
		t.Errorf("semicolons: %q", doc.Text)
	}
	if doc := extractString(t, "sales.tsv", "a\tb, c\n"); doc.Text != "a  b, c" {
		t.Errorf("tabs: %q", doc.Text)
	}
}

func TestEveryPassageOfATableHasItsColumnNames(t *testing.T) {
	rows := "Station,Opened,Platforms\n"
	for i := range 300 {
		rows += fmt.Sprintf("Station %d,%d,%d\n", i, 1900+i%100, i%9)
	}
	passages := evidence.Split(extractString(t, "stations.csv", rows), evidence.SplitOptions{})
	if len(passages) < 5 {
		t.Fatalf("%d passages", len(passages))
	}
	for i, p := range passages {
		said := p.At.Heading + p.Text
		for _, name := range []string{"Station", "Opened", "Platforms"} {
			if !strings.Contains(said, name) {
				t.Errorf("passage %d lacks %s: %q under %q", i, name, p.Text[:40], p.At.Heading)
			}
		}
	}
	for _, p := range evidence.Split(extractString(t, "figures.csv", strings.Repeat("12,13.5,400\n", 400)), evidence.SplitOptions{}) {
		if p.At.Heading != "" {
			t.Errorf("figures taken for names: %q", p.At.Heading)
		}
	}
}

func TestCodeKeepsItsLines(t *testing.T) {
	source := "package main\n\n\tfunc f() {}\n"
	for i := range 300 {
		source += fmt.Sprintf("// line %d\n", i)
	}
	doc := extractString(t, "main.go", source)
	if len(doc.Blocks) != 4 || doc.Blocks[1].Line != 101 || !strings.Contains(doc.Text, "\n    func f() {}\n") {
		t.Errorf("%d blocks, second at %d: %q", len(doc.Blocks), doc.Blocks[1].Line, doc.Text[:60])
	}
	for _, p := range evidence.Split(doc, evidence.SplitOptions{}) {
		want := 1 + strings.Count(doc.Text[:strings.Index(doc.Text, p.Text)], "\n")
		if p.At.Line != want {
			t.Errorf("passage %d on line %d, want %d", p.Index, p.At.Line, want)
		}
	}
}

func TestSubtitlesAreWhatIsSaid(t *testing.T) {
	doc := extractString(t, "film.srt", "1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i> there.\n\n2\n00:00:03,000 --> 00:00:04,000\nGeneral.\n")
	if doc.Text != "Hello there. General." || doc.Blocks[1].Line != 7 {
		t.Errorf("got %q, %+v", doc.Text, doc.Blocks)
	}
}

func TestNotebookCells(t *testing.T) {
	doc := extractString(t, "a.ipynb", `{"cells":[{"cell_type":"markdown","source":["# Study\n","Some *words*."]},
		{"cell_type":"code","source":"print(1)","outputs":[{"text":["1\n"]},{"data":{"image/png":"AAAA"}}]}]}`)
	formattest.WantOutline(t, doc, "\nheading1@0 Study\nparagraph0@0 Some words.\ncode0@0 print(1)\ncode0@0 1\n")
	if code := extractCode("b.ipynb", []byte(`{"cells":`), format.DefaultLimits()); code != format.Malformed {
		t.Errorf("broken notebook: %s", code)
	}
}

func TestLongTextIsReadInPart(t *testing.T) {
	lim := format.DefaultLimits()
	lim.Text = 1000
	b := format.NewBuilder(lim.Output)
	if err := ReadPlain(t.Context(), b, "a.txt", []byte(strings.Repeat("word ", 1000)), lim); err != nil {
		t.Fatal(err)
	}
	doc := b.Document()
	if !doc.Coverage.Truncated || doc.Coverage.Reason == "" || len(doc.Text) > 1000 || doc.Flags[0] != "partly-read" {
		t.Errorf("%+v, %d bytes", doc.Coverage, len(doc.Text))
	}
	lim = format.DefaultLimits()
	lim.Output = 100
	doc, err := format.Read(t.Context(), ReadPlain, format.File{Name: "a.txt", Data: []byte(strings.Repeat("wörd\n\n", 100))}, lim, format.Host{})
	if err != nil || len(doc.Text) > 100 || !doc.Coverage.Truncated {
		t.Errorf("%v, %d bytes", err, len(doc.Text))
	}
}

func FuzzExtractText(f *testing.F) {
	for _, seed := range []string{"words\n\nmore", "\xff\xfea\x00", "a,b\n\"c", "Head\n====\n- x\n  y"} {
		f.Add([]byte(seed))
	}
	formattest.FuzzReaders(f, ReadPlain, ReadTable, ReadCode, ReadXML, ReadSubtitles, ReadNotebook)
}

func TestWordsDividedAtTheEndOfALineAreWhole(t *testing.T) {
	text := "The WATCH_INTERVAL envi\u2010\n  ronment can be used by pro\u2010\n  grams of the Link\u2010\n  Gruppe.\n"
	if got := extractString(t, "watch.txt", text).Text; !strings.Contains(got, "environment can be used by programs of the Link\u2010") {
		t.Errorf("%q", got)
	}
}
