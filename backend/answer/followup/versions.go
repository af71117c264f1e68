package followup

import (
	"slices"
	"strings"

	"footnote/backend/lang"
)

var ages = []lang.Age{lang.New, lang.Now, lang.Old, lang.Once}

// ageIn is where a text first says which of several versions of a thing is meant, as bytes of it.
func ageIn(code lang.Code, text string) (at [2]int, ok bool) {
	found := lang.AgesIn(code, text)
	for _, age := range ages {
		for _, said := range found[age] {
			if !ok || said[0] < at[0] {
				at, ok = said, true
			}
		}
	}
	return at, ok
}

// ofVersion asks the last question of another version of a thing: "and the old one?" in the place
// of the new one, "and before?" of now, or behind a question that names none.
func (c context) ofVersion(q question) (string, bool) {
	at, ok := ageIn(q.name, q.text)
	if !ok || q.lexicon != c.last.lexicon {
		return "", false
	}
	for i, t := range q.toks {
		within := at[0] <= t.start && t.end <= at[1]
		if !within && q.content(i) && !lang.IsFunctionWord(q.name, q.word(i)) && !slices.Contains([]string{"one", "ones"}, q.word(i)) {
			return "", false
		}
	}
	age := q.text[at[0]:at[1]]
	if said, ok := ageIn(q.name, c.last.text); ok {
		return c.last.text[:said[0]] + age + c.last.text[said[1]:], true
	}
	return q.joined(strings.TrimRight(c.last.text, marks), age), true
}
