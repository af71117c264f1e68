package extract

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textLine is what stands on one baseline of one column.
type textLine struct {
	text         string
	x0, x1, y    float64
	size         float64
	bold, italic bool    // of nearly all of it
	cells        int     // parts that are set apart by wide gaps
	firstWord    float64 // width of the first word
	region       int     // column of the page it stands in; lines of other regions never join
	page         int
}

// cellGap is the gap, in sizes of the text, that sets cells apart.
// A row of many words is justified or scanned prose: there it takes more.
const (
	cellGap    = 1.2
	proseGap   = 2.6
	proseWords = 8
)

// layout orders the fragments of a page as it is read: columns one after the
// other, the lines of each from top to bottom.
func layout(frags []fragment, page int, region *int) []textLine {
	frags = dropDoubles(frags)
	var out []textLine
	for _, part := range columns(gatherRows(frags), 0) {
		*region++
		for _, r := range part {
			if l := joinRow(r); l.text != "" {
				l.page, l.region = page, *region
				out = append(out, l)
			}
		}
	}
	return out
}

// fragmentRow is the fragments of one baseline, left to right.
type fragmentRow []fragment

// gatherRows groups fragments by baseline, top to bottom. Small ones beside a
// larger one (notes, exponents) belong to its row.
func gatherRows(frags []fragment) []fragmentRow {
	frags = slices.Clone(frags)
	sort.SliceStable(frags, func(i, j int) bool { return frags[i].y > frags[j].y })
	var rows []fragmentRow
	for _, f := range frags {
		joined := false
		for i := len(rows) - 1; i >= max(0, len(rows)-4); i-- {
			if sameRow(rows[i], f) && !stacked(rows[i], f) {
				rows[i] = append(rows[i], f)
				joined = true
				break
			}
		}
		if !joined {
			rows = append(rows, fragmentRow{f})
		}
	}
	for _, r := range rows {
		sort.SliceStable(r, func(i, j int) bool { return r[i].x0 < r[j].x0 })
	}
	return rows
}

// sameRow compares f with the row's longest fragment: their letters must share
// most of their height.
func sameRow(row fragmentRow, f fragment) bool {
	big := row[0]
	for _, g := range row {
		if len(g.text) > len(big.text) {
			big = g
		}
	}
	if large := max(big.size, f.size); large > 1.8*min(big.size, f.size) && (big.size == large && len(big.text) <= 3 || f.size == large && len(f.text) <= 3) {
		return false // a drop cap stands beside several lines
	}
	top := min(big.y+0.7*big.size, f.y+0.7*f.size)
	bottom := max(big.y-0.15*big.size, f.y-0.15*f.size)
	return top-bottom > 0.55*0.85*min(big.size, f.size)
}

// stacked reports a fragment above or below one of the row: no line has two words
// at one place.
func stacked(row fragmentRow, f fragment) bool {
	for _, g := range row {
		shared := min(g.x1, f.x1) - max(g.x0, f.x0)
		if shared > 0.5*min(g.x1-g.x0, f.x1-f.x0) && math.Abs(g.y-f.y) > 0.2*min(g.size, f.size) {
			return true
		}
	}
	return false
}

// dropDoubles removes fragments drawn twice at nearly the same place, which is
// how some programs make bold letters and shadows.
func dropDoubles(frags []fragment) []fragment {
	type key struct {
		text string
		x, y int
	}
	seen := map[key]bool{}
	out := frags[:0:0]
	for _, f := range frags {
		step := max(1, f.size*0.4)
		k := key{f.text, int(math.Round(f.x0 / step)), int(math.Round(f.y / step))}
		if utf8.RuneCountInString(f.text) > 1 && seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, f)
	}
	return out
}

