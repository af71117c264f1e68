package markup

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sheet is how a plain text is set as a whole: how wide its lines are, and whether
// its text stands further in than its titles.
type sheet struct {
	width    int
	indented bool
}

// leastSet is how many lines show how a text is set.
const leastSet = 8

func sheetOf(lines []string) sheet {
	var widths []int
	in := 0
	for _, l := range lines {
		if width := utf8.RuneCountInString(strings.TrimRight(l, " \t\r\f")); width >= leastWrapped {
			widths = append(widths, width)
			if indentOf(l) > 1 {
				in++
			}
		}
	}
	if len(widths) < leastSet {
		return sheet{}
	}
	slices.Sort(widths)
	width := widths[len(widths)*9/10]
	if width < leastWidth || width > mostWidth {
		return sheet{}
	}
	return sheet{width: width, indented: in*5 >= len(widths)*4}
}

var numberedTitle = regexp.MustCompile(`^\s{0,4}([0-9]{1,3}(?:\.[0-9]{1,3})*)\.?\s+(\S.*)$`)
var gapOrLeader = regexp.MustCompile(`\S(\s{2,}|\t|\s?\.\s?\.\s?\.)`)

// title is the level of the heading that the lines between two blank ones begin
// with, of which the first is it, 0 for none. before and next are the lines before
// and after the blank ones.
func (s sheet) title(before, lines, next []string) int {
	if s.width == 0 {
		return 0
	}
	if s.centred(lines) {
		return 1
	}
	if len(lines) > 1 || len(next) == 0 {
		return 0
	}
	line := strings.TrimRight(lines[0], " \t\r")
	if m := numberedTitle.FindStringSubmatch(line); m != nil {
		if !sibling(before, m[1]) && !sibling(next, m[1]) && s.short(strings.TrimSuffix(m[2], ".")) {
			return 2 + strings.Count(m[1], ".")
		}
		return 0
	}
	if s.indented && indentOf(line) == 0 && indentOf(next[0]) > 0 && s.short(line) {
		return 2
	}
	return 0
}

// sibling reports whether lines are one that is numbered as deep as number: an item
// of the same list.
func sibling(lines []string, number string) bool {
	if len(lines) != 1 {
		return false
	}
	m := numberedTitle.FindStringSubmatch(lines[0])
	return m != nil && strings.Count(m[1], ".") == strings.Count(number, ".")
}

// centred reports whether each of the lines has as much room before it as behind.
func (s sheet) centred(lines []string) bool {
	if len(lines) > mostCentred {
		return false
	}
	for _, l := range lines {
		before := indentOf(l)
		words := strings.TrimSpace(l)
		behind := s.width - before - utf8.RuneCountInString(words)
		if before < s.width/8 || max(before-behind, behind-before) > s.width/6 || gapOrLeader.MatchString(words) {
			return false
		}
	}
	return s.short(strings.TrimSpace(lines[0]))
}

const mostCentred = 4 // lines: a title, what it is of, who wrote it, when

// short reports whether words may be a title: few, begun large, and no sentence.
func (s sheet) short(words string) bool {
	first, _ := utf8.DecodeRuneInString(words)
	last, _ := utf8.DecodeLastRuneInString(words)
	if !unicode.IsLetter(first) || unicode.IsLower(first) || gapOrLeader.MatchString(words) || last == ',' || endsSentence(words) {
		return false
	}
	letters := 0
	for _, r := range words {
		if unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.IsMark(r) {
			letters++
		}
	}
	n := utf8.RuneCountInString(words)
	return n <= s.width*7/8 && letters*4 >= n*3
}
