package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

const maxDepth = 64

// mend reads one JSON value that begins text and gives it in valid form, with
// the number of bytes it took; an empty value when there is none. It takes
// single quotes, bare keys, Python's words, line breaks in strings, comments and
// commas too many, and closes what a cut end left open.
func mend(text string) (value string, used int) {
	m := mender{in: text}
	for m.at < len(m.in) && m.step() {
	}
	if m.failed {
		return "", 0
	}
	m.closeAll()
	out := m.out.String()
	if !json.Valid([]byte(out)) {
		return "", 0
	}
	return out, m.at
}

type mender struct {
	in     string
	at     int
	out    strings.Builder
	open   []byte // closing brackets that are due
	comma  bool   // a comma is due before the next value
	failed bool
}

// step reads one token; false at the end of the value.
func (m *mender) step() bool {
	c := m.in[m.at]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		m.at++
	case strings.HasPrefix(m.in[m.at:], "//"):
		m.skipTo("\n")
	case strings.HasPrefix(m.in[m.at:], "/*"):
		m.skipTo("*/")
	case c == '{' || c == '[':
		m.begin()
		m.out.WriteByte(c)
		m.open = append(m.open, c+2) // } and ] stand two after { and [ in ASCII
		m.at++
		m.failed = len(m.open) > maxDepth
	case c == '}' || c == ']':
		if m.open[len(m.open)-1] != c {
			m.failed = true
			return false
		}
		m.comma = false
		m.end()
		m.at++
		return len(m.open) > 0
	case c == ',':
		m.comma = true
		m.at++
	case c == ':':
		m.out.WriteByte(':')
		m.at++
	case c == '"' || c == '\'':
		m.begin()
		m.quoted(c)
	case strings.HasPrefix(m.in[m.at:], "“"):
		m.begin()
		m.quotedUntil("”", len("“"))
	default:
		m.begin()
		m.bare()
	}
	return !m.failed
}

func (m *mender) skipTo(mark string) {
	if i := strings.Index(m.in[m.at:], mark); i >= 0 {
		m.at += i + len(mark)
		return
	}
	m.at = len(m.in)
}

func (m *mender) begin() {
	if m.comma {
		m.out.WriteByte(',')
	}
	m.comma = false
}

func (m *mender) end() {
	m.out.WriteByte(m.open[len(m.open)-1])
	m.open = m.open[:len(m.open)-1]
}

// closeAll ends what a cut text left open. A key without a value gets null.
func (m *mender) closeAll() {
	if len(m.open) == 0 {
		return
	}
	if strings.HasSuffix(m.out.String(), ":") {
		m.out.WriteString("null")
	}
	for len(m.open) > 0 {
		m.end()
	}
}

func (m *mender) quoted(quote byte) { m.quotedUntil(string(quote), 1) }

// quotedUntil copies a string in valid form. A quote inside a single-quoted
// string ends it only when the value can end there.
func (m *mender) quotedUntil(quote string, skip int) {
	m.at += skip
	var text strings.Builder
	for m.at < len(m.in) {
		rest := m.in[m.at:]
		switch {
		case strings.HasPrefix(rest, quote) && (quote == `"` || endsHere(rest[len(quote):])):
			m.at += len(quote)
			m.write(text.String())
			return
		case rest[0] == '\\' && len(rest) > 1:
			m.at += m.escape(rest, &text)
		default:
			r, n := utf8.DecodeRuneInString(rest)
			text.WriteRune(r)
			m.at += n
		}
	}
	m.write(text.String()) // cut inside a string
}

// endsHere reports whether what follows a quote can follow a string.
func endsHere(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || strings.ContainsRune(",:}]", rune(rest[0]))
}

// escape reads one escape sequence and tells its length.
func (m *mender) escape(rest string, text *strings.Builder) int {
	switch c := rest[1]; c {
	case 'u':
		for _, n := range []int{12, 6} { // a pair of surrogates, else one unit
			if len(rest) < n {
				continue
			}
			var s string
			if json.Unmarshal([]byte(`"`+rest[:n]+`"`), &s) == nil && utf8.RuneCountInString(s) == 1 {
				text.WriteString(s)
				return n
			}
		}
		text.WriteString(`\u`)
	case 'n', 't', 'r', 'b', 'f':
		text.WriteByte(map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}[c])
	case '"', '\\', '/', '\'':
		text.WriteByte(c)
	default:
		text.WriteByte('\\') // a lone backslash, as in a formula
		return 1
	}
	return 2
}

// write puts a string out. encoding/json never fails on one.
func (m *mender) write(text string) {
	quoted, err := json.Marshal(text)
	m.failed = m.failed || err != nil
	m.out.Write(quoted)
}

var bareWords = map[string]string{"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null", "NaN": "null", "undefined": "null"}

// bare copies a number or a word; a word that is a key gets quotes.
func (m *mender) bare() {
	end := strings.IndexAny(m.in[m.at:], " \t\r\n,:{}[]\"'")
	if end < 0 {
		end = len(m.in) - m.at
	}
	word := m.in[m.at : m.at+end]
	m.at += end
	known, isKnown := bareWords[word]
	switch {
	case word == "":
		m.failed = true
	case strings.HasPrefix(strings.TrimLeft(m.in[m.at:], " \t\r\n"), ":"):
		m.write(word)
	case isKnown:
		m.out.WriteString(known)
	case json.Valid([]byte(word)):
		m.out.WriteString(word)
	default:
		m.failed = true
	}
}
