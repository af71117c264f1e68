// Package plain makes short texts for people and models: one line, cut, counted.
package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine joins lines and cuts at most n code points, so that quoted text can
// not begin a line of its own.
func OneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// Excerpt is the beginning of a document's text in one line, parted.
func Excerpt(text string, n int) string { return OneLine(Parted(text), n) }

// Parted writes a dot behind each block of a document's text that has no mark at
// its end, as headings have none, so that the next one does not read as its rest.
func Parted(text string) string {
	blocks := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, block := range blocks[:len(blocks)-1] {
		end, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(block, unicode.IsSpace))
		if end != utf8.RuneError && !strings.ContainsRune(".!?…:;·。！？：；।؟", end) {
			blocks[i] = block + " ·"
		}
	}
	return strings.Join(blocks, " ")
}

// Unescaped is a text of Markdown as it is read: without the backslashes before
// punctuation.
func Unescaped(s string) string {
	const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(marks, s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Cut leaves the first n code points of a text, with a mark where more was.
func Cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

// Plural is a number with the word for one or for many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Bytes is a number of bytes as people read it.
func Bytes(n int64) string {
	switch {
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Full makes a nil slice an empty one: the API leaves nothing out.
func Full[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Distinct sorts words and leaves each once; the list is used up.
func Distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// WordSet are the words of a list with spaces between them.
func WordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// Capital begins a text with a capital letter.
func Capital(text string) string {
	r := []rune(text)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
