package cite

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// numberWords are the words that are numbers by themselves.
var numberWords = map[string]float64{
	"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
	"seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}

var ordinalWords = map[string]float64{
	"third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}

var multipliers = map[string]float64{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

// tenThousands are multipliers of scripts that write a number and its word as one.
var tenThousands = map[rune]float64{'万': 1e4, '萬': 1e4, '만': 1e4, '亿': 1e8, '億': 1e8, '억': 1e8}

var months = setOf([]string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
	"october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}, nil)

// numberLen is the length of the number that opens s and stands alone there:
// digits, with or without thousands, decimals and an ending such as th or s. It
// is 0 when the digits belong to a word.
func numberLen(s string) int {
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	if digits <= 3 {
		ends := []int{}
		for n := digits; n+4 <= len(s) && s[n] == ',' && isDigit(s[n+1]) && isDigit(s[n+2]) && isDigit(s[n+3]); n += 4 {
			ends = append(ends, n+4)
		}
		for i := len(ends) - 1; i >= 0; i-- {
			if n := numberTail(s, ends[i]); n > 0 {
				return n
			}
		}
	}
	return numberTail(s, digits)
}

// numberTail is the end of the number whose whole part ends at n, 0 when it
// does not stand alone.
func numberTail(s string, n int) int {
	point := 0
	if strings.HasPrefix(s[n:], ".") {
		point = 1
	} else if strings.HasPrefix(s[n:], "·") {
		point = len("·")
	}
	if point > 0 {
		m := n + point
		for m < len(s) && isDigit(s[m]) {
			m++
		}
		if m > n+point {
			if end := numberEnd(s, m); end > 0 {
				return end
			}
		}
	}
	return numberEnd(s, n)
}

func numberEnd(s string, n int) int {
	for _, ending := range []string{"st", "nd", "rd", "th", "s", ""} {
		if !strings.HasPrefix(s[n:], ending) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[n+len(ending):])
		if !isWordRune(r) && r != '_' || isUnspaced(r) {
			return n + len(ending)
		}
	}
	return 0
}

// readNumbers finds the numbers of a sentence and what they count.
func (c *Checker) readNumbers(s *sentence) {
	for i := range s.tokens {
		t := &s.tokens[i]
		switch {
		case t.kind == count:
			t.value, t.whole = parseNumber(t.text)
		case t.lower == "one":
			t.kind, t.value, t.whole = single, 1, true
		case t.lower == "first" || t.lower == "second":
			t.kind, t.whole, t.value = rank, true, 1
			if t.lower == "second" {
				t.value = 2
			}
		default:
			t.readWord()
		}
	}
	for i := range s.tokens {
		if t := &s.tokens[i]; t.kind == count || t.kind == ordinal {
			c.classify(s, i)
			t.stem = strconv.FormatFloat(t.value, 'g', -1, 64)
		}
	}
}

func (t *token) readWord() {
	if v, ok := numberWords[t.lower]; ok {
		t.kind, t.value, t.whole = count, v, true
	} else if v, ok := ordinalWords[t.lower]; ok {
		t.kind, t.value, t.whole = ordinal, v, true
	}
}

func parseNumber(s string) (value float64, whole bool) {
	s = strings.TrimRight(s, "stndrh")
	s = strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), "·", ".")
	value, err := strconv.ParseFloat(s, 64)
	if err != nil { // more digits than a float holds
		return math.MaxFloat64, true
	}
	return value, !strings.Contains(s, ".")
}

// classify sets kind, unit and multiplied value of number i.
func (c *Checker) classify(s *sentence, i int) {
	t := &s.tokens[i]
	next, last := i+1, i
	for next < len(s.tokens) && adjacent(s, last) {
		by, ok := multipliers[s.tokens[next].lower]
		if !ok {
			break
		}
		t.value *= by
		last, next = next, next+1
	}
	if math.IsInf(t.value, 0) {
		t.value = math.MaxFloat64
	}
	if t.kind == ordinal {
		return
	}
	glued := t.glue(s, next)
	after := s.tokens[min(next, len(s.tokens)-1)]
	near := next < len(s.tokens) && adjacent(s, last)
	switch {
	case next < len(s.tokens) && isPercent(after.lower) && after.start-s.tokens[last].end <= 1:
		t.kind = percent
	case i > 0 && isCurrency(s.tokens[i-1].text) && t.start-s.tokens[i-1].end <= 1:
		t.kind = money
	case isYear(t):
		t.kind = year
	case hasOrdinalEnding(t.text):
		t.kind = ordinal
	default:
		t.unit = glued
		if near && !after.stop && !after.number() {
			t.unit = after.stem
		}
		c.classifyLabel(s, i)
	}
}

// glue multiplies a number by an ideograph directly behind it, and gives the one
// that tells what it counts: 万 and 人 of 1400万人.
func (t *token) glue(s *sentence, next int) string {
	if next >= len(s.tokens) || !s.tokens[next].part || s.tokens[next].start != t.end {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s.tokens[next].text)
	if by, ok := tenThousands[r]; ok {
		t.value *= by
		r, _ = utf8.DecodeRuneInString(s.tokens[next].text[n:])
	}
	if r == utf8.RuneError {
		return ""
	}
	return string(r)
}

// adjacent reports whether token i+1 starts one character after token i ends.
func adjacent(s *sentence, i int) bool {
	if i+1 >= len(s.tokens) {
		return false
	}
	return utf8.RuneCountInString(s.gap(i)) == 1
}

// classifyLabel finds numbers that are part of a name.
func (c *Checker) classifyLabel(s *sentence, i int) {
	t := &s.tokens[i]
	if i == 0 {
		return
	}
	before := &s.tokens[i-1]
	named := t.value < 1000 && t.unit == "" && before.kind == word && !before.stop &&
		capitalised(before.text) && !months[before.lower] && s.text[before.end:t.start] == " "
	if gluedByMark(s.text, t.start) || c.lex.labels[before.lower] && closeBy(s.text[before.end:t.start]) || named {
		t.kind, t.unit, t.holder = label, "", before.stem
	}
}

// closeBy reports whether a gap leaves a label and its number together: "No. 5".
func closeBy(gap string) bool { return gap == " " || gap == ". " || gap == "." || gap == "" }

// gluedByMark reports whether the number at start stands after X-, x/ or +.
func gluedByMark(text string, start int) bool {
	if start == 0 {
		return false
	}
	switch text[start-1] {
	case '+':
		return true
	case '-', '/':
		r, _ := utf8.DecodeLastRuneInString(text[:start-1])
		return unicode.IsLetter(r)
	}
	return false
}

func isPercent(lower string) bool { return lower == "%" || lower == "percent" }

func isCurrency(text string) bool { return text == "$" || text == "€" || text == "£" }

func isYear(t *token) bool {
	digits := strings.TrimSuffix(t.text, "s")
	return len(digits) == 4 && isDigit(digits[0]) && t.whole && 1000 <= t.value && t.value <= 2099 &&
		strings.Trim(digits, "0123456789") == ""
}

func hasOrdinalEnding(text string) bool {
	return isDigit(text[0]) && (strings.HasSuffix(text, "st") || strings.HasSuffix(text, "nd") ||
		strings.HasSuffix(text, "rd") || strings.HasSuffix(text, "th"))
}

// numEq says how well number a of the claim equals number b of the passage, 0 to 1.
func numEq(a, b *token) float64 {
	if (a.kind == rank) != (b.kind == rank) {
		return 0
	}
	x, y := a.value, b.value
	switch {
	case x == y:
		return 1
	case a.whole && 10 <= x && x <= 99 && b.kind == year && 1900 <= y && y <= 2030 && math.Mod(y, 100) == x:
		return 0.6
	case x == roundTo(y, 1) || x == roundTo(y, 10) || x == roundTo(y, 100):
		return 0.8
	case x >= 1000 && math.Abs(x-y) <= 0.01*y && significant(x) <= 2:
		return 0.6
	}
	return 0
}

func roundTo(x, scale float64) float64 { return math.Round(x*scale) / scale }

// significant counts the digits of x before its closing zeros.
func significant(x float64) int {
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	return len(strings.Replace(mantissa, ".", "", 1))
}
