package evidence

import (
	"strings"
	"unicode"
)

// Visible drops characters that a reader never sees and that carry hidden text:
// zero-width and control characters, bidirectional overrides, tag characters,
// and joiners and variation selectors anywhere but singly behind what they join
// or vary.
func Visible(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r > 0x7e || (r < ' ' && r != '\n') }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	for _, r := range s {
		if Invisible(r) || joins(r) && !joinable(last) || varies(r) && (joins(last) || varies(last) || unicode.IsSpace(last) || last == 0) {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// Invisible reports characters that nobody sees, wherever they stand.
func Invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0x1d173 && r <= 0x1d17a:
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff
}

func joins(r rune) bool { return r == '\u200c' || r == '\u200d' }

func varies(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f }

// joinable reports what a joiner may stand behind: letters of the scripts that
// need one, and pictures.
func joinable(r rune) bool {
	return r >= 0x0590 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

// Veiled reports a text with invisible characters inside its words, as no writer
// sets them: what it says is written for machines. Soft hyphens and joiners of
// scripts are none.
func Veiled(text string) bool {
	var before, last rune
	for _, r := range text {
		if latin(r) && latin(before) && veils(last) {
			return true
		}
		if !veils(r) {
			before = r
		}
		last = r
	}
	return false
}

func latin(r rune) bool { return r < 0x0590 && unicode.IsLetter(r) }

func veils(r rune) bool { return r != 0xad && r > 0x7f && (Invisible(r) || joins(r)) }
