package versions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// Asked is which of several versions of a text a question asks for.
type Asked struct {
	code     lang.Code
	matter   string
	now, was bool     // of whatever it asks about
	newer    []string // what stands beside a word for new, and so is called so
	older    []string // and beside one for old
}

const (
	besideWords = 3 // on each side of a word for old or new that say of what it is
	besideRunes = 6 // and in scripts that part no words
)

// AskedIn reads a question: "the old contract", "what is it now". A year that it names says more
// closely which version is meant.
func AskedIn(question string) Asked {
	code := lang.Spoken(question)
	ages := lang.AgesIn(code, question)
	if year.MatchString(question) && (len(ages[lang.New])+len(ages[lang.Now]) == 0 || len(ages[lang.Old])+len(ages[lang.Once]) == 0) {
		ages = nil
	}
	a := Asked{code: code, matter: without(question, ages), now: len(ages[lang.Now]) > 0, was: len(ages[lang.Once]) > 0}
	for _, at := range ages[lang.New] {
		a.newer = append(a.newer, a.beside(question, at)...)
	}
	for _, at := range ages[lang.Old] {
		a.older = append(a.older, a.beside(question, at)...)
	}
	return a
}

// Matter is the question without the words that say which version is meant.
func (a Asked) Matter() string { return a.matter }

func without(question string, ages map[lang.Age][][2]int) string {
	left := []byte(question)
	for _, places := range ages {
		for _, at := range places {
			for i := at[0]; i < at[1]; i++ {
				left[i] = ' '
			}
		}
	}
	return strings.Join(strings.Fields(string(left)), " ")
}

// Both reports whether a question asks for what is and for what was.
func (a Asked) Both() bool {
	return (a.now || len(a.newer) > 0) && (a.was || len(a.older) > 0)
}

// ForOlder reports whether a question asks for what was, and not for what is.
func (a Asked) ForOlder() bool { return (a.was || len(a.older) > 0) && !a.Both() }

// How much less likely, in log-odds, a statement is the answer in another version than the one
// that is asked for: that is named, that holds now, that was once. And what of another text than
// the one of which two versions are named.
const namedCosts, nowCosts, onceCosts, otherCosts = 4.0, 3.0, 1.5, 2.0

// Costs is how much less likely, in log-odds, a version of a text answers than the one that is
// asked for; 0 for that, and for a text that has no other version among all.
func (a Asked) Costs(v Version, all []Version) float64 {
	if a.Both() {
		return a.costsOfBoth(v, all)
	}
	if v.Called == "" || !a.now && !a.was && len(a.newer) == 0 && len(a.older) == 0 {
		return 0
	}
	later, earlier := a.around(v, all)
	switch {
	case later && called(v, a.newer), !later && earlier && called(v, a.older):
		return namedCosts
	case later && a.now:
		return nowCosts
	case !later && earlier && a.was:
		return onceCosts
	}
	return 0
}

// around reports whether a text has later and earlier versions among all.
func (a Asked) around(v Version, all []Version) (later, earlier bool) {
	for _, o := range all {
		if o.Called != "" && o.Called != v.Called && SameSeries(o.Called, v.Called) {
			later, earlier = later || a.isLater(o, v), earlier || a.isLater(v, o)
		}
	}
	return later, earlier
}

// costsOfBoth is what a text costs that is none of those of which two versions are named: "the
// old and the new contract".
func (a Asked) costsOfBoth(v Version, all []Version) float64 {
	nouns := slices.Concat(a.newer, a.older)
	isNamed := func(o Version) bool {
		later, earlier := a.around(o, all)
		return (later || earlier) && called(o, nouns)
	}
	if isNamed(v) || !slices.ContainsFunc(all, isNamed) {
		return 0
	}
	return otherCosts
}

// isLater reports whether a text is of later than another, by its date or by what it is called:
// old, new.
func (a Asked) isLater(v, than Version) bool {
	if v.Dated > 0 && than.Dated > 0 && v.Dated != than.Dated {
		return v.Dated > than.Dated
	}
	return a.ageOf(v) > a.ageOf(than)
}

func (a Asked) ageOf(v Version) int {
	ages := lang.AgesIn(a.code, v.Called)
	return len(ages[lang.New]) - len(ages[lang.Old])
}

// beside is the words around a part of a question, in lower case; in scripts that part no words,
// pairs of characters.
func (a Asked) beside(question string, at [2]int) []string {
	before, after := strings.ToLower(question[:at[0]]), strings.ToLower(question[at[1]:])
	if !lang.PartsWords(a.code) {
		from, to := []rune(before), []rune(after)
		return append(pairsOf(from[max(0, len(from)-besideRunes):]), pairsOf(to[:min(len(to), besideRunes)])...)
	}
	left, right := splitWords(before), splitWords(after)
	return slices.Concat(left[max(0, len(left)-besideWords):], right[:min(len(right), besideWords)])
}

func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}

const (
	sharedRoot = 4 // letters at the start that two forms of a word share
	sharedHead = 5 // and at the end, of two compounds of one: Saalvertrag, Mietvertrag
)

// called reports whether a text is called by one of some words, in any form.
func called(v Version, words []string) bool {
	for name := range wordsOf(v.Called) {
		for _, w := range words {
			if name == w || sharesRoot(name, w) || endsAlike(name, w) {
				return true
			}
		}
	}
	return false
}

func sharesRoot(a, b string) bool {
	if utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
		a, b = b, a
	}
	root := strings.TrimRightFunc(a, func(r rune) bool { return strings.ContainsRune("aeiousnyауоыеиіяюїь", r) })
	return utf8.RuneCountInString(root) >= sharedRoot && strings.HasPrefix(b, root) && utf8.RuneCountInString(b)-utf8.RuneCountInString(root) <= sharedRoot
}

func endsAlike(a, b string) bool {
	one, other := []rune(a), []rune(b)
	for i := 1; i <= sharedHead; i++ {
		if i > len(one) || i > len(other) || one[len(one)-i] != other[len(other)-i] {
			return false
		}
	}
	return true
}
