package extract

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
)

// recogniser reads pictures of text with the system's tesseract.
type recogniser struct {
	tool string
	args []string
}

// Bounds of recognition.
const (
	pageTime     = 40 * time.Second // of one page
	maxLanguages = 4                // recognised at once; each costs time
	unsureWord   = 40               // confidence under which a word counts as garbled, of 100
	wildWord     = 15               // … and under which it is left out
)

// afresh ends a sentence that says what would have more of a file read.
const afresh = "then rescan the library."

// findRecogniser finds what reads pictures here; why says that nothing does, and
// what to do.
func findRecogniser(ctx context.Context, lim Limits) (r *recogniser, why string) {
	if lim.OCR <= 0 {
		return nil, "Pictures of text are read by text recognition only, and that is switched off: switch it on, " + afresh
	}
	r, err := newRecogniser(ctx)
	if err != nil {
		return nil, "To have pictures of text read, install Tesseract (text recognition) with your languages, " + afresh
	}
	return r, ""
}

// newRecogniser asks the system what it has.
func newRecogniser(ctx context.Context) (*recogniser, error) {
	tool, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, fmt.Errorf("find tesseract: %w", err)
	}
	said, err := runTool(ctx, nil, tool, "--list-langs")
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
	r := &recogniser{tool: tool, args: []string{"stdin", "stdout", "-l", strings.Join(languages[:min(len(languages), maxLanguages)], "+")}}
	if turned { // pages that lie on their side or head are turned first
		r.args = append(r.args, "--psm", "1")
	}
	r.args = append(r.args, "tsv")
	return r, nil
}

// read gives the lines of a picture, in order, as a page; garbled counts the
// letters of doubtful words. A picture may hold several pages: all are read.
func (r *recogniser) read(ctx context.Context, picture []byte) (pages []pdfPage, err error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	out, err := runTool(ctx, picture, r.tool, r.args...)
	if err != nil {
		return nil, err
	}
	pages = readRecognised(out)
	if len(pages) != 1 || !pages[0].doubtful() {
		return pages, nil
	}
	for _, quarters := range []int{2, 1, 3} { // with few words on it, tesseract does not tell which side is up
		turned, err := turnPicture(picture, quarters)
		if err != nil {
			return pages, nil // of a kind that is not turned here
		}
		out, err := runTool(ctx, turned, r.tool, r.args...)
		if err != nil {
			return pages, nil // the first reading stands
		}
		if again := readRecognised(out); len(again) == 1 && better(again[0], pages[0]) {
			pages = again
		}
		if !pages[0].doubtful() {
			break
		}
	}
	return pages, nil
}

// doubtful reports a recognised page of which much is guessed.
func (p *pdfPage) doubtful() bool { return float64(p.garbled) > mostGarbled*float64(p.letters) }

// readRecognised reads tesseract's table: level, page, block, paragraph, line
// and word, then left, top, width, height, confidence and text.
func readRecognised(table []byte) (pages []pdfPage) {
	var row fragmentRow
	last := [4]int{}
	lines := map[int][]textLine{}
	garbled := map[int]int{}
	most := 0
	flush := func() {
		if len(row) > 0 {
			l := joinRow(row)
			l.region = last[1]
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
			garbled[place[0]] += len([]rune(word.text))
		}
	}
	flush()
	for n := 1; n <= min(most, 10_000); n++ {
		page := pdfPage{}
		page.set(evenSizes(lines[n]))
		page.garbled = garbled[n]
		pages = append(pages, page)
	}
	return pages
}

// recognisedWord reads a row of the table that is a word.
func recognisedWord(row string) (word fragment, place [4]int, unsure, ok bool) {
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
	const scale = 72.0 / scanDPI
	left, top, width, height := n[5]*scale, n[6]*scale, n[7]*scale, n[8]*scale
	word = fragment{text: clean(col[11], false), x0: left, x1: left + width, y: -(top + height), size: height}
	return word, [4]int{int(n[0]), int(n[1]), int(n[2]), int(n[3])}, confidence < unsureWord, word.text != ""
}

