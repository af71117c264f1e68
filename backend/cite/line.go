package cite

import (
	"strings"

	"footnote/backend/pattern"
)

// lineState is what the parser knows about the lines of a text.
type lineState struct {
	start    bool   // at the first character of a line
	verbatim bool   // the rest of this line is code or a definition
	fence    string // the ticks or tildes that opened a code block
	blank    bool   // the line before was blank
	list     bool   // the last unindented line was a list item
}

var (
	fenceLine  = pattern.New("^[ \t]*(`{3,}|~{3,})")
	fenceStart = pattern.New("^[ \t]*(?:`*|~*)$")
	definition = pattern.New(`^ {0,3}\[\^?[^\s\[\]]{1,24}\]:`)
	defStart   = pattern.New(`^ {0,3}(?:\[(?:\^?(?:[^\s\[\]]{0,24}\]?)?)?)?$`)
	listLine   = pattern.New(`^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]`)
)

// startLine decides what kind of line begins and reads its head. Only the first
// longestMark bytes count.
func (p *Parser) startLine(final bool) int {
	head, _, whole := strings.Cut(p.buf, "\n")
	whole = whole || final || len(head) >= longestMark
	head = head[:min(len(head), longestMark)]
	if p.line.fence != "" {
		return p.fencedLine(head, whole)
	}
	if !whole && undecidedLine(head) {
		return 0
	}
	p.line.enter(head)
	if p.line.verbatim {
		return p.copyLine()
	}
	return p.step(final)
}

const blanks = " \t\r"

// enter begins a line that is no part of a code block.
func (l *lineState) enter(head string) {
	indented := strings.HasPrefix(head, "    ") || strings.HasPrefix(head, "\t")
	empty := strings.Trim(head, blanks) == ""
	switch m := fenceLine.FindStringSubmatch(head); {
	case m != nil:
		l.fence, l.verbatim = m[1], true
	case definition.MatchString(head):
		l.verbatim = true
	case empty:
	case indented && l.blank && !l.list:
		l.verbatim = true
	case listLine.MatchString(head):
		l.list = true
	case !strings.HasPrefix(head, " ") && !strings.HasPrefix(head, "\t"):
		l.list = false
	}
	l.start = false
	l.blank = empty || l.verbatim && l.fence == "" && indented
}

// undecidedLine reports whether the head of a line may still become a fence, a
// definition, a list item or code.
func undecidedLine(head string) bool {
	return strings.Trim(head, blanks) == "" || fenceStart.MatchString(head) || defStart.MatchString(head) ||
		len(strings.TrimLeft(head, " \t")) < 5 && strings.Trim(head, " \t0123456789.)-*+") == ""
}

// fencedLine copies a line of a code block, and ends the block at its fence.
func (p *Parser) fencedLine(head string, whole bool) int {
	tick := p.line.fence[:1]
	line := strings.Trim(head, " \t")
	fence := strings.Trim(line, tick) == ""
	if !whole && fence {
		return 0
	}
	if fence && len(line) >= len(p.line.fence) && len(head) < longestMark {
		p.line.fence = ""
	}
	p.line.start, p.line.verbatim = false, true
	return p.copyLine()
}

// copyLine passes the rest of a line that is not read for marks.
func (p *Parser) copyLine() int {
	n := strings.IndexByte(p.buf, '\n')
	if n == 0 {
		p.endLine()
		return 1
	}
	if n < 0 {
		n = len(p.buf)
	}
	p.write(p.buf[:n])
	return n
}

// endLine writes a line end and gets ready for the next line.
func (p *Parser) endLine() {
	p.write("\n")
	p.line.start, p.line.verbatim = true, false
	p.depth, p.dest, p.code = 0, 0, ""
}

// openCode reads the backticks that open a code span. A span ends at as many
// backticks, or with its line.
func (p *Parser) openCode(final bool) int {
	n, whole := p.ticks(final)
	if !whole {
		return 0
	}
	p.code = p.buf[:n]
	p.write(p.code)
	return n
}

// ticks counts the backticks at the front, as many as a mark may have bytes; whole
// is false where more of them may come.
func (p *Parser) ticks(final bool) (n int, whole bool) {
	head := p.buf[:min(len(p.buf), longestMark)]
	n = len(head) - len(strings.TrimLeft(head, "`"))
	return n, n < len(p.buf) || n == longestMark || final
}

// copyCode passes a code span up to its end.
func (p *Parser) copyCode(final bool) int {
	n := strings.IndexAny(p.buf, "`\n")
	switch {
	case n < 0:
		p.write(p.buf)
		return len(p.buf)
	case n > 0:
		p.write(p.buf[:n])
		return n
	case p.buf[0] == '\n':
		p.endLine()
		return 1
	}
	ticks, whole := p.ticks(final)
	if !whole {
		return 0
	}
	if ticks == len(p.code) {
		p.code = ""
	}
	p.write(p.buf[:ticks])
	return ticks
}
