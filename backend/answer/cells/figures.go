package cells

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// reader reads the figures of a table as it writes them.
type reader struct{ comma bool } // a comma stands before decimals, not between thousands

var (
	plainFigure   = pattern.New(`^([^\d\s(]{0,4}?) ?([-−–(]?) ?(\d(?:[\d.,'’ \x{a0}\x{202f}]*\d)?)\)?( ?[^\d\s]{0,5})$`)
	commaDecimals = pattern.New(`(?:^|[^\d,])\d{1,3}(?:[. \x{a0}\x{202f}'’]\d{3})*,\d{1,2}(?:\D|$)|(?:^|[^\d.,])\d{4,},\d{1,2}(?:\D|$)`)
	pointDecimals = pattern.New(`(?:^|[^\d.])\d+(?:,\d{3})*\.\d{1,2}(?:\D|$)|\d,\d{3},\d{3}|\d,\d{3}\.`)
)

// showsFigures is how many cells of a table are looked at to tell how it writes figures.
const showsFigures = 400

// readerOf is how a table writes its figures: with decimals behind a comma where a cell
// shows it and none has them behind a point, or where nothing shows it and its language does.
func readerOf(cells []string, code lang.Code) reader {
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
		return reader{comma: lang.WritesComma(code)}
	}
	return reader{comma: comma > point}
}

// FiguresOf gives what reads the number of each of some texts, which write them alike: with what
// it is in beside it, and how many digits it has behind the point.
func FiguresOf(texts []string, code lang.Code) func(text string) (value float64, digits int, ok bool) {
	return readerOf(texts, code).figure
}

// Written is a number as a language writes it, with at most so many digits behind the point; two
// of them are both written, as money has them.
func Written(code lang.Code, value float64, digits int) string { return written(code, value, digits) }

// figure reads the number of a cell, with at most a currency or a unit beside it: "1.234,50 €",
// "(1.2)" for -1.2, "24,200円".
func (r reader) figure(text string) (value float64, digits int, ok bool) {
	m := plainFigure.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || !isMark(m[1], false) || !isMark(m[4], true) {
		return 0, 0, false
	}
	number := m[3]
	point, thousands := ".", ",'’ \u00a0\u202f"
	if r.comma {
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

// isFigure reports whether a cell is a number, however it is written.
func isFigure(cell string) bool {
	_, _, point := reader{}.figure(cell)
	_, _, comma := reader{comma: true}.figure(cell)
	return point || comma
}

// OnlyFigure is the only value of a row that is a number; -1 for none or several.
func OnlyFigure(row evidence.Row) (at int) {
	at = -1
	for i, value := range row.Values {
		if isFigure(value) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// written is a number as a language writes it, with at most so many digits behind the
// point; two of them are both written, as money has them.
func written(code lang.Code, value float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	text := grouped(math.Round(value*scale)/scale, digits)
	if digits == cents {
		if !strings.Contains(text, ".") {
			text += "."
		}
		text += strings.Repeat("0", cents-(len(text)-strings.IndexByte(text, '.')-1))
	}
	return inSigns(code, text)
}

// inSigns puts the signs of a language into a number that is written with a point and commas.
func inSigns(code lang.Code, number string) string {
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
