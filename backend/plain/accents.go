package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Unaccented is a word without the accents of Latin, Greek and Cyrillic letters, and without what
// Arabic may write or leave out; marks of other scripts belong to their letters.
func Unaccented(w string) string {
	r, _ := utf8.DecodeRuneInString(w)
	if unicode.Is(unicode.Arabic, r) {
		return strings.Map(plainArabic, w)
	}
	if !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) && r >= utf8.RuneSelf {
		return w
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == '\u2019' || r == '\u02bc':
			return '\''
		}
		return r
	}, norm.NFD.String(w))
}

// plainArabic drops vowel marks and the stroke that only makes words longer, and
// writes the forms of alef, yeh and teh marbuta as people type them.
func plainArabic(r rune) rune {
	switch {
	case r == 'ـ' || unicode.Is(unicode.Mn, r):
		return -1
	case r == 'أ' || r == 'إ' || r == 'آ' || r == 'ٱ':
		return 'ا'
	case r == 'ى' || r == 'ی':
		return 'ي'
	case r == 'ة':
		return 'ه'
	case r == 'ک':
		return 'ك'
	}
	return r
}
