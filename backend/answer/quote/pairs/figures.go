package pairs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/compute"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// figure is a number of a statement that is no date.
type figure struct {
	text   string // with what it is in
	value  float64
	digits int
	unit   string
	beside []string // words around it, in lower case
	total  bool     // these say that it is all there is
	speaks int      // how much they say that it is asked for
}

var (
	numberText = pattern.New(`\d(?:[\d.,'’]*\d)?`)
	unitBefore = pattern.New(`[\p{Sc}] ?$`)
	unitBehind = pattern.New(`^[ \x{a0}\x{202f}]?(?:[\p{Sc}%°]|[\p{L}]+)`)
	wordText   = pattern.New(`[\p{L}\p{M}]+`)
)

const besideWords = 5 // on each side of a figure that say what it is of

// figuresIn are the figures of a statement: of a row the one that is asked for.
func (s Statement) figuresIn(read func(string) (float64, int, bool)) (all []figure) {
	text := s.Text
	switch {
	case s.Cell != "":
		text = s.Cell
	case s.Row:
		return nil
	}
	numbers := numberText.FindAllStringIndex(text, -1)
	if len(numbers) == 0 {
		return nil
	}
	dates, end := answertype.DatesAt(text), 0
	for _, at := range numbers {
		value, digits, ok := read(text[at[0]:at[1]])
		if !ok || isPartOfName(text, at) || slices.ContainsFunc(dates, func(d []int) bool { return d[0] < at[1] && at[0] < d[1] }) {
			continue
		}
		f := figure{value: value, digits: digits}
		f.text, f.unit = withUnit(text, at)
		if name, ok := compute.CurrencyName(f.unit); ok { // € is euros
			f.unit = name
		}
		before := text[end:at[0]]
		if isLabel := strings.HasSuffix(strings.TrimRight(before, " "+f.unit), ":"); !isLabel && len(all) > 0 {
			all[len(all)-1].beside = append(all[len(all)-1].beside, firstWords(before)...)
		}
		f.beside = lastWords(before)
		all, end = append(all, f), at[1]
	}
	if len(all) > 0 {
		all[len(all)-1].beside = append(all[len(all)-1].beside, firstWords(text[end:]+" "+s.Label)...)
	}
	return all
}

// isPartOfName reports whether a number goes on in letters or behind a slash: F2, 2024/118.
func isPartOfName(text string, at []int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
	behind, _ := utf8.DecodeRuneInString(text[at[1]:])
	latin := func(r rune) bool { return unicode.IsLetter(r) && r < 0x2e80 }
	if _, unit := withUnit(text, at); unit == "" && latin(behind) { // Item 1A
		return true
	}
	return latin(before) || strings.ContainsRune("/-", before) || strings.ContainsRune("/", behind)
}

// withUnit is a number with the currency or unit that stands beside it.
func withUnit(text string, at []int) (shown, unit string) {
	if m := unitBefore.FindString(text[:at[0]]); m != "" {
		return strings.TrimSpace(m) + text[at[0]:at[1]], strings.TrimSpace(m)
	}
	m := unitBehind.FindString(text[at[1]:])
	word := strings.ToLower(strings.TrimFunc(m, unicode.IsSpace))
	r, _ := utf8.DecodeRuneInString(word)
	if known := lang.IsCurrency(word) || !unicode.IsLetter(r) || isUnit(text, word); m == "" || !known {
		if unicode.Is(unicode.Han, r) { // no space parts it from what follows
			word = string(r)
			if lang.IsCurrency(word) || isUnit(text, word) {
				return text[at[0]:at[1]] + word, word
			}
		}
		return text[at[0]:at[1]], ""
	}
	return text[at[0]:at[1]] + m, word
}

func isUnit(text, word string) bool {
	_, ok := lang.Unit(lang.Spoken(text), word)
	return ok
}

func lastWords(text string) []string {
	all := wordText.FindAllString(strings.ToLower(text), -1)
	return all[max(0, len(all)-besideWords):]
}

func firstWords(text string) []string {
	all := wordText.FindAllString(strings.ToLower(text), -1)
	return all[:min(len(all), besideWords)]
}

// figures are the two figures, of one kind, by which two statements differ.
type figures struct {
	both   [2]figure
	plain  bool // which of several is asked for
	totals bool // both are all there is of something, and something is to be worked out
}

