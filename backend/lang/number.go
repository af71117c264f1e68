package lang

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Number reads a whole number written in words or digits, such as "two hundred
// and five", "dreiundzwanzig" or "二百三十". ok is false for any other text.
func Number(code Code, text string) (n int64, ok bool) {
	joined := strings.Join(words(text), "")
	if n, ok := digits(joined); ok {
		return n, true
	}
	joined = unaccented(joined)
	if joined == "" || utf8.RuneCountInString(joined) > longestNumber {
		return 0, false
	}
	return parser{scale: scaleOf(code), forms: numbers()[code]}.read(joined, nil)
}

const longestNumber = 80 // letters

// digits reads decimal digits of any script.
func digits(text string) (n int64, ok bool) {
	var plain strings.Builder
	for _, r := range text {
		value, ok := digit(r)
		if !ok {
			return 0, false
		}
		plain.WriteByte('0' + value)
	}
	n, err := strconv.ParseInt(plain.String(), 10, 64)
	return n, err == nil
}

// digit is what a digit stands for: those of a script stand in one run from its nought.
func digit(r rune) (value byte, ok bool) {
	if !unicode.IsDigit(r) {
		return 0, false
	}
	zero := r
	for r-zero < 9 && unicode.IsDigit(zero-1) {
		zero--
	}
	return byte(r - zero), true
}

// form is a number word without spaces and accents; joints stand for nothing.
type form struct {
	text  string
	value int64
	joint bool
}

// numbers are the number words of each language.
var numbers = sync.OnceValue(func() map[Code][]form {
	all := map[Code][]form{}
	for _, code := range codes {
		all[code] = numbersOf(code)
	}
	return all
})

// numbersOf lists the number words of a language, longest first.
func numbersOf(code Code) (forms []form) {
	for _, k := range []kind{number, joint} {
		for text, value := range tables()[code][k] {
			n, _ := strconv.ParseInt(value, 10, 64)
			forms = append(forms, form{unaccented(strings.ReplaceAll(text, " ", "")), n, k == joint})
		}
	}
	slices.SortFunc(forms, func(a, b form) int {
		if a.joint != b.joint && len(a.text) == len(b.text) {
			return map[bool]int{true: 1, false: -1}[a.joint]
		}
		if len(a.text) != len(b.text) {
			return len(b.text) - len(a.text)
		}
		return strings.Compare(a.text, b.text)
	})
	return forms
}

// unaccented leaves out the accents of Latin letters and what else is written the
// same way.
func unaccented(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

// scaleOf is the least number that multiplies what stands before it.
func scaleOf(code Code) int64 {
	switch code {
	case Chinese, Japanese, Korean:
		return 10
	}
	return 100
}

// parser takes a run of letters apart into number words.
type parser struct {
	scale int64
	forms []form
}

// read tries the longest words first and takes the first way that makes a number
// together with the parts that were read before.
func (p parser) read(text string, parts []int64) (n int64, ok bool) {
	if text == "" {
		for _, v := range parts {
			n += v
		}
		return n, len(parts) > 0
	}
	for _, f := range p.forms {
		if !strings.HasPrefix(text, f.text) {
			continue
		}
		next, fits := slices.Clone(parts), true
		if !f.joint {
			next, fits = p.join(next, f.value)
		}
		if !fits {
			continue
		}
		if n, ok = p.read(text[len(f.text):], next); ok {
			return n, true
		}
	}
	return 0, false
}

// join adds a value to the parts of a number, or multiplies the last of them.
func (p parser) join(parts []int64, v int64) ([]int64, bool) {
	if p.multiplies(v) {
		at, sum := len(parts), int64(0)
		for at > 0 && parts[at-1] < v {
			at--
			sum += parts[at]
		}
		return append(parts[:at], max(1, sum)*v), true
	}
	if len(parts) == 0 {
		return []int64{v}, true
	}
	last := parts[len(parts)-1]
	fits := last >= p.scale && v < last || // two hundred | five
		last < 100 && last%10 == 0 && last > v && last > 10 && v < 20 || // twenty | three, soixante | dix
		last < 10 && last > 0 && v%10 == 0 && v >= 20 && v < 100 // drei und | zwanzig
	if p.scale == 10 && last < 100 && last%10 == 0 && last > 0 {
		fits = fits || v < 10
	}
	return append(parts, v), fits
}

// multiplies reports whether a value is a power of ten from the scale on.
func (p parser) multiplies(v int64) bool {
	if v < p.scale {
		return false
	}
	for v%10 == 0 {
		v /= 10
	}
	return v == 1
}

// WritesComma reports whether a language writes decimals behind a comma.
func WritesComma(c Code) bool { return c.Has(Styles, "comma") }
