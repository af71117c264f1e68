package cite

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PieceKind says what a piece of parsed text is.
type PieceKind uint8

// Kinds of piece.
const (
	Text   PieceKind = iota // canonical text to append
	Marker                  // a mark of a source, canonical "[n]"
	Drop                    // a mark that was taken out; its Text is empty
)

// Reasons why a mark was taken out.
const (
	NoSuchSource = "no-such-source"
	Malformed    = "malformed"
)

// Piece is a part of a parsed answer. The Text of all Text and Marker pieces,
// joined, is the canonical answer.
type Piece struct {
	Kind   PieceKind
	Text   string // what to append to the canonical answer
	N      int    // of a Marker: the source; of a Drop: the number that names none
	Raw    string // of a Marker or Drop: the mark as the model wrote it
	Reason string // of a Drop
}

// Parser finds the marks of sources in an answer while it is written. It takes
// every common way to write a mark and turns it into [n]; code, years, array
// indexes, links and definitions stay as they are. The result does not depend on
// how the text was cut into chunks, and no more is held back than what may still
// turn out to be a mark. A Parser reads one answer and is not safe for
// concurrent use.
type Parser struct {
	sources int
	strict  bool // only [n] is a mark, and it may name any source

	buf   string  // whole characters not yet read
	half  string  // the bytes of a character whose end is still to come
	out   []Piece // not yet handed out
	tail  string  // the last characters read, for what depends on them
	line  lineState
	code  string // backticks that opened a code span
	depth int    // open brackets that are text
	dest  int    // open parentheses of a link's address
	group []int  // sources marked side by side here

	gap     int  // spaces not yet written: a dropped mark takes them along
	dropped bool // a mark was dropped just now
	blank   bool // nothing stands on the written line yet
}

// NewParser starts to read an answer that may cite sources 1 to sources.
func NewParser(sources int) *Parser {
	return &Parser{sources: sources, line: lineState{start: true, blank: true}, blank: true}
}

// Feed reads the next chunk and returns the pieces it settled, nil when none.
func (p *Parser) Feed(chunk string) []Piece {
	chunk = p.half + chunk
	whole := len(chunk) - halfCharacter(chunk)
	p.half = chunk[whole:]
	p.buf += chunk[:whole]
	return p.run(false)
}

// halfCharacter is how many bytes at the end of s begin a character without
// ending it.
func halfCharacter(s string) int {
	for back := 1; back < utf8.UTFMax && back <= len(s); back++ {
		if tail := s[len(s)-back:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return back
		}
	}
	return 0
}

// Close reads what was held back and returns the last pieces.
func (p *Parser) Close() []Piece {
	p.buf += p.half
	p.half = ""
	pieces := p.run(true)
	if p.dropped {
		p.gap = 0
	}
	p.flush()
	return append(pieces, p.out...)
}

func (p *Parser) run(final bool) []Piece {
	for p.buf != "" {
		n := p.step(final)
		if n == 0 {
			break
		}
		p.note(p.buf[:n])
		p.buf = p.buf[n:]
	}
	pieces := p.out
	p.out = nil
	return pieces
}

// note remembers what was read.
func (p *Parser) note(raw string) {
	const kept = 48
	p.tail += raw
	if len(p.tail) > kept {
		p.tail = strings.Clone(p.tail[len(p.tail)-kept:])
	}
}

// step reads one thing at the front of the buffer and returns its length; 0
// means it cannot be told yet.
func (p *Parser) step(final bool) int {
	if p.line.start {
		return p.startLine(final)
	}
	switch {
	case p.line.verbatim:
		return p.copyLine()
	case p.code != "":
		return p.copyCode(final)
	case p.dest > 0:
		return p.copyAddress()
	}
	if len(p.group) > 0 {
		if n, decided := p.beside(final); !decided || n > 0 {
			return n
		}
	}
	return p.inline(final)
}

// inline reads running text, or the thing that opens at the front.
func (p *Parser) inline(final bool) int {
	if n := strings.IndexAny(p.buf, specials); n != 0 {
		if n < 0 {
			n = len(p.buf)
		}
		p.write(p.buf[:n])
		return n
	}
	switch r, n := utf8.DecodeRuneInString(p.buf); r {
	case '\n':
		p.endLine()
		return n
	case '`':
		return p.openCode(final)
	case '[', '【', '［', '〔':
		return p.mark(p.readMark(p.tail, p.buf, final), n)
	case '(', '（':
		return p.mark(p.wrapped(readParen(p.buf, final)), n)
	case '^', '$':
		return p.mark(p.wrapped(p.readCaret(final)), n)
	case '<':
		return p.mark(p.wrapped(readSup(p.buf, last(p.tail), final)), n)
	case 'S':
		return p.mark(p.wrapped(p.readName(final)), n)
	case '\\':
		return p.escape(final)
	case ']':
		return p.closeText(final)
	default: // a raised digit
		return p.mark(p.wrapped(p.readRaised(final)), n)
	}
}

const specials = "\n`[【［〔(（<S\\]^$" + raisedDigits

// wrapped takes forms other than [n] for text where they may not be read.
func (p *Parser) wrapped(f form) form {
	if p.strict || p.depth > 0 {
		return form{reading: unmarked}
	}
	return f
}

func (p *Parser) readName(final bool) form {
	if isWordByte(last(p.tail)) || strings.HasSuffix(strings.ToLower(p.tail), "open ") {
		return form{reading: unmarked}
	}
	return readNamed(p.buf, final)
}