func (a Asked) figures(one, other told) (f figures) {
	mine, theirs := one.figures, other.figures
	if one.Cell == "" {
		mine, theirs = but(mine, theirs), but(theirs, mine)
	}
	most := -1
	for _, x := range mine {
		for _, y := range theirs {
			if x.unit != y.unit {
				continue
			}
			switch n := x.speaks + y.speaks + x.shares(y); {
			case n > most:
				f.both, most, f.plain = [2]figure{x, y}, n, true
			case n == most:
				f.plain = false
			}
		}
	}
	f.totals = f.plain && a.What != lang.NoSum && f.both[0].total && f.both[1].total
	return f
}

// but are the figures that others lack.
func but(all, others []figure) []figure {
	return slices.DeleteFunc(slices.Clone(all), func(f figure) bool {
		return slices.ContainsFunc(others, func(o figure) bool { return o.value == f.value && o.unit == f.unit })
	})
}

// saysAll reports whether a word says that a figure is all there is, or names an amount.
func saysAll(word string) bool { return lang.IsTotal(word) || lang.NamesAmount(word) }

// What a word beside a figure counts.
const (
	askedWord  = 6 // that the question has
	totalAsked = 8 // that says in all, where a sum is asked for
	totalWord  = 2 // and where not
)

// speaksOf is how much what stands beside a figure says that it is asked for.
func (a Asked) speaksOf(f figure) (n int) {
	if f.unit != "" && slices.ContainsFunc(a.Words, func(word string) bool { return strings.EqualFold(word, f.unit) }) { // how many kWh
		n += askedWord
	}
	for _, w := range f.beside {
		switch {
		case saysAll(w) && a.What == lang.Sum:
			n += totalAsked
		case saysAll(w):
			n += totalWord
		case slices.ContainsFunc(a.Words, func(word string) bool { return isForm(word, w) }):
			n += askedWord
		}
	}
	return n
}

const shortestStem = 4 // bytes

// isForm reports whether one of two words in lower case is how the other begins: deposits.
func isForm(a, b string) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	return a != "" && strings.HasPrefix(b, a) && (len(a) >= shortestStem || len(a) == len(b))
}

// isMoney reports whether a figure is an amount of money.
func (f figure) isMoney() bool {
	r, _ := utf8.DecodeRuneInString(f.unit)
	return lang.IsCurrency(f.unit) || unicode.Is(unicode.Sc, r)
}

// shares is how many words two figures have beside both.
func (f figure) shares(o figure) (n int) {
	for _, w := range f.beside {
		if slices.Contains(o.beside, w) {
			n++
		}
	}
	return n
}

// worked is what the figures of a pair come to, with how; empty where nothing is to be worked
// out.
func (a Asked) worked(one, other told, f figures) string {
	both := f.both
	names := [2]string{a.nameOf(one.Statement, other.Statement), a.nameOf(other.Statement, one.Statement)}
	if names[0] == names[1] {
		names = [2]string{one.Under, other.Under}
	}
	if a.What == lang.NoSum || names[0] == names[1] {
		return ""
	}
	shown := func(i int) string { return both[i].text + " (" + names[i] + ")" }
	digits := max(both[0].digits, both[1].digits)
	if a.What == lang.Sum {
		return numbers.Written(a.code, both[0].value+both[1].value, digits) + " = " + shown(0) + " + " + shown(1)
	}
	from, to := 0, 1
	later := both[0].value > both[1].value
	if a.changes && one.Dated > 0 && other.Dated > 0 && one.Dated != other.Dated { // "cheaper" of two that are of no time is no change
		later = one.Dated > other.Dated
	}
	if later {
		from, to = 1, 0
	}
	return numbers.Written(a.code, both[to].value-both[from].value, digits) + " = " + shown(to) + " − " + shown(from)
}

// nameOf is what tells a statement from another one: words of the question that only it has, else
// what its source is called.
func (a Asked) nameOf(s, other Statement) string {
	var words []string
	for i, w := range a.Words {
		if a.Weights[i] > 0 && a.tells(i, s, other) {
			words = append(words, w)
		}
	}
	if len(words) == 0 || !lang.PartsWords(a.code) {
		return s.Name
	}
	return strings.Join(words, " ")
}
