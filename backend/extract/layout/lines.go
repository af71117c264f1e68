package layout

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is what stands on one baseline of one column.
type Line struct {
	Text         string
	x0, x1, y    float64
	Size         float64
	bold, italic bool      // of nearly all of it
	cells        int       // parts that are set apart by wide gaps
	parts        []stretch // where they stand; none in lines that are read from the right
	firstWord    float64   // width of the first word
	Region       int       // column of the page it stands in; lines of other regions never join
	Page         int
	ruled        *ruledRow // it is a row of a ruled table
}

// cellGap is the gap, in sizes of the text, that sets cells apart.
// A row of many words is justified or scanned prose: there it takes more.
const (
	cellGap    = 1.2
	proseGap   = 2.6
	proseWords = 8
)

// Lines orders the fragments of a page as it is read: columns one after the
// other, the lines of each from top to bottom.
func Lines(frags []Fragment, page int, region *int) []Line {
	frags = dropDoubles(frags)
	var out []Line
	for _, part := range columns(gatherRows(frags), 0) {
		*region++
		for _, r := range part {
			if l := JoinRow(r); l.Text != "" {
				l.Page, l.Region = page, *region
				out = append(out, l)
			}
		}
	}
	return out
}

// Row is the fragments of one baseline, left to right.
type Row []Fragment

// gatherRows groups fragments by baseline, top to bottom. Small ones beside a
// larger one (notes, exponents) belong to its row.
func gatherRows(frags []Fragment) []Row {
	frags = slices.Clone(frags)
	sort.SliceStable(frags, func(i, j int) bool { return frags[i].Y > frags[j].Y })
	var rows []Row
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
			rows = append(rows, Row{f})
		}
	}
	for _, r := range rows {
		sort.SliceStable(r, func(i, j int) bool { return r[i].X0 < r[j].X0 })
	}
	return rows
}

// sameRow compares f with the row's longest fragment: their letters must share
// most of their height.
func sameRow(row Row, f Fragment) bool {
	big := row[0]
	for _, g := range row {
		if len(g.Text) > len(big.Text) {
			big = g
		}
	}
	if large := max(big.Size, f.Size); large > 1.8*min(big.Size, f.Size) && (big.Size == large && len(big.Text) <= 3 || f.Size == large && len(f.Text) <= 3) {
		return false // a drop cap stands beside several lines
	}
	top := min(big.Y+0.7*big.Size, f.Y+0.7*f.Size)
	bottom := max(big.Y-0.15*big.Size, f.Y-0.15*f.Size)
	return top-bottom > 0.55*0.85*min(big.Size, f.Size)
}

// stacked reports a fragment above or below one of the row: no line has two words
// at one place.
func stacked(row Row, f Fragment) bool {
	for _, g := range row {
		shared := min(g.X1, f.X1) - max(g.X0, f.X0)
		if shared > 0.5*min(g.X1-g.X0, f.X1-f.X0) && math.Abs(g.Y-f.Y) > 0.2*min(g.Size, f.Size) {
			return true
		}
	}
	return false
}

// dropDoubles removes fragments drawn twice at nearly the same place, which is
// how some programs make bold letters and shadows.
func dropDoubles(frags []Fragment) []Fragment {
	type key struct {
		text string
		x, y int
	}
	seen := map[key]bool{}
	out := frags[:0:0]
	for _, f := range frags {
		step := max(1, f.Size*0.4)
		k := key{f.Text, int(math.Round(f.X0 / step)), int(math.Round(f.Y / step))}
		if utf8.RuneCountInString(f.Text) > 1 && seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, f)
	}
	return out
}

// JoinRow writes a row as one line: words with a blank, cells with two. A
// currency sign joins its number, a bracket or percent sign the one before it.
func JoinRow(row Row) Line {
	l := Line{x0: row[0].X0, x1: row[0].X1, y: row[0].Y, Size: row[0].Size, cells: 1, parts: []stretch{{row[0].X0, row[0].X1}}}
	if len(row) == 1 && row[0].row != nil {
		return ruledLine(row[0], l)
	}
	var out strings.Builder
	bold, italic, all := 0, 0, 0
	prose := isSpacedProse(row)
	for i, f := range row {
		if i > 0 {
			gap, sep := f.X0-row[i-1].X1, ""
			size := max(f.Size, row[i-1].Size)
			switch {
			case isCurrency(row[i-1].Text) && (startsNumber(f.Text) || f.Text == "("), isTrailer(f.Text) && endsNumber(out.String()):
			case gap > proseGap*size, gap > cellGap*size && (!prose || startsNumber(f.Text)), gap > WordGap*size && endsNumber(row[i-1].Text) && (startsNumber(f.Text) || isCurrency(f.Text)):
				sep = "  "
				l.cells++
				l.parts = append(l.parts, stretch{f.X0, f.X1})
			case gap > 0.15*min(f.Size, row[i-1].Size), f.Word && row[i-1].Word && gap > -0.1*size:
				sep = " "
			}
			out.WriteString(sep)
		}
		out.WriteString(f.Text)
		l.parts[l.cells-1].x1 = max(l.parts[l.cells-1].x1, f.X1)
		n := utf8.RuneCountInString(f.Text)
		all += n
		if f.Bold {
			bold += n
		}
		if f.Italic {
			italic += n
		}
		if f.Size > l.Size {
			l.Size, l.y = f.Size, f.Y
		}
		l.x0, l.x1 = min(l.x0, f.X0), max(l.x1, f.X1)
	}
	l.Text = strings.TrimSpace(out.String())
	l.bold, l.italic = bold*10 >= all*9, italic*10 >= all*9
	if word, _, more := strings.Cut(l.Text, " "); more && len(l.Text) > 0 {
		l.firstWord = (l.x1 - l.x0) * float64(len(word)) / float64(len(l.Text))
	} else {
		l.firstWord = l.x1 - l.x0
	}
	if mostlyRTL(l.Text) {
		l.Text, l.parts = logicalOrder(l.Text), nil
	}
	return l
}

// ruledLine is the line of a row of a ruled table.
func ruledLine(f Fragment, l Line) Line {
	l.Text, l.ruled, l.cells = f.Text, f.row, len(f.row.cells)
	l.bold, l.italic, l.firstWord = f.Bold, f.Italic, f.X1-f.X0
	return l
}

// isSpacedProse reports a row whose gaps part groups of words, not cells: many
// words, mostly more than one between two gaps.
func isSpacedProse(row Row) bool {
	words, cells := 0, 1
	for i, f := range row {
		words += 1 + strings.Count(f.Text, " ")
		if i > 0 && f.X0-row[i-1].X1 > cellGap*f.Size {
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
	return s != "" && (s[len(s)-1] >= '0' && s[len(s)-1] <= '9' || s[len(s)-1] == ')' || s[len(s)-1] == '%' && strings.ContainsAny(s, ")0123456789") || s == "%" || strings.HasSuffix(s, "—"))
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

// ShownOrder turns letters that came together in the order they are read in, from
// the right, into the one they are shown in, as those of all lines are put together.
// A font that gives one glyph several words lies: they stay as they are.
func ShownOrder(letters string) string {
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