// mark acts on what was read at the front; n is the length of its first character.
func (p *Parser) mark(f form, n int) int {
	switch f.reading {
	case undecided:
		return 0
	case reference:
		if p.yearsOnly(f.numbers) {
			break
		}
		p.writeMark(f.numbers, p.buf[:f.size])
		return f.size
	case broken:
		if p.strict {
			break
		}
		p.drop(0, p.buf[:f.size], Malformed)
		return f.size
	}
	if p.buf[0] == '[' {
		p.depth++
	}
	p.write(p.buf[:n])
	return n
}

// yearsOnly reports whether numbers are years and not sources.
func (p *Parser) yearsOnly(numbers []int) bool {
	for _, n := range numbers {
		if !looksLikeYear(n) || n <= p.sources {
			return false
		}
	}
	return true
}

// beside reads a mark that stands next to the one before it, apart from a comma
// and a space. n is 0 when there is none.
func (p *Parser) beside(final bool) (n int, decided bool) {
	n = len(p.buf) - len(strings.TrimLeft(p.buf, " ,;"))
	switch {
	case n == 0:
		return p.rangeOn(final)
	case n > 2 || p.strict:
		p.group = nil
		return 0, true
	case n == len(p.buf) && !final:
		return 0, false
	}
	if r, _ := utf8.DecodeRuneInString(p.buf[n:]); strings.ContainsRune("[【［〔", r) {
		f := p.readMark(p.buf[:n], p.buf[n:], final)
		if f.reading == undecided {
			return 0, false
		}
		if f.reading == reference && !p.yearsOnly(f.numbers) {
			p.writeMark(f.numbers, p.buf[n:n+f.size])
			return n + f.size, true
		}
	}
	p.group = nil
	return 0, true
}

// escape reads \[1\]; any other escaped character is text.
func (p *Parser) escape(final bool) int {
	if f := readEscape(p.buf, final); !p.strict && p.depth == 0 && f.reading != unmarked {
		return p.mark(f, 1)
	}
	if len(p.buf) == 1 && !final {
		return 0
	}
	_, n := utf8.DecodeRuneInString(p.buf[1:])
	if strings.HasPrefix(p.buf[1:], "\n") {
		n = 0
	}
	p.write(p.buf[:1+n])
	return 1 + n
}

// closeText reads a closing bracket that is text, and the parenthesis of an
// address behind it.
func (p *Parser) closeText(final bool) int {
	if p.depth == 0 {
		p.write("]")
		return 1
	}
	if len(p.buf) == 1 && !final {
		return 0
	}
	p.depth--
	if p.depth == 0 && strings.HasPrefix(p.buf[1:], "(") {
		p.dest = 1
		p.write("](")
		return 2
	}
	p.write("]")
	return 1
}

// copyAddress passes the address of a link.
func (p *Parser) copyAddress() int {
	n := strings.IndexAny(p.buf, "()\n")
	switch {
	case n < 0:
		n = len(p.buf)
	case p.buf[n] == '\n':
		p.dest = 0
		if n == 0 {
			p.endLine()
			return 1
		}
	case p.buf[n] == '(':
		p.dest++
		n++
	default:
		p.dest--
		n++
	}
	p.write(p.buf[:n])
	return n
}

// writeMark appends the marks of the sources that exist and drops the others.
func (p *Parser) writeMark(numbers []int, raw string) {
	for _, n := range numbers {
		switch {
		case p.strict || 1 <= n && n <= p.sources:
			if !p.strict && slices.Contains(p.group, n) {
				continue
			}
			p.flush()
			p.group = append(p.group, n)
			p.out = append(p.out, Piece{Kind: Marker, Text: fmt.Sprintf("[%d]", n), N: n, Raw: raw})
			p.blank, p.dropped = false, false
		default:
			p.drop(n, raw, NoSuchSource)
		}
	}
}

func (p *Parser) drop(n int, raw, reason string) {
	p.out = append(p.out, Piece{Kind: Drop, N: n, Raw: raw, Reason: reason})
	p.dropped = true
}

// write appends canonical text; spaces at its end wait for what follows.
func (p *Parser) write(s string) {
	if s == "" {
		return
	}
	p.group = nil
	if p.dropped {
		s = p.closeUp(s)
	}
	kept := strings.TrimRight(s, " ")
	if kept != "" {
		p.flush()
		p.out = append(p.out, Piece{Kind: Text, Text: kept})
		p.blank = strings.HasSuffix(kept, "\n")
	}
	p.gap += len(s) - len(kept)
}

// closeUp removes the space that a dropped mark leaves behind.
func (p *Parser) closeUp(s string) string {
	if p.blank && p.gap == 0 {
		s = strings.TrimLeft(s, " ")
		p.dropped = s == ""
		return s
	}
	p.dropped = false
	if r, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(r) || closesUp(r) {
		p.gap = 0
	}
	return s
}

// closesUp reports whether r is punctuation that stands without a space before it.
func closesUp(r rune) bool {
	return unicode.IsPunct(r) && !unicode.In(r, unicode.Ps, unicode.Pi) && !strings.ContainsRune("\"'*_`#@&\\/-–", r)
}

func (p *Parser) flush() {
	if p.gap > 0 {
		p.out = append(p.out, Piece{Kind: Text, Text: strings.Repeat(" ", p.gap)})
		p.gap = 0
	}
}

func last(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

func isWordByte(b byte) bool {
	return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || b >= 0x80
}
