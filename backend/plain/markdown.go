package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var blockStart = regexp.MustCompile(`^(?:#{1,6}(?: |$)|[-+] |>|\d{1,9}[.)] |=+$|-+$|~~~)`)

// EscapeMarkdown puts a backslash before what a markdown reader would not show
// as it stands: emphasis, code, links, HTML, and marks that open a block. A bar parts
// the cells of a table only above or below another line.
func EscapeMarkdown(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	if m := blockStart.FindString(s); m != "" {
		at := strings.IndexAny(m, "#-+>.)=~")
		b.WriteString(s[:at] + `\`)
		b.WriteByte(s[at])
		s = s[at+1:]
	}
	prev, alone := ' ', !strings.Contains(s, "\n") && strings.ContainsFunc(s, wordRune)
	for i, r := range s {
		next := ' '
		if _, size := utf8.DecodeRuneInString(s[i:]); i+size < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+size:])
		}
		if active(prev, r, next) && (r != '|' || !alone) || r == '&' && entity.MatchString(s[i:min(len(s), i+longestEntity)]) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

var entity = regexp.MustCompile(`^&(?:#\w+|\w{2,});`)

const longestEntity = 64 // bytes; the longest name has 31 letters

// active reports whether r between prev and next would be read as markup.
func active(prev, r, next rune) bool {
	switch r {
	case '*', '`', '[', '|':
		return true
	case '\\':
		return next < utf8.RuneSelf && unicode.IsPunct(next) || strings.ContainsRune("$+<=>^`|~", next)
	case '_':
		return !wordRune(prev) || !wordRune(next)
	case '<':
		return unicode.IsLetter(next) || next == '/' || next == '!' || next == '?'
	case '~':
		return prev == '~' || next == '~'
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
