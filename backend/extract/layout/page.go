package layout

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// Directions of text that are told apart: 0 is upright, 1 to 3 are turned by 90°
// each, counter-clockwise, 4 is any other way.
const (
	Turns   = 5
	Slanted = 4
)

// WordGap, in sizes of the text, ends a fragment: something may stand in it.
const WordGap = 0.45

// What tells a page that was read well from one that was not.
const (
	fewWords    = 10   // on a page that has content
	maxGarbled  = 0.05 // share of characters that are no text
	mostGarbled = 0.2  // … above which a page is looked at like a scan
	longWords   = 12   // mean letters of a word: blanks are missing
	mostOfPage  = 0.4  // share that a scan covers at least
	minWords    = 20   // of a page, before the mean says anything
)

// Page is the text of one page and what tells whether it is good.
type Page struct {
	Lines   []Line
	Letters int // characters of lines
	Words   int
	Label   string // the number printed on it, where the document says: "xii"
	Traces
}

// Set gives the page its lines and counts what is in them.
func (p *Page) Set(lines []Line) {
	p.Lines, p.Letters, p.Words = lines, 0, 0
	for _, l := range lines {
		p.Letters += utf8.RuneCountInString(l.Text)
		p.Words += countWords(l.Text)
	}
}

// countWords counts runs of letters; scripts that part no words count a word
// for every two letters.
func countWords(s string) int {
	n, dense, inside := 0, 0, false
	for _, r := range s {
		switch {
		case r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xe00 && r <= 0xe7f:
			dense++
			inside = false
		case r == ' ':
			inside = false
		case !inside:
			n++
			inside = true
		}
	}
	return n + dense/2
}

// cover tells what of the pages was read.
func cover(b *format.Builder, pages []Page, cut string) {
	letters, garbled := 0, 0
	c := &b.Doc.Coverage
	for _, page := range pages {
		letters += page.Letters
		garbled += min(page.Garbled, page.Letters)
		if c.Pages++; page.Letters > 0 {
			c.Read++
		} else {
			c.Empty++
		}
	}
	if letters > 0 {
		c.Garbled = float64(garbled) / float64(letters)
	}
	if cut != "" {
		b.Partly(cut)
	}
	if c.Garbled > maxGarbled {
		b.Flag("garbled")
		if c.Reason == "" {
			c.Reason = fmt.Sprintf("About %.0f %% of its characters could not be read.", 100*c.Garbled)
		}
	}
}

// Arrange orders the fragments of page n: upright ones first. region counts the
// columns of the document.
func Arrange(turned [Turns][]Fragment, n int, region *int) (lines []Line) {
	for _, frags := range turned {
		lines = append(lines, Lines(frags, n, region)...)
		*region++
	}
	return lines
}

// Fragment is a run of words on one baseline, as shown: a piece of a line of
// prose, or a cell of a table.
type Fragment struct {
	Text         string
	X0, X1       float64
	Y            float64 // baseline, growing upwards
	Size         float64
	Bold, Italic bool
	Word         bool // a whole word: the one beside it is another
	Joints       []Joint
	row          *ruledRow // it is a row of a ruled table
}

// Traces are what a page's content left beside its text: they tell whether the
// text can be trusted.
type Traces struct {
	Shown    int     // codes of letters that were shown
	Lost     int     // those that gave no text at all
	Garbled  int     // characters that stand for unknown ones
	Pictures float64 // share of the page that pictures cover, roughly
	Broken   bool    // damage ended a stream before its end
}

// Poor reports whether another engine may read a page better: little text where
// something was shown or damage ended it, garbled text, or words without blanks.
// A page that only draws pictures is not poor: it is a scan.
func (p *Page) Poor() bool {
	switch {
	case p.Words < fewWords && (p.Broken || p.Lost*4 > p.Shown):
		return true
	case float64(p.Garbled+p.Lost) > maxGarbled*float64(max(p.Shown, p.Letters)):
		return true
	}
	return p.Words >= minWords && p.Letters > longWords*p.Words
}

// Scanned reports whether a page shows a picture in place of text.
func (p *Page) Scanned() bool { return p.Pictures > mostOfPage && p.Words < fewWords }

// Better compares two readings of a page: more words, of letters that are
// letters.
func Better(a, b Page) bool {
	good := func(p Page) float64 { return float64(p.Words) * (1 - float64(p.Garbled)/float64(max(1, p.Letters))) }
	if b.Letters > longWords*max(1, b.Words) && a.Words > b.Words { // blanks were missing
		return true
	}
	return good(a) > 1.02*good(b)
}

// PagesOf names how many pages, for people.
func PagesOf(n int) string {
	if n == 1 {
		return "1 page"
	}
	return fmt.Sprintf("%d pages", n)
}

// GarbledIn counts characters that stand for unknown ones.
func GarbledIn(s string) (n int) {
	for _, r := range s {
		if IsGarbled(r) {
			n++
		}
	}
	return n
}

// Doubtful reports a recognised page of which much is guessed.
func (p *Page) Doubtful() bool { return float64(p.Garbled) > mostGarbled*float64(p.Letters) }

// WritePages writes the text of all pages, and what was read of them; cut says why
// pages are missing at the end, and is empty where none are.
func WritePages(b *format.Builder, pages []Page, cut string) {
	var lines [][]Line
	for _, page := range pages {
		lines = append(lines, page.Lines)
	}
	from := len(b.Blocks)
	writeLines(b, lines)
	label(b.Blocks[from:], pages)
	cover(b, pages, cut)
}

// label gives blocks the numbers printed on their pages, where these are others
// than their places in the file.
func label(blocks []evidence.Block, pages []Page) {
	other := false
	for i, page := range pages {
		other = other || page.Label != "" && page.Label != strconv.Itoa(i+1)
	}
	for i := range blocks {
		if at := blocks[i].Page - 1; other && at >= 0 && at < len(pages) {
			blocks[i].Label = pages[at].Label
		}
	}
}

// PlainLetters folds ligatures and the presentation forms of letters, which no
// one types, and keeps everything else (² and ½ are not 2 and 1/2).
func PlainLetters(s string) string {
	i := strings.IndexFunc(s, isPresentation)
	if i < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if isPresentation(r) {
			out.WriteString(norm.NFKC.String(string(r)))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func isPresentation(r rune) bool {
	return r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefe || r >= 0x2e80 && r <= 0x2fdf
}

// IsGarbled reports a character that stands for an unknown glyph.
func IsGarbled(r rune) bool {
	return r == '\uFFFD' || unicode.Is(unicode.Co, r) || r < ' ' && r != '\n' && r != '\t'
}
