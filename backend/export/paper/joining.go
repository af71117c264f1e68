package paper

import "unicode"

// Letters of Arabic have up to four shapes, by the letters beside them. Unicode has
// a sign of its own for each, which fonts of Arabic map; what they stand for stays
// the letter.

// forms are the first of the shapes of a letter, in the order alone, at the end, at
// the beginning, in the middle; letters with two join the one before them only.
type forms struct {
	first rune
	count int
}

var arabicForms = map[rune]forms{
	'ء': {0xFE80, 1}, 'آ': {0xFE81, 2}, 'أ': {0xFE83, 2}, 'ؤ': {0xFE85, 2}, 'إ': {0xFE87, 2}, 'ئ': {0xFE89, 4}, 'ا': {0xFE8D, 2}, 'ب': {0xFE8F, 4},
	'ة': {0xFE93, 2}, 'ت': {0xFE95, 4}, 'ث': {0xFE99, 4}, 'ج': {0xFE9D, 4}, 'ح': {0xFEA1, 4}, 'خ': {0xFEA5, 4}, 'د': {0xFEA9, 2}, 'ذ': {0xFEAB, 2},
	'ر': {0xFEAD, 2}, 'ز': {0xFEAF, 2}, 'س': {0xFEB1, 4}, 'ش': {0xFEB5, 4}, 'ص': {0xFEB9, 4}, 'ض': {0xFEBD, 4}, 'ط': {0xFEC1, 4}, 'ظ': {0xFEC5, 4},
	'ع': {0xFEC9, 4}, 'غ': {0xFECD, 4}, 'ف': {0xFED1, 4}, 'ق': {0xFED5, 4}, 'ك': {0xFED9, 4}, 'ل': {0xFEDD, 4}, 'م': {0xFEE1, 4}, 'ن': {0xFEE5, 4},
	'ه': {0xFEE9, 4}, 'و': {0xFEED, 2}, 'ى': {0xFEEF, 2}, 'ي': {0xFEF1, 4},
	'ٱ': {0xFB50, 2}, 'ٹ': {0xFB66, 4}, 'پ': {0xFB56, 4}, 'چ': {0xFB7A, 4}, 'ڈ': {0xFB88, 2}, 'ژ': {0xFB8A, 2}, 'ڑ': {0xFB8C, 2}, 'ڤ': {0xFB6A, 4},
	'ک': {0xFB8E, 4}, 'گ': {0xFB92, 4}, 'ڭ': {0xFBD3, 4}, 'ں': {0xFB9E, 2}, 'ھ': {0xFBAA, 4}, 'ہ': {0xFBA6, 4}, 'ۀ': {0xFBA4, 2}, 'ی': {0xFBFC, 4},
	'ے': {0xFBAE, 2}, 'ۓ': {0xFBB0, 2}, 'ۇ': {0xFBD7, 2}, 'ۆ': {0xFBD9, 2}, 'ۈ': {0xFBDB, 2}, 'ۋ': {0xFBDE, 2}, 'ې': {0xFBE4, 4}, 'ۅ': {0xFBE0, 2}, 'ۉ': {0xFBE2, 2},
	'ٻ': {0xFB52, 4}, 'ڀ': {0xFB5A, 4}, 'ٺ': {0xFB5E, 4}, 'ٿ': {0xFB62, 4}, 'ڦ': {0xFB6E, 4}, 'ڄ': {0xFB72, 4}, 'ڃ': {0xFB76, 4}, 'ڇ': {0xFB7E, 4},
	'ڍ': {0xFB82, 2}, 'ڌ': {0xFB84, 2}, 'ڎ': {0xFB86, 2}, 'ڱ': {0xFB9A, 4}, 'ڳ': {0xFB96, 4}, 'ڻ': {0xFBA0, 4},
}

// lamAlef are the shapes of lam before each alef, alone; the one at the end follows.
var lamAlef = map[rune]rune{'آ': 0xFEF5, 'أ': 0xFEF7, 'إ': 0xFEF9, 'ا': 0xFEFB}

const (
	tatweel        = 'ـ'
	zeroJoiner     = '\u200D'
	zeroNonJoiner  = '\u200C'
	alone, atEnd   = 0, 1
	atStart, midst = 2, 3
)

// letter is a sign to be drawn and the text it stands for, by the numbers of its
// first sign and of the one behind it.
type letter struct {
	sign       rune
	start, end int
}

// joined gives the letters of a text in their shapes.
func joined(text []rune) []letter {
	letters := make([]letter, 0, len(text))
	for i := 0; i < len(text); i++ {
		r := text[i]
		f, shaped := arabicForms[r]
		if !shaped {
			letters = append(letters, letter{r, i, i + 1})
			continue
		}
		before := joinsOn(text, beside(text, i, -1))
		if next := i + 1; r == 'ل' && next < len(text) && lamAlef[text[next]] != 0 {
			sign := lamAlef[text[next]]
			if before {
				sign++
			}
			letters = append(letters, letter{sign, i, i + 2})
			i = next
			continue
		}
		after := f.count == 4 && joinsBack(text, beside(text, i, +1))
		form := alone
		switch {
		case before && after:
			form = midst
		case after:
			form = atStart
		case before && f.count > 1:
			form = atEnd
		}
		letters = append(letters, letter{f.first + rune(form), i, i + 1})
	}
	return letters
}

// beside is the next letter in a direction, past marks that stand on letters; -1
// when there is none.
func beside(text []rune, at, step int) int {
	for at += step; at >= 0 && at < len(text); at += step {
		if !unicode.In(text[at], unicode.Mn, unicode.Me) {
			return at
		}
	}
	return -1
}

// joinsOn reports whether a letter joins the one behind it.
func joinsOn(text []rune, at int) bool {
	return at >= 0 && (text[at] == tatweel || text[at] == zeroJoiner || arabicForms[text[at]].count == 4)
}

// joinsBack reports whether a letter joins the one before it.
func joinsBack(text []rune, at int) bool {
	return at >= 0 && (text[at] == tatweel || text[at] == zeroJoiner || arabicForms[text[at]].count >= 2)
}
