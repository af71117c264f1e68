package ocr

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
	"footnote/backend/extract/tool"
)

// Recogniser reads pictures of text with the system's tesseract.
type Recogniser struct {
	program string
	Args    []string
}

// Bounds of recognition.
const (
	pageTime     = 40 * time.Second // of one page
	maxLanguages = 4                // recognised at once; each costs time
	unsureWord   = 40               // confidence under which a word counts as garbled, of 100
	wildWord     = 15               // … and under which it is left out
)

// Afresh ends a sentence that says what would have more of a file read.
const Afresh = "then rescan the library."

// Find finds what reads pictures here; why says that nothing does, and
// what to do.
func Find(ctx context.Context, lim format.Limits) (r *Recogniser, why string) {
	if lim.OCR <= 0 {
		return nil, "Pictures of text are read by text recognition only, and that is switched off: switch it on, " + Afresh
	}
	r, err := New(ctx)
	if err != nil {
		return nil, "To have pictures of text read, install Tesseract (text recognition) with your languages, " + Afresh
	}
	return r, ""
}

// New asks the system what it has.
func New(ctx context.Context) (*Recogniser, error) {
	program, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, fmt.Errorf("find tesseract: %w", err)
	}
	said, err := tool.Run(ctx, nil, program, "--list-langs")
	if err != nil {
		return nil, err
	}
	languages := strings.Fields(string(said))
	if colon := bytes.IndexByte(said, ':'); colon >= 0 { // a sentence comes first
		languages = strings.Fields(string(said[colon+1:]))
	}
	turned := slices.Contains(languages, "osd")
	languages = slices.DeleteFunc(languages, func(l string) bool {
		return l == "osd" || l == "equ" || l == "snum" || strings.Contains(l, "/") || strings.ContainsAny(l, `"()`)
	})
	if len(languages) == 0 {
		return nil, errors.New("tesseract has no languages")
	}
	r := &Recogniser{program: program, Args: []string{"stdin", "stdout", "-l", strings.Join(languages[:min(len(languages), maxLanguages)], "+")}}
	if turned { // pages that lie on their side or head are turned first
		r.Args = append(r.Args, "--psm", "1")
	}
	r.Args = append(r.Args, "tsv")
	return r, nil
}

// Read gives the lines of a picture, in order, as a page; garbled counts the
// letters of doubtful words. A picture may hold several pages: all are read.
func (r *Recogniser) Read(ctx context.Context, picture []byte) (pages []layout.Page, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	out, err := tool.Run(ctx, picture, r.program, r.Args...)
	if err != nil {
		return nil, err
	}
	pages = readRecognised(out)
	if len(pages) != 1 || !pages[0].Doubtful() {
		return pages, nil
	}
	for _, quarters := range []int{2, 1, 3} { // with few words on it, tesseract does not tell which side is up
		turned, err := Turn(picture, quarters)
		if err != nil {
			return pages, nil // of a kind that is not turned here
		}
		out, err := tool.Run(ctx, turned, r.program, r.Args...)
		if err != nil {
			return pages, nil // the first reading stands
		}
		if again := readRecognised(out); len(again) == 1 && layout.Better(again[0], pages[0]) {
			pages = again
		}
		if !pages[0].Doubtful() {
			break
		}
	}
	return pages, nil
}

// readRecognised reads tesseract's table: level, page, block, paragraph, line
// and word, then left, top, width, height, confidence and text.
func readRecognised(table []byte) (pages []layout.Page) {
	var row layout.Row
	last := [4]int{}
	lines := map[int][]layout.Line{}
	garbled := map[int]int{}
	most := 0
	flush := func() {
		if len(row) > 0 {
			l := layout.JoinRow(row)
			l.Region = last[1]
			lines[last[0]] = append(lines[last[0]], l)
		}
		row = nil
	}
	scan := bufio.NewScanner(bytes.NewReader(table))
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		word, place, unsure, ok := recognisedWord(scan.Text())
		if !ok {
			continue
		}
		if place != last {
			flush()
		}
		last = place
		most = max(most, place[0])
		row = append(row, word)
		if unsure {
			garbled[place[0]] += len([]rune(word.Text))
		}
	}
	flush()
	for n := 1; n <= min(most, 10_000); n++ {
		page := layout.Page{}
		page.Set(evenSizes(lines[n]))
		page.Garbled = garbled[n]
		pages = append(pages, page)
	}
	return pages
}

// recognisedWord reads a row of the table that is a word.
func recognisedWord(row string) (word layout.Fragment, place [4]int, unsure, ok bool) {
	col := strings.Split(row, "\t")
	if len(col) < 12 || col[0] != "5" || strings.TrimSpace(col[11]) == "" {
		return word, place, false, false
	}
	var n [9]float64
	for i := range n {
		var err error
		if n[i], err = strconv.ParseFloat(col[i+1], 64); err != nil {
			return word, place, false, false
		}
	}
	confidence, err := strconv.ParseFloat(col[10], 64)
	if err != nil || confidence < wildWord {
		return word, place, false, false
	}
	const scale = 72.0 / DPI
	left, top, width, height := n[5]*scale, n[6]*scale, n[7]*scale, n[8]*scale
	word = layout.Fragment{Text: format.Clean(col[11], false), X0: left, X1: left + width, Y: -(top + height), Size: height}
	return word, [4]int{int(n[0]), int(n[1]), int(n[2]), int(n[3])}, confidence < unsureWord, word.Text != ""
}

// evenSizes gives lines of about one height the same: the height of a line of a
// scan depends on its letters and says little.
func evenSizes(lines []layout.Line) []layout.Line {
	if len(lines) == 0 {
		return nil
	}
	sizes := make([]float64, len(lines))
	for i, l := range lines {
		sizes[i] = l.Size
	}
	slices.Sort(sizes)
	middle := sizes[len(sizes)/2]
	for i := range lines {
		if lines[i].Size < 1.7*middle {
			lines[i].Size = middle
		}
	}
	return lines
}

// Read reads the text in a picture.
func Read(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	r, why := Find(ctx, lim)
	if why != "" {
		return format.Fail(format.Unsupported, "Pictures are not read here. "+why, nil)
	}
	slow, cancel := b.Slow()
	defer cancel()
	pages, err := r.Read(slow, data)
	switch {
	case slow.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return format.Fail(format.Timeout, fmt.Sprintf("Recognising text in the picture took longer than %s.", pageTime), err)
	case slow.Err() != nil:
		return slow.Err()
	case err != nil:
		return format.Fail(format.Malformed, "The picture is damaged or of a kind that text recognition does not read.", err)
	}
	b.Flag("recognised")
	for i, page := range pages {
		for k := range page.Lines {
			page.Lines[k].Page = i + 1
		}
	}
	layout.WritePages(b, pages, "")
	return nil
}

// DPI is how finely pages are drawn for recognition.
const DPI = 200