// joinRow writes a row as one line: words with a blank, cells with two. A
// currency sign joins its number, a bracket or percent sign the one before it.
func joinRow(row fragmentRow) textLine {
	l := textLine{x0: row[0].x0, x1: row[0].x1, y: row[0].y, size: row[0].size, cells: 1}
	var out strings.Builder
	bold, italic, all := 0, 0, 0
	prose := isSpacedProse(row)
	for i, f := range row {
		if i > 0 {
			gap, sep := f.x0-row[i-1].x1, ""
			size := max(f.size, row[i-1].size)
			switch {
			case isCurrency(row[i-1].text) && (startsNumber(f.text) || f.text == "("), isTrailer(f.text) && endsNumber(out.String()):
			case gap > proseGap*size, gap > cellGap*size && (!prose || startsNumber(f.text)), gap > wordGap*size && endsNumber(row[i-1].text) && (startsNumber(f.text) || isCurrency(f.text)):
				sep = "  "
				l.cells++
			case gap > 0.15*min(f.size, row[i-1].size), f.word && row[i-1].word && gap > -0.1*size:
				sep = " "
			}
			out.WriteString(sep)
		}
		out.WriteString(f.text)
		n := utf8.RuneCountInString(f.text)
		all += n
		if f.bold {
			bold += n
		}
		if f.italic {
			italic += n
		}
		if f.size > l.size {
			l.size, l.y = f.size, f.y
		}
		l.x0, l.x1 = min(l.x0, f.x0), max(l.x1, f.x1)
	}
	l.text = strings.TrimSpace(out.String())
	l.bold, l.italic = bold*10 >= all*9, italic*10 >= all*9
	if word, _, more := strings.Cut(l.text, " "); more && len(l.text) > 0 {
		l.firstWord = (l.x1 - l.x0) * float64(len(word)) / float64(len(l.text))
	} else {
		l.firstWord = l.x1 - l.x0
	}
	if mostlyRTL(l.text) {
		l.text = logicalOrder(l.text)
	}
	return l
}

// isSpacedProse reports a row whose gaps part groups of words, not cells: many
// words, mostly more than one between two gaps.
func isSpacedProse(row fragmentRow) bool {
	words, cells := 0, 1
	for i, f := range row {
		words += 1 + strings.Count(f.text, " ")
		if i > 0 && f.x0-row[i-1].x1 > cellGap*f.size {
			cells++
		}
	}
	return words >= proseWords && words*5 >= cells*8
}

func isCurrency(s string) bool {
	switch strings.TrimSpace(s) {
	case "$", "€", "£", "¥", "US$", "CHF", "USD", "EUR":
		return true
	}
	return false
}

func startsNumber(s string) bool {
	s = strings.TrimLeft(s, "(-$€£ ")
	return s != "" && (s[0] >= '0' && s[0] <= '9' || strings.HasPrefix(s, "—") || strings.HasPrefix(s, "–"))
}

// isTrailer reports a fragment that only ends the number before it.
func isTrailer(s string) bool {
	switch strings.TrimSpace(s) {
	case ")", "%", ")%", "%)", ") %":
		return true
	}
	return false
}

func endsNumber(s string) bool {
	return s != "" && (s[len(s)-1] >= '0' && s[len(s)-1] <= '9' || s[len(s)-1] == ')' || strings.HasSuffix(s, "—"))
}

func mostlyRTL(s string) bool {
	rtl, ltr := 0, 0
	for _, r := range s {
		switch {
		case isRTL(r):
			rtl++
		case unicode.IsLetter(r):
			ltr++
		}
	}
	return rtl > ltr
}

func isRTL(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefe
}

// shownOrder turns letters that came together in the order they are read in, from
// the right, into the one they are shown in, as those of all lines are put together.
// A font that gives one glyph several words lies: they stay as they are.
func shownOrder(letters string) string {
	if len(letters) < 4 || !mostlyRTL(letters) || strings.Contains(letters, " ") { // two letters of such a script have four bytes
		return letters
	}
	return logicalOrder(letters)
}

// logicalOrder turns a line shown from left to right into the order it is read
// in from the right; numbers and Latin words keep theirs.
func logicalOrder(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && !isRTL(runes[j]) && (unicode.IsLetter(runes[j]) || unicode.IsDigit(runes[j]) || j > i && strings.ContainsRune(".,-/:%", runes[j])) {
			j++
		}
		if j > i+1 {
			slices.Reverse(runes[i:j])
		}
		i = max(j, i+1)
	}
	return string(runes)
}
