package evidence

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

// draw builds a document from blocks as an extractor would.
type draw struct {
	b      strings.Builder
	blocks []Block
}

func (d *draw) add(kind BlockKind, level, page, line int, sep, text string) *draw {
	if d.b.Len() > 0 {
		d.b.WriteString(sep)
	}
	start := d.b.Len()
	d.b.WriteString(text)
	d.blocks = append(d.blocks, Block{Start: start, End: d.b.Len(), Kind: kind, Level: level, Page: page, Line: line})
	return d
}

func (d *draw) doc() Document {
	return Document{Source: Source{ID: "src_x", Digest: "d"}, Text: d.b.String(), Blocks: d.blocks}
}

func sentence(n, words int) string {
	return fmt.Sprintf("Sentence %d %s.", n, strings.TrimSpace(strings.Repeat("wörd ", words)))
}

// checkPassages holds what every split promises, for any document.
func checkPassages(t *testing.T, doc Document, ps []Passage) {
	t.Helper()
	runes := []rune(doc.Text)
	valid, last := utf8.ValidString(doc.Text), -1
	for i, p := range ps {
		if p.Index != i || p.At.Start < last || p.At.End <= p.At.Start {
			t.Fatalf("passage %d is out of order: %+v after %d", i, p.At, last)
		}
		last = p.At.Start
		if valid && string(runes[p.At.Start:p.At.End]) != p.Text {
			t.Fatalf("passage %d: text is not that of its code points", i)
		}
		if !strings.Contains(doc.Text, p.Text) || strings.TrimSpace(p.Text) == "" {
			t.Fatalf("passage %d is not a verbatim piece", i)
		}
	}
}

func TestShortDocumentIsOnePassage(t *testing.T) {
	d := (&draw{}).add(Heading, 1, 1, 1, "", "Guide").add(Paragraph, 0, 1, 3, "\n\n", strings.Repeat("Text here. ", 150))
	ps := Split(d.doc(), SplitOptions{})
	checkPassages(t, d.doc(), ps)
	if len(ps) != 1 || ps[0].At.Heading != "Guide" || ps[0].At.Page != 1 || ps[0].At.Line != 1 {
		t.Fatalf("got %d passages, %+v", len(ps), ps)
	}
	if ps[0].Source != "src_x" || ps[0].ID != NewPassageID("d", ps[0].At.Start, ps[0].At.End) {
		t.Errorf("identity: %+v", ps[0])
	}
}

func TestPassagesHoldWholeSentencesAndHeadingsOpenThem(t *testing.T) {
	d := &draw{}
	for h := 1; h <= 6; h++ {
		d.add(Heading, 1, h, h*10, "\n\n", fmt.Sprintf("Chapter %d", h))
		d.add(Heading, 2, h, h*10+1, "\n\n", "Part")
		for i := range 4 {
			d.add(Paragraph, 0, h, h*10+2+i, "\n\n", sentence(i, 20)+" "+sentence(i, 30))
		}
	}
	doc := d.doc()
	ps := Split(doc, SplitOptions{})
	checkPassages(t, doc, ps)
	for _, p := range ps {
		if utf8.RuneCountInString(p.Text) > 800 || !strings.HasSuffix(p.Text, ".") {
			t.Errorf("passage %q is too long or ends inside a sentence", p.Text)
		}
		if i := strings.Index(p.Text, "Chapter"); i > 0 {
			t.Errorf("heading inside a passage: %q", p.Text)
		}
		if !strings.HasPrefix(p.At.Heading, "Chapter ") || !strings.HasSuffix(p.At.Heading, " > Part") && !strings.HasPrefix(p.Text, "Chapter") {
			t.Errorf("heading path %q", p.At.Heading)
		}
	}
	if ps[0].At.Page != 1 || ps[len(ps)-1].At.Page != 6 {
		t.Errorf("pages %d to %d", ps[0].At.Page, ps[len(ps)-1].At.Page)
	}
}

func TestRowsAndItemsAreNotCut(t *testing.T) {
	d := &draw{}
	for i := range 60 {
		d.add(TableRow, 0, 0, i+1, "\n", fmt.Sprintf("Row %d  %s  %d", i, strings.Repeat("cell. Next ", 8), i*7))
	}
	for _, p := range Split(d.doc(), SplitOptions{}) {
		if !strings.HasPrefix(p.Text, "Row ") || strings.Count(p.Text, "Row ") != strings.Count(p.Text, "\n")+1 {
			t.Errorf("a row is cut: %q", p.Text)
		}
	}
}

func TestLinesAreThoseOfTheFirstCharacter(t *testing.T) {
	d := &draw{}
	for i := range 100 { // a wrapped paragraph, a block a line
		d.add(Paragraph, 0, 0, i+1, " ", fmt.Sprintf("Line %d of the text has words.", i+1))
	}
	d.add(Code, 0, 0, 102, "\n\n", strings.Repeat("code line\n", 200))
	doc := d.doc()
	ps := Split(doc, SplitOptions{})
	checkPassages(t, doc, ps)
	for _, p := range ps {
		var n int
		if _, err := fmt.Sscanf(p.Text, "Line %d", &n); err == nil && p.At.Line != n {
			t.Errorf("line %d for %q", p.At.Line, p.Text[:20])
		}
	}
	if last := ps[len(ps)-1]; last.At.Line < 220 || last.At.Line > 302 {
		t.Errorf("last passage on line %d", last.At.Line)
	}
}

