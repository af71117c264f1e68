package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// PlaceAt words the place of a byte of a document whose format has slides,
// sheets, times or numbers printed on its pages: "Slide 4", "Sheet 'Costs'
// B2:D2", "at 3:25", "p. xii". It is empty for all others.
func PlaceAt(doc Document, at int) string {
	found := -1
	for i, b := range doc.Blocks {
		if b.Start > at {
			break
		}
		found = i
	}
	return placeOf(doc, found, at+1, sheetAbove(doc, found))
}

// placeOf words the place of the blocks from number first up to byte end, above
// which stands the outermost heading sheet. Of several sheets it names the first.
func placeOf(doc Document, first, end int, sheet string) string {
	if first < 0 {
		return ""
	}
	switch b := doc.Blocks[first]; {
	case b.Unit == Slides && b.Page > 0:
		return "Slide " + strconv.Itoa(b.Page)
	case b.Unit == Seconds:
		return "at " + clock(b.Page)
	case b.Page > 0 && b.Label != "":
		return "p. " + b.Label
	}
	from, to := "", ""
	for i := first; i < len(doc.Blocks) && (i == first || doc.Blocks[i].Start < end); i++ {
		b := doc.Blocks[i]
		if b.Kind == Heading && b.Level == 1 {
			if from != "" {
				break
			}
			sheet = nameOf(doc, b)
		}
		if b.Cells == "" {
			continue
		}
		left, right, wide := strings.Cut(b.Cells, ":")
		if !wide {
			right = left
		}
		if from == "" {
			from, to = left, left
		}
		from, to = corner(from, left, -1), corner(to, right, 1)
	}
	if from == "" {
		return ""
	}
	if from != to {
		from += ":" + to
	}
	return "Sheet '" + sheet + "' " + from
}

// sheetAbove is the outermost heading above a block.
func sheetAbove(doc Document, block int) string {
	for i := block; i >= 0; i-- {
		if b := doc.Blocks[i]; b.Kind == Heading && b.Level == 1 {
			return nameOf(doc, b)
		}
	}
	return ""
}

// corner is the cell in the outer one of two cells' columns and rows: the
// upper left one with sign -1, the lower right one with 1.
func corner(a, b string, sign int) string {
	if b == "" {
		return a
	}
	ca, ra := splitCell(a)
	cb, rb := splitCell(b)
	if sign*(len(cb)-len(ca)) > 0 || len(ca) == len(cb) && sign*strings.Compare(cb, ca) > 0 {
		ca = cb
	}
	if sign*(rb-ra) > 0 {
		ra = rb
	}
	return ca + strconv.Itoa(ra)
}

func splitCell(cell string) (column string, row int) {
	at := strings.IndexAny(cell, "0123456789")
	if at < 0 {
		return cell, 0
	}
	row, err := strconv.Atoi(cell[at:])
	if err != nil {
		row = 0
	}
	return cell[:at], row
}

// nameOf is a heading as it stands in a path.
func nameOf(doc Document, b Block) string {
	if b.Start < 0 || b.Start > b.End || b.End > len(doc.Text) {
		return ""
	}
	return headingName(doc.Text[b.Start:b.End])
}

// clock words a time of a recording: 3:25, 1:02:09.
func clock(seconds int) string {
	minutes := fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	if seconds >= 3600 {
		minutes = fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return minutes
}
