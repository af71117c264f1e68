package cite

import "strings"

// codeNames are words that hardly stand before a citation but often before an
// array index.
var codeNames = setOf([]string{"arr", "array", "argv", "args", "lst", "vec", "nums", "buf", "str", "dict", "obj", "elem",
	"idx", "tmp", "res", "ptr", "xs", "ys", "matrix", "grid", "dp", "params", "tokens"}, nil)

// readMark reads a bracket together with what decides whether it is a mark: the
// text before, the characters behind, an address.
func (p *Parser) readMark(before, text string, final bool) form {
	if p.strict && !strings.HasPrefix(text, "[") {
		return form{reading: unmarked}
	}
	f := readBracket(text, final)
	if f.reading != reference {
		return f
	}
	if p.strict && markLen(text) != f.size {
		return form{reading: unmarked}
	}
	switch indexed(before, text[f.size:], final) {
	case undecided:
		return form{}
	case reference:
		return form{reading: unmarked}
	}
	return p.withAddress(f, text, final)
}

// indexed says whether a bracket between before and after is an array index:
// reference when it is, plain when it is none.
func indexed(before, after string, final bool) reading {
	for strings.HasSuffix(before, "]") {
		open := strings.LastIndexByte(before, '[')
		if open < 1 || strings.ContainsAny(before[open:], " \n") || !isWordByte(before[open-1]) && before[open-1] != ']' {
			return unmarked
		}
		if strings.Trim(before[open:], "[]^0123456789") != "" {
			return reference // a[i][1]
		}
		before = before[:open]
	}
	name := before[len(strings.TrimRightFunc(before, func(r rune) bool { return r < 0x80 && isWordByte(byte(r)) })):]
	switch {
	case strings.Trim(name, "0123456789") == "":
		return unmarked
	case strings.Contains(name, "_"), len(name) == 1 && name >= "a", codeNames[name]:
		return reference
	}
	return codeBehind(after, final)
}

// codeBehind says whether what follows a bracket is how code goes on: =, +=, .name.
func codeBehind(after string, final bool) reading {
	s := scanner{text: after, final: final}
	c := s.peek(0)
	if c == ' ' {
		s.at++
		c = s.peek(0)
	}
	is := unmarked
	switch {
	case c == '=':
		is = reference
	case c == '+' || c == '-':
		if d := s.peek(1); d == '=' || c == '+' && d == '+' {
			is = reference
		}
	case c == '.' && s.at == 0:
		if d := s.peek(1); 'a' <= d && d <= 'z' || d == '_' {
			is = reference
		}
	}
	if s.starved {
		return undecided
	}
	return is
}

// withAddress takes the address behind a mark along: [1](https://…). Addresses
// are never taken from a model's text.
func (p *Parser) withAddress(f form, text string, final bool) form {
	after := text[f.size:]
	if after == "" && !final {
		return form{}
	}
	if !strings.HasPrefix(after, "(") {
		return f
	}
	end := addressEnd(after[:min(len(after), longestAddress)])
	inner := after[1:]
	if end > 0 {
		inner = after[1:end]
	}
	switch {
	case addressLike(inner, end < 0 && !final) == unmarked:
		return f
	case end > 0 && end < longestAddress && after[end] == ')':
		if p.strict || p.yearsOnly(f.numbers) {
			return form{reading: unmarked}
		}
		f.size += end + 1
		return f
	case end >= 0 || final || len(after) >= longestAddress:
		return f
	}
	return form{}
}

// addressEnd finds the parenthesis that closes the one s opens with, or the
// white space that comes first; -1 when neither is there.
func addressEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case ' ', '\n':
			return i
		}
	}
	return -1
}

// addressLike says whether s begins like an address; undecided when it is too
// short to tell and more may come.
func addressLike(s string, open bool) reading {
	for _, head := range []string{"http://", "https://", "www.", "mailto:", "#", "/", "./", "<http"} {
		if strings.HasPrefix(s, head) {
			return reference
		}
		if open && strings.HasPrefix(head, s) {
			return undecided
		}
	}
	return unmarked
}
