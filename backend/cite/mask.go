package cite

import (
	"sort"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// A canonical text is cut into sentences on a mask of itself: as many bytes, in
// which what is no prose is blank and what would mislead the splitter is
// something harmless.

var (
	linePrefix  = pattern.New(`^[ \t]*(?:(?:>|[-*+]|\d{1,3}[.)]|\[[ xX]\])[ \t]+|#{1,6}[ \t]+|>)*`)
	headingLine = pattern.New(`^ {0,3}#{1,6}[ \t]`)
	ruleLine    = pattern.New(`^[ \t]*(?:[-*_=][ \t]*){3,}$`)
	tableRule   = pattern.New(`^[ \t|:-]*-[ \t|:-]*$`)
	listOfWorks = pattern.New(`^(?i)[\s#*_]*(?:sources|references|citations|bibliography|works cited)[\s*_:]*$`)
)

// tableRow is a row of a table with the text of its first cell.
type tableRow struct {
	span evidence.Span
	head string
	cell int // end of the first cell
}

// masker writes the mask of a text.
type masker struct {
	text  string
	mask  []byte
	rows  []tableRow
	fence string
	works bool // inside a list of works at the end
	open  bool // the line before can go on in this one
}

// mask returns the mask of a text and its table rows.
func mask(text string, marks []MarkerAt) (string, []tableRow) {
	m := masker{text: text, mask: []byte(text)}
	for start := 0; start < len(text); {
		end := start + strings.IndexByte(text[start:]+"\n", '\n')
		m.line(start, end)
		start = end + 1
	}
	m.emphasis()
	for i := range marks {
		m.marker(marks, i)
	}
	return string(m.mask), m.rows
}

// line masks one line without its end.
func (m *masker) line(start, end int) {
	line := m.text[start:end]
	heading := headingLine.MatchString(line)
	goesOn := m.open
	m.open = false
	switch f := fenceLine.FindStringSubmatch(line); {
	case m.fence != "":
		if t := strings.TrimSpace(line); len(t) >= len(m.fence) && strings.Trim(t, m.fence[:1]) == "" {
			m.fence = ""
		}
		m.blank(start, end)
		return
	case f != nil:
		m.fence = f[1]
		m.blank(start, end)
		return
	case listOfWorks.MatchString(line):
		m.works = true
	case heading:
		m.works = false
	}
	switch {
	case m.works || definition.MatchString(line) || ruleLine.MatchString(line):
		m.blank(start, end)
	case heading && len(Markers(line, 0)) == 0:
		m.blank(start, end)
	case strings.HasPrefix(strings.TrimSpace(line), "|"):
		m.row(start, end)
	default:
		head := len(linePrefix.FindString(line))
		m.blank(start, start+head)
		if goesOn && head == len(line)-len(strings.TrimLeft(line, " \t")) && start > 0 && head < len(line) {
			m.mask[start-1] = ' '
		}
		m.open = head < len(line)
	}
}

func (m *masker) blank(start, end int) {
	for i := start; i < end; i++ {
		m.mask[i] = ' '
	}
}

// row masks a table row: its cells become lines of their own.
func (m *masker) row(start, end int) {
	line := m.text[start:end]
	if tableRule.MatchString(line) {
		m.blank(start, end)
		return
	}
	r := tableRow{span: evidence.Span{Start: start, End: end}, cell: -1}
	for i := start; i < end; i++ {
		if m.text[i] != '|' || i > start && m.text[i-1] == '\\' {
			continue
		}
		m.mask[i] = '\n'
		if before := strings.Trim(m.text[start:i], "| \t"); r.cell < 0 && before != "" {
			r.cell, r.head = i, Plain(before)
		}
	}
	m.rows = append(m.rows, r)
}

// rowOf finds the row that a span lies in, and its name for any cell but the first.
func rowOf(rows []tableRow, at evidence.Span) (span evidence.Span, head string) {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].span.Start > at.Start }) - 1
	if i < 0 || at.End > rows[i].span.End {
		return evidence.Span{}, ""
	}
	if at.Start >= rows[i].cell {
		head = rows[i].head
	}
	return rows[i].span, head
}

// emphasis makes the asterisks of bold and italics parentheses, which may stand
// between a full stop and the next sentence.
func (m *masker) emphasis() {
	for i := 0; i < len(m.mask); {
		if m.mask[i] != '*' {
			i++
			continue
		}
		as := byte('(')
		if i > 0 && !strings.ContainsRune(" \t\n(", rune(m.mask[i-1])) {
			as = ')'
		}
		for ; i < len(m.mask) && m.mask[i] == '*'; i++ {
			m.mask[i] = as
		}
	}
}

const wideStop = "。"

// marker masks marker i. Behind a full stop it closes the sentence before it.
func (m *masker) marker(marks []MarkerAt, i int) {
	at := marks[i].Span
	if m.mask[at.Start] != '[' {
		return // in what is no prose
	}
	for k := at.Start; k < at.End; k++ {
		m.mask[k] = ')'
	}
	before := strings.TrimRight(string(m.mask[max(0, at.Start-16):at.Start]), " ")
	gap := at.Start - len(before) - max(0, at.Start-16)
	switch {
	case strings.HasSuffix(before, wideStop):
		stop := at.Start - gap - len(wideStop)
		for k := stop; k < at.End-len(wideStop); k++ {
			m.mask[k] = 'x'
		}
		copy(m.mask[at.End-len(wideStop):], wideStop)
	case strings.HasSuffix(strings.TrimRight(before, `)"']`), ".") || strings.HasSuffix(strings.TrimRight(before, `)"']`), "!") ||
		strings.HasSuffix(strings.TrimRight(before, `)"']`), "?"):
		for k := at.Start - gap; k < at.Start; k++ {
			m.mask[k] = ')'
		}
	}
}
