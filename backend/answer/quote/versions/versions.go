// Package versions tells which of several texts on the same matter is newer, by what they
// call themselves: dates of files say when they were copied.
package versions

import (
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/pattern"
)

var named = pattern.New(`(?:^|\D)((?:19|20)\d\d)(?:[-_./ ]?(0[1-9]|1[0-2])(?:[-_./ ]?(0[1-9]|[12]\d|3[01]))?)?(?:\D|$)|(?:^|\D)(0?[1-9]|[12]\d|3[01])[-_.](0?[1-9]|1[0-2])[-_.]((?:19|20)\d\d)(?:\D|$)`)

// Of is the date that a text names in its file's name, else in its title, as yyyymmdd with
// noughts for what is not told; the latest where there are several, 0 where there is none.
func Of(address, title string) int {
	if v := latest(nameOf(address)); v > 0 {
		return v
	}
	return latest(title)
}

// Called is what a text is called: the name of its file, by its path in the form of any
// system, and its title.
func Called(address, title string) string {
	name := nameOf(address)
	return strings.TrimSuffix(name, path.Ext(name)) + " " + title
}

func nameOf(address string) string { return path.Base(strings.ReplaceAll(address, `\`, "/")) }

// Newer reports whether the first of two texts is a later one of the series of the second.
func Newer(address, title, thanAddress, thanTitle string) bool {
	than := Of(thanAddress, thanTitle)
	return than > 0 && Of(address, title) > than && SameSeries(Called(address, title), Called(thanAddress, thanTitle))
}

// SameSeries reports whether two texts are of one series by what they are called: half of the
// words of the one that has fewer, in scripts without blanks of the pairs of characters.
func SameSeries(a, b string) bool {
	one, other := wordsOf(a), wordsOf(b)
	if len(other) < len(one) {
		one, other = other, one
	}
	shared := 0
	for w := range one {
		if other[w] {
			shared++
		}
	}
	return shared > 0 && 2*shared >= len(one)
}

// SameName reports whether two texts are called alike but for their dates: one has all words of
// the other.
func SameName(a, b string) bool {
	one, other := wordsOf(a), wordsOf(b)
	if len(other) < len(one) {
		one, other = other, one
	}
	for w := range one {
		if !other[w] {
			return false
		}
	}
	return len(one) > 0
}

func wordsOf(called string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(called), func(r rune) bool { return !unicode.IsLetter(r) }) {
		runes := []rune(w)
		if unicode.In(runes[0], unicode.Han, unicode.Hiragana, unicode.Katakana) {
			for _, pair := range pairsOf(runes) {
				words[pair] = true
			}
		} else if len(runes) > 3 {
			words[w] = true
		}
	}
	return words
}

func pairsOf(runes []rune) (pairs []string) {
	for i := 1; i < len(runes); i++ {
		pairs = append(pairs, string(runes[i-1:i+1]))
	}
	return pairs
}

func latest(text string) (version int) {
	for text != "" {
		m := named.FindStringSubmatchIndex(text)
		if m == nil {
			return version
		}
		part := func(i int) int {
			if m[2*i] < 0 {
				return 0
			}
			n, _ := strconv.Atoi(text[m[2*i]:m[2*i+1]]) // digits by the pattern
			return n
		}
		version = max(version, part(1)*10000+part(2)*100+part(3), part(6)*10000+part(5)*100+part(4))
		text = text[max(1, m[1]-1):]
	}
	return version
}

// OfDay is a day as Of tells it.
func OfDay(t time.Time) int { return t.Year()*10000 + int(t.Month())*100 + t.Day() }

// Date is a version as it is written: "2024", "2024-06", "2024-06-15"; empty for none.
func Date(version int) string {
	if version == 0 {
		return ""
	}
	text := strconv.Itoa(version / 10000)
	for _, part := range []int{version / 100 % 100, version % 100} {
		if part == 0 {
			break
		}
		text += "-" + strconv.Itoa(part/10) + strconv.Itoa(part%10)
	}
	return text
}

// How much of the smaller text's terms two have that say the same: less in scripts without
// blanks, where one other character makes two other terms.
const (
	sameMatter = 0.6
	samePairs  = 0.45
)

// SameMatter reports whether two texts say the same but for their figures.
func SameMatter(a, b []cite.Term) bool {
	count := func(terms []cite.Term) (words []cite.Term) {
		for _, t := range terms {
			if !strings.ContainsAny(t.Stem, "0123456789") {
				words = append(words, t)
			}
		}
		return words
	}
	a, b = count(a), count(b)
	if len(b) < len(a) {
		a, b = b, a
	}
	shared := 0
	for _, t := range a {
		for _, o := range b {
			if t.IsForm(o) {
				shared++
				break
			}
		}
	}
	least := sameMatter
	if len(a) > 0 && strings.ContainsFunc(a[0].Stem, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
		least = samePairs
	}
	return len(a) > 1 && float64(shared) >= least*float64(len(a))
}
