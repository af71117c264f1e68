package times

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

var (
	isoDate    = pattern.New(`\b(?:19|20)\d\d[-/.](\d{1,2})(?:[-/.](\d{1,2}))?\b`)
	dayFirst   = pattern.New(`\b(\d{1,2})(?:[./](\d{1,2})[./](?:(?:19|20)\d\d|\d\d)|-(\d{1,2})-(?:19|20)\d\d)\b`)
	monthByNo  = pattern.New(`(\d{1,2}|十[一二]?|[一二三四五六七八九])[月월](?: ?(\d{1,2})[日号號일])?`)
	quarterOf  = pattern.New(`([1-4一二三四]) ?季度|第 ?([1-4一二三四]) ?四半期`)
	yearSuffix = pattern.New(`(?:19|20)\d\d ?年度?`)
)

const chineseDigits = "一二三四五六七八九十"

// monthNumber reads the number of a month: "4", "四", "十二".
func monthNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	n := 0
	for _, r := range text {
		digit := utf8.RuneCountInString(chineseDigits[:strings.IndexRune(chineseDigits, r)]) + 1
		n += digit
	}
	return n
}

// In is what a text says of years, months, days and quarters, and where, as bytes of it.
// Only a word of month is taken for one where it could be another word.
func In(text string, month func(word string) (int, bool)) (p Period, said [][2]int) {
	p.Years = Years(text)
	add := func(m int, at []int) {
		if m >= 1 && m <= 12 {
			p.Months |= 1 << m
			said = append(said, [2]int{at[0], at[1]})
		}
	}
	day := func(digits string) {
		if d, err := strconv.Atoi(digits); err == nil && d >= 1 && d <= 31 {
			p.Days |= 1 << d
		}
	}
	for _, re := range []*pattern.Regexp{YearNumber, fiscalYear, yearSuffix, eraYear} {
		for _, at := range re.FindAllStringIndex(text, -1) {
			said = append(said, [2]int{at[0], at[1]})
		}
	}
	for _, re := range []*pattern.Regexp{isoDate, monthByNo} {
		for i, all := 0, re.FindAllStringSubmatchIndex(text, -1); i < len(all); i++ {
			at := all[i]
			add(monthNumber(text[at[2]:at[3]]), at)
			day(text[max(at[4], 0):max(at[5], 0)])
			if i > 0 && re == monthByNo && isUntil(text[all[i-1][1]:at[0]]) {
				p.Between |= between(monthNumber(text[all[i-1][2]:all[i-1][3]]), monthNumber(text[at[2]:at[3]]))
			}
		}
	}
	for _, at := range dayFirst.FindAllStringSubmatchIndex(text, -1) {
		d, m := text[at[2]:at[3]], text[max(at[4], at[6]):max(at[5], at[7])]
		if monthNumber(m) > 12 {
			d, m = m, d
		}
		add(monthNumber(m), at)
		day(d)
	}
	words := wordsOf(text)
	last, named := -1, 0
	for i, w := range words {
		if m, ok := month(w.text); ok {
			add(m, []int{w.at, w.at + len(w.text)})
			from, now := p.Days, 0
			if beside := dayBeside(words, i); beside >= 0 {
				b := words[beside]
				now, _ = strconv.Atoi(digitsOf(b.text))
				day(digitsOf(b.text))
				said = append(said, [2]int{b.at, b.at + len(b.text)})
			}
			if last >= 0 && joinsRange(words[last].text, text[words[last].at+len(words[last].text):w.at], w.text) {
				p.spans(named, m, from, now)
			}
			last, named = i, m
		}
	}
	quarter := func(q int, at []int) {
		for m := 3*q - 2; m <= 3*q; m++ {
			add(m, at)
		}
	}
	for _, at := range quarterOf.FindAllStringSubmatchIndex(text, -1) {
		quarter(monthNumber(text[max(at[2], at[4]):max(at[3], at[5])]), at)
	}
	for _, at := range quarterText.FindAllStringIndex(text, -1) {
		if q := PeriodOf(text[at[0]:at[1]]).Quarters; q != 0 {
			for n := 1; n <= 4; n++ {
				if q&(1<<n) != 0 {
					quarter(n, at)
				}
			}
		}
	}
	p.Months |= p.Between
	return p, said
}

// dayBeside is the word that numbers a day of the month at a place: "13 March", "March 3rd",
// "13 de marzo"; -1 for none.
func dayBeside(words []word, month int) int {
	for _, at := range []int{month - 1, month - 2, month + 1} {
		if at < 0 || at >= len(words) {
			continue
		}
		w := words[at].text
		if d, err := strconv.Atoi(digitsOf(w)); err == nil && d <= 31 && len(w)-len(digitsOf(w)) <= 2 {
			return at
		}
		if at == month-1 && utf8.RuneCountInString(w) > 2 { // of another number
			return -1
		}
	}
	return -1
}

func digitsOf(word string) string {
	return word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
}

// SpacedOut parts letters and digits, which names of files run together: "4oct2024".
func SpacedOut(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsLetter(r) && unicode.IsDigit(last) && r < unicode.MaxLatin1 || unicode.IsDigit(r) && unicode.IsLetter(last) && last < unicode.MaxLatin1 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// AnyMonth is the month that a word names in any language.
func AnyMonth(word string) (int, bool) { return lang.MonthOf(strings.ToLower(word)) }

// IsDay reports whether a text has a day that is written with the day first: 12.03.2025.
func IsDay(text string) bool { return dayFirst.MatchString(text) }

// word is a word of a text.
type word struct {
	text string
	at   int
}

var wordText = pattern.New(`[\pL\pM\pN]+`)

func wordsOf(text string) (all []word) {
	for _, at := range wordText.FindAllStringIndex(text, -1) {
		all = append(all, word{text[at[0]:at[1]], at[0]})
	}
	return all
}
