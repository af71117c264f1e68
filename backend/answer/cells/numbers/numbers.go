// Package numbers reads the figures of a table as it writes them, and writes others as a language
// does.
package numbers

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/cells/times"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Reader reads the figures of a table as it writes them.
type Reader struct{ Comma bool } // a comma stands before decimals, not between thousands

var (
	plainFigure   = pattern.New(`^([^\d\s(]{0,4}?) ?([-−–(]?) ?(\d(?:[\d.,'’ \x{a0}\x{202f}]*\d)?)\)?( ?[^\d\s]{0,5})$`)
	commaDecimals = pattern.New(`(?:^|[^\d,])\d{1,3}(?:[. \x{a0}\x{202f}'’]\d{3})*,\d{1,2}(?:\D|$)|(?:^|[^\d.,])\d{4,},\d{1,2}(?:\D|$)`)
	pointDecimals = pattern.New(`(?:^|[^\d.])\d+(?:,\d{3})*\.\d{1,2}(?:\D|$)|\d,\d{3},\d{3}|\d,\d{3}\.`)
)

// Shows is how many cells of a table are looked at to tell how it writes figures.
const Shows = 400

// ReaderOf is how a table writes its figures: with decimals behind a comma where a cell
// shows it and none has them behind a point, or where nothing shows it and its language does.
func ReaderOf(cells []string, code lang.Code) Reader {
	comma, point := 0, 0
	for _, c := range cells {
		if times.IsDay(c) { // 12.03.2025
			continue
		}
		if commaDecimals.MatchString(c) {
			comma++
		}
		if pointDecimals.MatchString(c) {
			point++
		}
	}
	if comma == point {
		return Reader{Comma: lang.WritesComma(code)}
	}
	return Reader{Comma: comma > point}
}

// Of gives what reads the number of each of some texts, which write them alike: with what it is in
// beside it, and how many digits it has behind the point.
func Of(texts []string, code lang.Code) func(text string) (value float64, digits int, ok bool) {
	return ReaderOf(texts, code).Read
}

// Read reads the number of a cell, with at most a currency or a unit beside it: "1.234,50 €",
// "(1.2)" for -1.2, "24,200円".
func (r Reader) Read(text string) (value float64, digits int, ok bool) {
	m := plainFigure.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || !isMark(m[1], false) || !isMark(m[4], true) {
		return 0, 0, false
	}
	number := m[3]
	point, thousands := ".", ",'’ \u00a0\u202f"
	if r.Comma {
		point, thousands = ",", ".'’ \u00a0\u202f"
		if strings.Count(number, ".") == 1 && !strings.Contains(number, ",") && len(number)-strings.IndexByte(number, '.') != 4 {
			point, thousands = ".", ",'’ \u00a0\u202f" // as programs write it: 176.4
		}
	}
	whole, rest, _ := strings.Cut(number, point)
	groups := strings.FieldsFunc(whole, func(c rune) bool { return strings.ContainsRune(thousands, c) })
	if strings.ContainsAny(rest, ".,") || len(groups) > 1 && slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) { // a date, a version
		return 0, 0, false
	}
	whole = strings.Join(groups, "")
	value, err := strconv.ParseFloat(whole+"."+rest, 64)
	if err != nil {
		return 0, 0, false
	}
	if m[2] != "" {
		value = -value
	}
	return value, len(rest), true
}

// IsFigure reports whether a cell is a number, however it is written.
func IsFigure(cell string) bool {
	_, _, point := Reader{}.Read(cell)
	_, _, comma := Reader{Comma: true}.Read(cell)
	return point || comma
}

// Only is the only one of some values that is a number; -1 for none or several.
func Only(values []string) (at int) {
	at = -1
	for i, value := range values {
		if IsFigure(value) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// Written is a number as a language writes it, with at most so many digits behind the
// point; two of them are both written, as money has them.
func Written(code lang.Code, value float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	text := Grouped(math.Round(value*scale)/scale, digits)
	if digits == Cents {
		if !strings.Contains(text, ".") {
			text += "."
		}
		text += strings.Repeat("0", Cents-(len(text)-strings.IndexByte(text, '.')-1))
	}
	return InSigns(code, text)
}

// InSigns puts the signs of a language into a number that is written with a point and commas.
func InSigns(code lang.Code, number string) string {
	if !lang.WritesComma(code) {
		return number
	}
	between := "."
	if slices.Contains([]lang.Code{lang.French, lang.Polish, lang.Swedish, lang.Russian, lang.Ukrainian}, code) {
		between = "\u202f"
	}
	return strings.NewReplacer(",", between, ".", ",").Replace(number)
}

// isMark reports whether what stands before or behind a number is a currency or a unit.
func isMark(text string, behind bool) bool {
	word := strings.ToLower(strings.Trim(text, ". "))
	switch {
	case !strings.ContainsFunc(word, unicode.IsLetter):
		return true
	case lang.IsCurrency(word), len(word) == 3 && strings.ToUpper(word) == strings.Trim(text, ". "): // ISO 4217
		return true
	}
	first, _ := utf8.DecodeRuneInString(text)
	return behind && (first == ' ' || unicode.In(first, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana))
}

// Cents are the digits of money behind the point.
const Cents = 2

// Grouped writes a number with at most so many digits behind the point and commas
// between thousands.
func Grouped(value float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	text := strconv.FormatFloat(math.Abs(math.Round(value*scale)/scale), 'f', -1, 64)
	whole, rest, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	if value < 0 && strings.Trim(whole, "0.,") != "" {
		return "−" + whole
	}
	return whole
}
