package export

import (
	"strconv"
	"strings"
	"unicode"
)

func number(n int) string { return strconv.Itoa(n) }

// oneLine joins a text to one line, without what no reader sees.
func oneLine(s string) string {
	return strings.Join(strings.Fields(visible(s)), " ")
}

// visible drops control characters but tabs and line ends: XML knows none of
// them, and no form needs them.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return r
		}
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// joined puts what is not empty together.
func joined(by string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, by)
}
