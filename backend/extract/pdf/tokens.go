package pdf

import "strconv"

// operand is what stands before an operator in a page's content: a number, a
// name, a string or an array. Dictionaries and the rest have none of these.
type operand struct {
	kind  byte // 'n', '/', '(', '[' or 0
	num   float64
	text  string // of names and strings
	items []operand
}

const (
	maxOperands = 1000 // before one operator; more are dropped
	maxNesting  = 20   // of arrays and dictionaries
)

// tokens reads the content of a page. It never fails: what it cannot read it
// steps over, and an open string or array ends with the content.
type tokens struct {
	in  []byte
	pos int
}

// run calls do for each operator with its operands, which are only valid during
// the call.
func (t *tokens) run(do func(op string, args []operand)) {
	var args []operand
	for {
		t.space()
		if t.pos >= len(t.in) {
			return
		}
		if o, ok := t.operand(0); ok {
			if len(args) < maxOperands {
				args = append(args, o)
			}
			continue
		}
		op := t.word()
		switch op {
		case "":
			t.pos++ // a stray delimiter
			continue
		case "true", "false", "null":
			args = append(args, operand{})
			continue
		case "ID":
			t.image()
		default:
			do(op, args)
		}
		args = args[:0]
	}
}

func (t *tokens) space() {
	for t.pos < len(t.in) {
		switch c := t.in[t.pos]; {
		case isPDFSpace(c):
			t.pos++
		case c == '%':
			for t.pos < len(t.in) && t.in[t.pos] != '\n' && t.in[t.pos] != '\r' {
				t.pos++
			}
		default:
			return
		}
	}
}

// operand reads an operand, if one stands here.
func (t *tokens) operand(depth int) (operand, bool) {
	switch c := t.in[t.pos]; {
	case c == '/':
		t.pos++
		return operand{kind: '/', text: unescapeName(t.word())}, true
	case c == '(':
		return operand{kind: '(', text: t.literal()}, true
	case c == '<' && t.at(1) == '<':
		t.pos += 2
		t.collect(depth, '>')
		return operand{}, true
	case c == '<':
		return operand{kind: '(', text: t.hex()}, true
	case c == '[':
		t.pos++
		return operand{kind: '[', items: t.collect(depth, ']')}, true
	case c >= '0' && c <= '9', c == '+', c == '-', c == '.':
		return t.number(), true
	}
	return operand{}, false
}

func (t *tokens) at(ahead int) byte {
	if t.pos+ahead < len(t.in) {
		return t.in[t.pos+ahead]
	}
	return 0
}

// collect reads operands up to the closing delimiter; words between are dropped.
func (t *tokens) collect(depth int, closing byte) []operand {
	var items []operand
	for {
		t.space()
		if t.pos >= len(t.in) {
			return items
		}
		if c := t.in[t.pos]; c == closing {
			t.pos++
			if closing == '>' && t.at(0) == '>' {
				t.pos++
			}
			return items
		}
		if depth < maxNesting {
			if o, ok := t.operand(depth + 1); ok {
				items = append(items, o)
				continue
			}
		}
		if t.word() == "" {
			t.pos++
		}
	}
}

// word reads regular characters.
func (t *tokens) word() string {
	start := t.pos
	for t.pos < len(t.in) {
		switch c := t.in[t.pos]; {
		case isPDFSpace(c), c == '(', c == ')', c == '<', c == '>', c == '[', c == ']', c == '{', c == '}', c == '/', c == '%':
			return string(t.in[start:t.pos])
		}
		t.pos++
	}
	return string(t.in[start:])
}

// number reads a number as viewers do: of "--5" or "1.2.3" what makes sense.
func (t *tokens) number() operand {
	start, dot := t.pos, false
	for t.pos < len(t.in) {
		c := t.in[t.pos]
		if c == '.' && dot || (c == '-' || c == '+') && t.pos > start && t.in[t.pos-1] != '-' {
			break
		}
		if c != '.' && c != '-' && c != '+' && (c < '0' || c > '9') {
			break
		}
		dot = dot || c == '.'
		t.pos++
	}
	text := t.in[start:t.pos]
	for len(text) > 1 && text[0] == '-' && text[1] == '-' {
		text = text[1:]
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		n = 0
	}
	if t.pos == start {
		t.pos++
	}
	return operand{kind: 'n', num: n}
}

// literal reads a string in brackets.
func (t *tokens) literal() string {
	var out []byte
	t.pos++
	for depth := 1; t.pos < len(t.in); t.pos++ {
		c := t.in[t.pos]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				t.pos++
				return string(out)
			}
		case '\\':
			t.pos++
			out = t.escape(out)
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// escape reads what follows a backslash; pos stays on its last byte.
func (t *tokens) escape(out []byte) []byte {
	c := t.at(0)
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\r':
		if t.at(1) == '\n' {
			t.pos++
		}
		return out
	case '\n':
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	n := 0
	for i := 0; i < 3 && t.at(0) >= '0' && t.at(0) <= '7'; i++ {
		n = n*8 + int(t.at(0)-'0')
		t.pos++
	}
	t.pos--
	return append(out, byte(n))
}

func (t *tokens) hex() string {
	start := t.pos + 1
	for t.pos < len(t.in) && t.in[t.pos] != '>' {
		t.pos++
	}
	text := unhex(t.in[start:max(start, t.pos)])
	t.pos++
	return string(text)
}

// image steps over the bytes of a picture in the content: up to EI between
// white space, with nothing binary right after.
func (t *tokens) image() {
	for i := t.pos + 1; i+2 < len(t.in); i++ {
		if t.in[i] != 'E' || t.in[i+1] != 'I' || !isPDFSpace(t.in[i-1]) || !isPDFSpace(t.in[i+2]) {
			continue
		}
		after := t.in[i+2 : min(i+20, len(t.in))]
		plain := true
		for _, c := range after {
			plain = plain && (c < 127 && c >= ' ' || isPDFSpace(c) && c != 0)
		}
		if plain {
			t.pos = i + 2
			return
		}
	}
	t.pos = len(t.in)
}

func unescapeName(name string) string {
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		if name[i] == '#' && i+2 < len(name) {
			if n, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, name[i])
	}
	return string(out)
}
