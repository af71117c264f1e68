// Package conjuncts finds the two things that a question asks the same about.
package conjuncts

import (
	"slices"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Conjunct is one of two things that a question asks the same about: "the rent"
// in "How much is the deposit and the rent?".
type Conjunct struct {
	Name     string // as it stands in the question
	terms    []cite.Term
	Question string // without the other thing
}

const (
	conjunctWords = 3   // of a thing, at most
	conjunctIn    = 14  // words of a question in which things are looked for
	conjunctHeld  = 0.5 // share of a thing that a sentence about it has
)

var plainWord = pattern.New(`^[\p{L}\p{M}\p{N}'’-]+[?.!,؟]?$`)

// Of finds the two things around an "and" or "or"; none where the words
// beside it are not plainly two things.
func Of(c *cite.Checker, question string) []Conjunct {
	words := strings.Fields(question)
	if len(words) > conjunctIn {
		return nil
	}
	code := lang.Spoken(question)
	is := func(class lang.Class) func(string) bool {
		return func(w string) bool { return code.Has(class, strings.ToLower(w)) }
	}
	pointer := func(w string) bool { return is(lang.Determiner)(w) || is(lang.Possessive)(w) }
	at := slices.IndexFunc(words, is(lang.Joining))
	if at <= 0 || at == len(words)-1 {
		return nil
	}
	content := func(w string) bool {
		w = strings.ToLower(strings.Trim(w, "?.!,؟"))
		return plainWord.MatchString(w) && !code.OnlyForms(w) && len(c.Terms("x "+w)) == 2
	}
	from := at
	for from > 0 && at-from < conjunctWords && content(words[from-1]) && !strings.HasSuffix(words[from-1], ",") {
		from--
	}
	n := at - from // content words of the first thing: as many belong to the second at most
	if from > 0 && pointer(words[from-1]) {
		from--
	}
	to := at + 1
	if pointer(words[to]) {
		to++
	}
	for first := to; to < len(words) && to-first < n && content(words[to]); to++ {
	}
	if n == 0 || !content(words[to-1]) {
		return nil
	}
	thing := func(name []string, rest ...[]string) Conjunct {
		text := strings.Trim(strings.Join(name, " "), "?.!,؟")
		return Conjunct{Name: text, terms: c.Terms(text), Question: strings.TrimRight(strings.Join(slices.Concat(rest...), " "), "?.!,؟ ") + "?"}
	}
	before, one, other, after := words[:from], words[from:at], words[at+1:to], words[to:]
	two := []Conjunct{thing(one, before, one, after), thing(other, before, other, after)}
	if pointer(other[0]) && !slices.ContainsFunc(after, func(w string) bool { return !content(w) }) {
		two[1].Name = strings.Trim(strings.Join(words[at+1:], " "), "?.!,؟") // "the parking space"
	}
	return two
}

// In reports whether a text speaks of the thing.
func (t Conjunct) In(c *cite.Checker, text string) bool {
	have, found, whole := c.Terms(text), 0.0, 0.0
	for _, want := range t.terms {
		whole += want.Weight
		if slices.ContainsFunc(have, func(o cite.Term) bool { return want.IsForm(o) || want.Alike(o) > 0 }) {
			found += want.Weight
		}
	}
	return found >= conjunctHeld*whole
}
