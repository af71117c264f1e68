package pdf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	pdf "github.com/ledongthuc/pdf"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
)

const (
	maxLabel     = 32     // letters of a label; a longer one is none
	maxLabelNode = 10_000 // nodes and ranges of the tree of labels; a tree that contains itself ends here
	maxRoman     = 3999   // the largest number that is written in Roman letters
)

// labelRange numbers the pages from one on.
type labelRange struct {
	first  int // page, from 0
	prefix string
	style  string // "D", "R", "r", "A", "a"; empty when there is only the prefix
	start  int    // the number of the first page
}

// labelPages gives pages the numbers that are printed on them, as the document's
// number tree of page labels has them.
func labelPages(tree pdf.Value, pages []layout.Page) {
	left := maxLabelNode
	ranges := labelRanges(tree, 0, &left)
	for i, r := range ranges {
		end := len(pages)
		if i+1 < len(ranges) {
			end = min(end, ranges[i+1].first)
		}
		for page := max(r.first, 0); page < end; page++ {
			pages[page].Label = r.label(page)
		}
	}
}

// labelRanges reads the ranges of a node and of those below it, in order. What
// is damaged is left out.
func labelRanges(node pdf.Value, depth int, left *int) (ranges []labelRange) {
	defer func() { _ = recover() }() // the parser's, of a damaged entry: what was read before it counts
	if *left--; depth > maxTreeDepth || *left < 0 {
		return nil
	}
	if kids := lookUp(node, "Kids"); kids.Kind() == pdf.Array {
		for i := range kids.Len() {
			ranges = append(ranges, labelRanges(kids.Index(i), depth+1, left)...)
		}
	}
	nums := lookUp(node, "Nums")
	for i := 0; i+1 < nums.Len() && *left > 0; i += 2 {
		*left--
		at, value := nums.Index(i), nums.Index(i+1)
		if at.Kind() != pdf.Integer || value.Kind() != pdf.Dict {
			continue
		}
		start := 1
		if st := lookUp(value, "St"); st.Kind() == pdf.Integer && st.Int64() > 0 {
			start = int(st.Int64())
		}
		ranges = append(ranges, labelRange{int(at.Int64()), format.Clean(lookUp(value, "P").Text(), false), lookUp(value, "S").Name(), start})
	}
	return ranges
}

// label is what is printed on a page of the range; empty when nothing useful is.
func (r labelRange) label(page int) string {
	n, number := r.start+page-r.first, ""
	switch r.style {
	case "D":
		number = strconv.Itoa(n)
	case "R":
		number = roman(n)
	case "r":
		number = strings.ToLower(roman(n))
	case "A":
		number = letters(n)
	case "a":
		number = strings.ToLower(letters(n))
	}
	return usefulLabel(r.prefix + number)
}

// usefulLabel is a label as it is shown; empty when it is too long to be one.
func usefulLabel(label string) string {
	if label = strings.TrimSpace(label); utf8.RuneCountInString(label) > maxLabel {
		return ""
	}
	return label
}

// roman writes a number in Roman letters; one that is too large, in digits.
func roman(n int) string {
	if n < 1 || n > maxRoman {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, digit := range []struct {
		worth int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= digit.worth; n -= digit.worth {
			out.WriteString(digit.sign)
		}
	}
	return out.String()
}

// letters counts A to Z, AA to ZZ, AAA to ZZZ and so on, as PDF does.
func letters(n int) string {
	if n < 1 || n > 26*maxLabel {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('A'+(n-1)%26)), (n-1)/26+1)
}
