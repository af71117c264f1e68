package lang

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Calculation is what a question wants done with figures.
type Calculation string

// The calculations. Where a question has words of several, the first of these counts.
const (
	Difference Calculation = "difference"
	Average    Calculation = "average"
	Least      Calculation = "least"
	Most       Calculation = "most"
	Sum        Calculation = "sum"
	NoSum      Calculation = ""
)

// What only says what figures are of, or that they became others: with a calculation, or
// where one is asked how much.
const (
	Share   Calculation = "share"   // of another figure
	Percent Calculation = "percent" // in hundredths
	Change  Calculation = "change"  // rose, fell, has become dearer
	Versus  Calculation = "versus"  // one thing is held against another: or, between, the two
	Comes   Calculation = "comes"   // what they come to: amounts to, is altogether
	Brings  Calculation = "brings"  // that they are what something brought in
	Each    Calculation = "each"    // that they are of every month, day or hour
	Periods Calculation = "periods" // of several times, one beside the other: over the years
)

// calculations is where a text says what is to be done with figures, by what that is. What asks
// for a time is none of it: um wieviel Uhr.
func (c Code) calculations(text string) map[string][][2]int {
	found, timed := c.places(calc, text), c.places(ask, text)[string(Time)]
	for what, places := range found {
		found[what] = slices.DeleteFunc(places, func(said [2]int) bool {
			return slices.ContainsFunc(timed, func(t [2]int) bool { return t[0] <= said[0] && said[1] < t[1] })
		})
	}
	return found
}

// Calculates tells what a question of a language wants done with figures, and where its
// words say so, as bytes of it.
func Calculates(c Code, question string) (what Calculation, said [][2]int) {
	found := c.calculations(question)
	for _, what := range []Calculation{Difference, Average, Least, Most, Sum} {
		if len(found[string(what)]) > 0 {
			for value, places := range found {
				if !slices.Contains([]Calculation{Share, Percent, Change, Versus, Each, Periods}, Calculation(value)) {
					said = append(said, places...)
				}
			}
			return what, said
		}
	}
	return NoSum, nil
}

// AddsUp reports whether a question asks for what several figures give together.
func AddsUp(question string) bool {
	what, _ := Calculates(Spoken(question), question)
	return what == Sum || what == Average || what == Difference
}

// CalculationsIn are the words of a text of a language that say what is to be done with
// figures, by what that is.
func CalculationsIn(c Code, text string) map[Calculation][]string {
	words := map[Calculation][]string{}
	for what, places := range c.calculations(text) {
		for _, said := range places {
			words[Calculation(what)] = append(words[Calculation(what)], text[said[0]:said[1]])
		}
	}
	return words
}

// WithoutCalculations is a text of a language without the words that say what is to be done with
// figures, and those that ask.
func WithoutCalculations(c Code, text string) string {
	left := []byte(text)
	for _, places := range append(slices.Collect(maps.Values(c.calculations(text))), AskedAt(c, text)) {
		for _, said := range places {
			for i := said[0]; i < said[1]; i++ {
				left[i] = ' '
			}
		}
	}
	return string(left)
}

// Changes is where a text of a language says that a figure became another.
func Changes(c Code, text string) [][2]int { return c.calculations(text)[string(Change)] }

// Differences is where a text of a language asks by how much figures differ, or says that one
// became another.
func Differences(c Code, text string) [][2]int {
	found := c.calculations(text)
	return slices.Concat(found[string(Difference)], found[string(Change)])
}

// Shares is where a text of a language asks for a figure as a part of another one.
func Shares(c Code, text string) [][2]int {
	found := c.calculations(text)
	return slices.Concat(found[string(Share)], found[string(Percent)])
}

// Amounts is where a text of a language says what figures come to or bring in.
func Amounts(c Code, text string) [][2]int {
	found := c.calculations(text)
	return slices.Concat(found[string(Comes)], found[string(Brings)])
}

// BringsIn reports whether a text of a language says that something brings money in.
func BringsIn(c Code, text string) bool { return len(c.calculations(text)[string(Brings)]) > 0 }

// OverPeriods reports whether a text of a language asks for figures of several times, one
// beside the other.
func OverPeriods(c Code, text string) bool { return len(c.calculations(text)[string(Periods)]) > 0 }

// OfEach is where a text of a language says that a figure is of every month, day or hour.
func OfEach(c Code, text string) [][2]int { return c.calculations(text)[string(Each)] }

// AskedAt is where the question words of a language stand in a text, as bytes of it.
func AskedAt(c Code, text string) (said [][2]int) {
	for _, places := range c.places(ask, text) {
		said = append(said, places...)
	}
	return said
}

// MonthsOf are the months of the halves and quarters of a year that a text of a language
// names, a bit each from 1 on, and where it names them, as bytes of it.
func MonthsOf(c Code, text string) (months uint16, said [][2]int) {
	for part, places := range c.places(yearPart, text) {
		n, length := int(part[1]-'0'), 3
		if part[0] == 'h' {
			length = 6
		}
		for m := (n-1)*length + 1; m <= n*length; m++ {
			months |= 1 << m
		}
		said = append(said, places...)
	}
	return months, said
}

