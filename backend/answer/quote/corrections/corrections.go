// Package corrections tells that one sentence takes back what another says: "it is £412, not
// £421" takes back a £421, "has been moved to 26 July" the day that was said before.
package corrections

import (
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

const (
	deniedBefore = 3 // words between what denies and the figure, with it
	sharedLeast  = 2 // words that a sentence shares with the one whose time it says is another
)

var figures = pattern.New(`\d+(?:[.,:]\d+)*`)

// Denies reports whether a text says of a figure of another that it is not that one, and tells
// one in its place.
func Denies(text, other string) bool {
	code, old := lang.Spoken(text), map[string]bool{}
	for _, f := range figures.FindAllString(other, -1) {
		old[plain(f)] = len(f) > 1
	}
	denied, told := false, false
	for _, at := range figures.FindAllStringIndex(text, -1) {
		if old[plain(text[at[0]:at[1]])] {
			denied = denied || deniesAtEnd(code, text[:at[0]])
		} else {
			told = true
		}
	}
	return denied && told
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
	if !moved(text) || moved(other) {
		return false
	}
	shared, said := 0, c.Terms(other)
	for _, t := range c.Terms(text) {
		for _, o := range said {
			if t.IsForm(o) {
				shared++
				break
			}
		}
	}
	return shared >= sharedLeast
}
