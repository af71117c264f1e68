package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/extract/format"
	"footnote/backend/plain"
)

// setting is how the lines of a paragraph were broken: at a width, or where their
// author wanted an end.
type setting struct {
	lines  []string
	width  int
	ragged bool   // broken at a width, if not always at the last word that had room
	items  []bool // by line, whether it stands in an item of a list, further in than its mark
	hangs  []bool // and whether it goes on the sentence that the item begins with
}

// Widths that text is wrapped at, and the shortest line that is taken for wrapped.
const (
	leastWidth, mostWidth = 50, 140
	leastWrapped          = 35
)

func typeset(lines []string) setting {
	s := setting{lines: lines}
	s.items, s.hangs = itemised(lines)
	for _, l := range lines {
		s.width = max(s.width, plain.Columns(l))
	}
	broken, ends := 0, 0
	for i := 1; i < len(lines); i++ {
		switch {
		case bullet.MatchString(lines[i]):
		case s.goesOn(i) || s.hangs[i]:
			broken += 2 // an author's line seldom begins low, but may be as long as the width
		case s.wrapped(i):
			broken++
		case !endsSentence(lines[i-1]):
			ends++
		}
	}
	s.ragged = broken > ends
	return s
}

// flows reports whether line i goes on the sentence or the paragraph of the line
// before it, which is broken at a width.
func (s setting) flows(i int) bool {
	before := s.lines[i-1]
	if strings.HasSuffix(before, ":") && indentOf(s.lines[i]) > indentOf(before) {
		return false
	}
	return s.hangs[i] || s.ragged && (s.wrapped(i) || s.goesOn(i) || s.long(before, s.width*3/5) && !endsSentence(before))
}

// wrapped reports whether the line before line i ends at the width: the first word
// of line i did not fit any more.
func (s setting) wrapped(i int) bool {
	before, word := s.lines[i-1], openingWord(s.lines[i])
	blank := 1
	if r, _ := utf8.DecodeRuneInString(word); format.IsUnspaced(r) {
		blank = 0
	}
	return s.long(before, leastWrapped) && plain.Columns(before)+blank+plain.Columns(word) > s.width
}

// openingWord is what has to stand on one line with the beginning of line: its first
// word, or in scripts without blanks a letter with the marks that may not begin a line.
func openingWord(line string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	for i, r := range word {
		if i == 0 && !format.IsUnspaced(r) {
			return word
		}
		if i > 0 && !unicode.IsPunct(r) {
			return word[:i]
		}
	}
	return word
}

// goesOn reports whether line i begins inside a sentence that the line before it
// leaves open. Where the first line begins low too, these may be commands or names.
func (s setting) goesOn(i int) bool {
	return beginsLow(s.lines[i]) && !beginsLow(s.lines[0]) && s.long(s.lines[i-1], s.width/2) && !strings.HasSuffix(s.lines[i-1], ";") && !endsSentence(s.lines[i-1])
}

// beginsLow reports whether line begins with a word, no name of a program's, in small
// letters.
func beginsLow(line string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(first) && strings.IndexFunc(strings.TrimRight(word, "\r"+`.,;:!?)]"'”’»`), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("-'’‐/", r)
	}) < 0
}

// indentOf counts the columns before the first word of line.
func indentOf(line string) int {
	columns := 0
	for _, r := range line {
		switch r {
		case ' ':
			columns++
		case '\t':
			columns += tabStop - columns%tabStop
		default:
			return columns
		}
	}
	return columns
}

const tabStop = 8

// itemised tells of each line whether it stands in an item of a list, and whether it
// goes on the item's first sentence.
func itemised(lines []string) (items, hangs []bool) {
	items, hangs = make([]bool, len(lines)), make([]bool, len(lines))
	mark, open := -1, false // the line with the mark of the last item, and whether its sentence goes on
	for i, line := range lines {
		if bullet.MatchString(line) {
			mark, open = i, true
			continue
		}
		open = open && beginsLow(line) && !endsSentence(lines[i-1])
		items[i] = mark >= 0 && indentOf(line) > indentOf(lines[mark])
		hangs[i] = items[i] && open
	}
	return items, hangs
}

func (s setting) long(line string, least int) bool {
	return s.width >= leastWidth && s.width <= mostWidth && plain.Columns(line) >= max(leastWrapped, least)
}

// endsSentence reports whether a sentence, or what leads to a list, ends with line.
func endsSentence(line string) bool {
	line = strings.TrimRightFunc(line, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Quotation_Mark)
	})
	last, _ := utf8.DecodeLastRuneInString(line)
	return unicode.Is(unicode.Sentence_Terminal, last) || last == ':' || last == '：'
}
