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

// Wide letters take two columns, and their lines are joined without a blank.
func TestWrappedLinesOfWideLettersFlow(t *testing.T) {
	doc := extractString(t, "guide.ja.txt", `港の案内所は毎日朝八時に開き、夕方の六時に閉まりますが、冬の間は昼
の十二時から一時まで休みます。係員は旗の色で船に合図をします。青い
旗は港に入れることを、赤い旗は待つことを表します。

持ち物の一覧
地図と方位磁石
`)
	if !strings.Contains(doc.Text, "冬の間は昼の十二時") || !strings.Contains(doc.Text, "青い旗は") || !strings.Contains(doc.Text, "一覧\n地図") {
		t.Errorf("line ends: %q", doc.Text)
	}
}

// Lines that an editor did not fill to the last word that had room go on all the same;
// titles stand in the middle, alone behind a number, or further out than the text.
func TestTextSetByHandIsReadAsItIsMeant(t *testing.T) {
	doc := extractString(t, "terms.txt", `
                        Terms of the harbour
                           of 3 May 2021

   1. Definitions.

      A "berth" is a place at a quay that the harbour office has given to
      one vessel for a time that is written in the book of the harbour.

      A "guest" is whoever pays for a night, including
      the crew of the vessel and any person whom they bring on board while
      it lies there.

   2. Duties. Unless the office agrees in writing or a law
      asks for more than this, each guest (and each
      Owner of a vessel) keeps the quay free, has the lines looked after
      every night, and pays before noon.
      (a) Lines are doubled
          in a storm; and
      (b) no fire is lit on deck.

   3. Fees.

      By night and metre. Whoever stays for longer than seven nights pays
      for five of them; the office gives the rest back on the last day.
`)
	formattest.WantOutline(t, doc, `
heading1@2 Terms of the harbour
paragraph0@3 of 3 May 2021
heading2@5 1. Definitions.
paragraph0@7 A "berth" is a place at a quay that the harbour office has given to
paragraph0@8 one vessel for a time that is written in the book of the harbour.
paragraph0@10 A "guest" is whoever pays for a night, including
paragraph0@11 the crew of the vessel and any person whom they bring on board while
paragraph0@12 it lies there.
list0@14 2. Duties. Unless the office agrees in writing or a law
list0@15 asks for more than this, each guest (and each
list0@16 Owner of a vessel) keeps the quay free, has the lines looked after
list0@17 every night, and pays before noon.
list0@18 (a) Lines are doubled
list0@19 in a storm; and
list0@20 (b) no fire is lit on deck.
heading2@22 3. Fees.
paragraph0@24 By night and metre. Whoever stays for longer than seven nights pays
paragraph0@25 for five of them; the office gives the rest back on the last day.
`)
	for _, whole := range []string{"including the crew", "or a law asks for more", "(and each Owner of", "doubled in a storm", "harbour\n\nof 3 May"} {
		if !strings.Contains(doc.Text, whole) {
			t.Errorf("lacks %q: %q", whole, doc.Text)
		}
	}
}

func TestTitlesOfTextThatStandsFurtherIn(t *testing.T) {
	body := strings.Repeat("   This document says how lamps are lit along a coast, and it is one that\n   every keeper has read before the first night of the first winter.\n\n", 4)
	doc := extractString(t, "lamps.txt", "Status of this note\n\n"+body+"2.  Lamps\n\n"+body+"2.1.  Oil\n\n"+body+"Keeper  Lamp  [Page 2]\n\n"+body+"Ends here.\n\n"+body)
	var titles []string
	for _, b := range doc.Blocks {
		if b.Kind == evidence.Heading {
			titles = append(titles, fmt.Sprint(b.Level, " ", doc.Text[b.Start:b.End]))
		}
	}
	if got := strings.Join(titles, ", "); got != "2 Status of this note, 2 2. Lamps, 3 2.1. Oil" {
		t.Errorf("titles: %s", got)
	}
}

// A list whose items stand apart has no titles, and commands, names and verses keep
// their lines.
func TestLinesThatEndByWill(t *testing.T) {
	prose := strings.Repeat("Everything in this box was packed by the keeper himself, and it is to be\nopened by nobody else before the lamp is lit in autumn again.\n\n", 5)
	for name, text := range map[string]string{
		"items":    "1. Apples\n\n2. Pears of the garden\n\n3. Plums\n\n",
		"commands": "sudo install --target /usr/local lamps oil wicks\nmake light\nmake light install prefix=/usr\n\n",
		"fields":   "Name: the keeper of the lamp at the northern end of the pier\nPlace: the small house behind the wall\nSince: the autumn in which the old lamp was taken down\n\n",
		"verses":   "The lamp above the water burns alone tonight\nAnd no one on the pier has seen the boat come in\nSo light another one for those who are at sea\n\n",
	} {
		doc := extractString(t, "a.txt", prose+text+prose)
		for _, b := range doc.Blocks {
			if b.Kind == evidence.Heading {
				t.Errorf("%s: a title: %q", name, doc.Text[b.Start:b.End])
			}
		}
		if want := strings.TrimSpace(strings.ReplaceAll(text, "\n\n", "\n")); !strings.Contains(doc.Text, want) {
			t.Errorf("%s: %q", name, doc.Text)
		}
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

func BenchmarkAParagraphWithoutEnd(b *testing.B) {
	text := []byte("- an item that begins here\n" + strings.Repeat("  and goes on in a line that was not broken by anyone who knows how long a line is\n", 20_000))
	for b.Loop() {
		if err := ReadPlain(b.Context(), format.NewBuilder(format.DefaultLimits().Output), "a.txt", text, format.DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWhatPartsTheCellsOfATable(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b,c\n1,2,3\n": ',',
		"Incassi per mese, anni 2023 e 2024\nCifre in euro, senza IVA, a fine anno.\n\nAnno;Mese;Camere\n2023;gennaio;620\n2023;febbraio;710\n": ';',
		"Ware;Preis;Menge\nSeil;1,50;3\nZange;12,90;1\n":                                                    ';',
		"Bookings (not the playgroup)\n\"Copied by Lorna, in pounds\"\nDate,Hirer\n1/9,Club\n6/9,Players\n": ',',
		"Name\tZahl\nA, B und C\t3\nD, E und F\t4\n":                                                        '\t',
		"ein Wort\n": ',',
	} {
		if got := separator("x.csv", text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if separator("x.TSV", "a,b\n") != '\t' {
		t.Error("a .tsv is parted otherwise")
	}
}