// Owes is where a text of a language says that something is still to be paid, as bytes of it;
// none where it does not.
func Owes(c Code, text string) [][2]int { return c.places(owed, text)["open"] }

// Paid is where a text of a language says that something was paid, as bytes of it.
func Paid(c Code, text string) [][2]int { return c.places(owed, text)["paid"] }

// IsOwed reports whether a cell says so and nothing else, in any language.
func IsOwed(cell string) bool { return owedOfAll()[owed.key(cell)] == "open" }

// IsVoid reports whether a cell says, in any language, that what the row is of was called off or
// given back.
func IsVoid(cell string) bool { return owedOfAll()[owed.key(cell)] == "void" }

// NamesPayment reports whether a head, in any language, says of what stands below whether it
// has been paid.
func NamesPayment(head string) bool { return owedOfAll()[owed.key(head)] == "paid" }

var owedOfAll = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, code := range codes {
		maps.Copy(all, tables()[code][owed])
	}
	return all
})

// What is compared with a figure.
const (
	MoreThan = "more"
	LessThan = "less"
	AtLeast  = "atleast"
	AtMost   = "atmost"
)

// Compares is where a text of a language compares something with what is said beside it, as
// bytes of it, by how it does: MoreThan and the like.
func Compares(c Code, text string) map[string][][2]int { return c.places(compare, text) }

// PlacesOf is where forms of a class stand in a text of a language, as bytes of it.
func PlacesOf(c Code, class Class, text string) (said [][2]int) {
	for _, places := range c.places(class.kind(), text) {
		said = append(said, places...)
	}
	return said
}

// places are where whole words of a kind stand in a text, by their value.
func (c Code) places(k kind, text string) map[string][][2]int {
	low := strings.ReplaceAll(lower(text), "’", "'")
	if len(low) != len(text) {
		low = text
	}
	found := map[string][][2]int{}
	for form, value := range tables()[c][k] {
		for at := 0; ; {
			i := strings.Index(low[at:], form)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(form)
			if c.wordsEnd(low, start, end) {
				found[value] = append(found[value], [2]int{start, end})
			}
			at = end
		}
	}
	return found
}

// wordsEnd reports whether a part of a text is whole words. Korean puts particles behind
// them; Chinese and Japanese part none.
func (c Code) wordsEnd(text string, start, end int) bool {
	if c == Chinese || c == Japanese {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !isPartOfWord(before) && (c == Korean || !isPartOfWord(after))
}

func isPartOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

// IsTotal reports whether the label of a row says, in any language, that it adds up
// others: it opens or ends with such a word.
func IsTotal(label string) bool {
	w := strings.Join(words(label), " ")
	return w != "" && slices.ContainsFunc(totalsOfAll(), func(form string) bool {
		rest, opens := strings.CutPrefix(w, form)
		before, ends := strings.CutSuffix(w, form)
		r, _ := utf8.DecodeRuneInString(form)
		if unicode.In(r, unicode.Han, unicode.Hangul) {
			return w == form || (opens || ends) && utf8.RuneCountInString(form) > 1
		}
		return opens && (rest == "" || rest[0] == ' ') || ends && strings.HasSuffix(before, " ")
	})
}

var totalsOfAll = sync.OnceValue(func() []string {
	var of []map[string]string
	for _, code := range codes {
		of = append(of, tables()[code][totals])
	}
	return longestFirst(of...)
})

// MonthOf is the month that a word names in any language, in lower case.
func MonthOf(word string) (month int, ok bool) {
	month, ok = monthsOfAll()[word]
	return month, ok
}

var monthsOfAll = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, code := range codes {
		for form, value := range tables()[code][month] {
			n, known := 0, true
			for _, r := range value {
				n, known = n*10+int(r-'0'), known && r >= '0' && r <= '9'
			}
			if _, there := all[form]; known && !there {
				all[form] = n
			}
		}
	}
	return all
})

// IsYes reports whether a cell says yes in any language, or has a mark.
func IsYes(cell string) bool {
	return isMarkOf(kind(Yes), cell) || slices.Contains([]string{"x", "✓", "✔", "+", "○"}, lower(cell))
}

// IsNo reports whether a cell says no in any language.
func IsNo(cell string) bool { return isMarkOf(kind(No), cell) }

func isMarkOf(k kind, cell string) bool {
	word := k.key(cell)
	return word != "" && slices.ContainsFunc(codes, func(c Code) bool { _, ok := tables()[c][k][word]; return ok })
}

// NamesAmount reports whether a word, in lower case, names an amount in any language: sum,
// Betrag, montant.
func NamesAmount(word string) bool {
	return slices.ContainsFunc(codes, func(c Code) bool { return tables()[c][askNoun][word] == string(Amount) })
}