func TestLongUnitIsCutAtWordsWithAFifthRepeated(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("abcdefghi ", 500))
	doc := Document{Text: text}
	ps := Split(doc, SplitOptions{})
	checkPassages(t, doc, ps)
	for i, p := range ps {
		if len(p.Text) > 800 || len(p.Text)%10 != 9 {
			t.Errorf("part %d of %d characters is cut inside a word", i, len(p.Text))
		}
		if i > 0 {
			if shared := ps[i-1].At.End - p.At.Start; shared < 150 || shared > 170 {
				t.Errorf("parts %d and %d share %d characters", i-1, i, shared)
			}
		}
	}
	if ps[len(ps)-1].At.End != len(text) {
		t.Errorf("the end is missing")
	}
	if n := len(Split(Document{Text: strings.Repeat("x", 5000)}, SplitOptions{})); n != 8 {
		t.Errorf("a word of 5,000 letters gave %d passages", n)
	}
}

func TestLowerCaseTextIsCutAtStops(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("no capital is here. nor here! ", 100))
	for _, p := range Split(Document{Text: text}, SplitOptions{}) {
		if !strings.HasSuffix(p.Text, ".") && !strings.HasSuffix(p.Text, "!") {
			t.Errorf("ends with %q", p.Text[len(p.Text)-10:])
		}
	}
}

func TestOverlapRepeatsWholeSentences(t *testing.T) {
	text := ""
	for i := range 100 {
		text += sentence(i, 8) + " "
	}
	doc := Document{Text: text}
	ps := Split(doc, SplitOptions{Overlap: 160})
	checkPassages(t, doc, ps)
	for i := 1; i < len(ps); i++ {
		if shared := ps[i-1].At.End - ps[i].At.Start; shared <= 0 || shared > 160 || !strings.HasPrefix(ps[i].Text, "Sentence") {
			t.Errorf("passages %d and %d share %d", i-1, i, shared)
		}
	}
}

func TestPrefix(t *testing.T) {
	file := Source{Kind: File, Address: "/home/a/2023 Q1 AAPL.pdf", Title: "Form 10-Q"}
	for want, got := range map[string]string{
		"2023 Q1 AAPL > Item 2": Prefix(file, Locator{Heading: "Item 2"}),
		"2023 Q1 AAPL":          Prefix(file, Locator{}),
		"Page > Intro":          Prefix(Source{Kind: Web, Title: "Page", Address: "https://a.b/c.html"}, Locator{Heading: "Intro"}),
		"Alone":                 Prefix(Source{Kind: Web}, Locator{Heading: "Alone"}),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAnyDocumentSplitsInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	kinds := []BlockKind{Heading, Paragraph, ListItem, TableRow, Code}
	rng := rand.New(rand.NewSource(7))
	for range 300 {
		d := &draw{}
		for range rng.Intn(40) {
			seps := []string{" ", "\n", "\n\n"}
			text := strings.Repeat("Wört 数。 and x. ", rng.Intn(90)) + sentence(1, rng.Intn(300))
			d.add(kinds[rng.Intn(len(kinds))], rng.Intn(8), rng.Intn(3), rng.Intn(3), seps[rng.Intn(3)], text)
		}
		opt := SplitOptions{Max: 1 + rng.Intn(900), Overlap: rng.Intn(200), Whole: rng.Intn(100) - 50}
		checkPassages(t, d.doc(), Split(d.doc(), opt))
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("Head\n\nOne. Two three.", 4, 9, 20, 5, 2)
	f.Add("\xff\xfe. A\n", 0, 3, 1, 1, 1)
	f.Add("A long enough lead in.\n\nItem  Price\nBread  2.50\nButter  3.10", 24, 59, 40, 0, 3)
	f.Fuzz(func(t *testing.T, text string, a, b, max, overlap, kind int) {
		kinds := []BlockKind{Heading, Paragraph, ListItem, TableRow, Code}
		k := kinds[uint(kind)%5]
		for b > 0 && b < len(text) && !utf8.RuneStart(text[b]) {
			b-- // a block never ends inside a character; anything else may be wrong
		}
		doc := Document{Text: text, Blocks: []Block{{Start: a, End: b, Kind: k, Level: kind, Page: 1, Line: 1, Cells: "B2"}, {Start: b, End: len(text), Kind: Paragraph, Page: 2}}}
		checkPassages(t, doc, Split(doc, SplitOptions{Max: max % 1000, Overlap: overlap % 1000, Whole: -1}))
	})
}

func BenchmarkSplit(b *testing.B) {
	d := &draw{}
	for i := range 2000 {
		d.add(Paragraph, 0, i/20, 0, "\n\n", sentence(i, 30)+" "+sentence(i, 12))
	}
	doc := d.doc()
	b.SetBytes(int64(len(doc.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Split(doc, SplitOptions{})
	}
}