// evenSizes gives lines of about one height the same: the height of a line of a
// scan depends on its letters and says little.
func evenSizes(lines []textLine) []textLine {
	if len(lines) == 0 {
		return nil
	}
	sizes := make([]float64, len(lines))
	for i, l := range lines {
		sizes[i] = l.size
	}
	slices.Sort(sizes)
	middle := sizes[len(sizes)/2]
	for i := range lines {
		if lines[i].size < 1.7*middle {
			lines[i].size = middle
		}
	}
	return lines
}

// recognise reads the pages of a PDF that are pictures, or whose letters no
// engine could name, where recognition is wanted and possible, and says which
// were not read. engine may be nil.
func (p *pdfReader) recognise(ctx context.Context, b *builder, data []byte, engine pdfEngine) {
	scans, nameless := p.scans(), p.nameless()
	whole := ""
	switch {
	case len(scans) == 1:
		whole = fmt.Sprintf("1 of %s is a scan", pagesOf(len(p.pages)))
	case len(scans) > 1:
		whole = fmt.Sprintf("%d of %s are scans", len(scans), pagesOf(len(p.pages)))
	case len(nameless) > 0:
		whole = fmt.Sprintf("%d of %s in letters that the PDF does not name", len(nameless), pagesOf(len(p.pages)))
	default:
		return
	}
	if len(scans) > 0 {
		b.flag("scanned")
	}
	r, why := findRecogniser(ctx, p.lim)
	if why != "" {
		b.partly(whole + ". " + why)
		return
	}
	if engine == nil {
		var err error
		if engine, err = openSecond(ctx, data, p.lim); err != nil {
			b.partly(whole + ", and nothing here draws them for recognition: install poppler-utils, " + afresh)
			return
		}
		defer engine.close()
	}
	b.flag("recognised")
	if why := p.recognisePages(ctx, r, engine, slices.Concat(scans, nameless)); why != "" {
		b.partly(whole + ". " + why)
	}
}

// recognisePages says why some were left out; empty when none were.
func (p *pdfReader) recognisePages(ctx context.Context, r *recogniser, engine pdfEngine, scans []int) string {
	failed := 0
	for done, i := range scans {
		if ctx.Err() != nil {
			return fmt.Sprintf("Text recognition read the first %d of them; then the time for one file was over.", done)
		}
		if p.recognisePage(ctx, r, engine, i) != nil && ctx.Err() == nil {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Sprintf("Text recognition failed on %d of them.", failed)
	}
	return ""
}

func (p *pdfReader) recognisePage(ctx context.Context, r *recogniser, engine pdfEngine, i int) error {
	if i >= engine.count() {
		return errNoEngine
	}
	picture, err := engine.picture(ctx, i)
	if err != nil {
		return err
	}
	read, err := r.read(ctx, picture)
	if err != nil || len(read) == 0 {
		return err
	}
	page := read[0]
	if !better(page, p.pages[i]) {
		return nil
	}
	for k := range page.lines {
		page.lines[k].page = i + 1
		page.lines[k].region += p.region
	}
	p.region += 1000
	p.pages[i] = page
	return nil
}

// readPicture reads the text in a picture.
func readPicture(ctx context.Context, b *builder, _ string, data []byte, lim Limits) error {
	r, why := findRecogniser(ctx, lim)
	if why != "" {
		return fail(Unsupported, why, nil)
	}
	slow, cancel := b.slow()
	defer cancel()
	pages, err := r.read(slow, data)
	switch {
	case slow.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return fail(Timeout, fmt.Sprintf("Recognising text in the picture took longer than %s.", pageTime), err)
	case slow.Err() != nil:
		return slow.Err()
	case err != nil:
		return fail(Malformed, "The picture is damaged or of a kind that text recognition does not read.", err)
	}
	p := &pdfReader{lim: lim, pages: pages}
	b.flag("recognised")
	for i, page := range pages {
		for k := range page.lines {
			page.lines[k].page = i + 1
		}
	}
	p.write(b)
	return nil
}
