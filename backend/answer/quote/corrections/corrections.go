// Package corrections tells that one sentence takes back what another says: "it is £412, not
// £421" takes back a £421, "has been moved to 26 July" the day that was said before.
package corrections

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/cells/times"
	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

const (
	deniedBefore = 3 // words between what denies and the figure, with it
	sharedLeast  = 2 // words that a sentence shares with one that it takes back
	tellsAlone   = 3 // digits of a figure that stands for what it is of; a year is of much
)

var figures = pattern.New(`\d+(?:[.,:]\d+)*`)

// Denies reports whether a text says of a figure of another that it is not that one, and tells
// one in its place. Where many things may have such a figure, both are to speak of the same.
func Denies(text, other string, c *cite.Checker) bool {
	code, old := lang.Spoken(text), map[string]bool{}
	for _, f := range figures.FindAllString(other, -1) {
		old[plain(f)] = len(f) > 1
	}
	denied, told := "", false
	for _, at := range figures.FindAllStringIndex(text, -1) {
		f := plain(text[at[0]:at[1]])
		if !old[f] {
			told = true
		} else if deniesAtEnd(code, text[:at[0]]) && len(f) > len(denied) {
			denied = f
		}
	}
	alone := len(denied) >= tellsAlone && len(times.Years(denied)) == 0
	return denied != "" && told && (alone || shared(text, other, c) >= sharedLeast)
}

// plain is a figure without what parts its thousands.
func plain(figure string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, figure)
}

// deniesAtEnd reports whether a text ends in words that deny, of its last clause.
func deniesAtEnd(code lang.Code, text string) bool {
	words := strings.Fields(text[strings.LastIndexAny(text, ",;:.!?(")+1:])
	return code.CountNegations(strings.Join(words[max(0, len(words)-deniedBefore):], " ")) > 0
}

// Moves reports whether a text says that what another tells of is at another time now.
func Moves(text, other string, c *cite.Checker) bool {
	moved := func(s string) bool { return lang.Spoken(s).CountIn(lang.Moved, s) > 0 }
	return moved(text) && !moved(other) && shared(text, other, c) >= sharedLeast
}

// shared is how many terms of a text another has, figures left out.
func shared(text, other string, c *cite.Checker) (n int) {
	said := c.Terms(figures.ReplaceAllString(other, " "))
	for _, t := range c.Terms(figures.ReplaceAllString(text, " ")) {
		if slices.ContainsFunc(said, t.IsForm) {
			n++
		}
	}
	return n
}
