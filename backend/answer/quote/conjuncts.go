package quote

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// conjunct is one of two things that a question asks the same about: "the rent"
// in "How much is the deposit and the rent?".
type conjunct struct {
	name     string // as it stands in the question
	terms    []cite.Term
	question string // without the other thing
}

const (
	conjunctWords = 3   // of a thing, at most
	conjunctIn    = 14  // words of a question in which things are looked for
	conjunctHeld  = 0.5 // share of a thing that a sentence about it has
)

var plainWord = pattern.New(`^[\p{L}\p{M}\p{N}'’-]+[?.!,؟]?$`)

// conjuncts finds the two things around an "and" or "or"; none where the words
// beside it are not plainly two things.
func conjuncts(c *cite.Checker, question string) []conjunct {
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
	thing := func(name []string, rest ...[]string) conjunct {
		text := strings.Trim(strings.Join(name, " "), "?.!,؟")
		return conjunct{name: text, terms: c.Terms(text), question: strings.TrimRight(strings.Join(slices.Concat(rest...), " "), "?.!,؟ ") + "?"}
	}
	before, one, other, after := words[:from], words[from:at], words[at+1:to], words[to:]
	two := []conjunct{thing(one, before, one, after), thing(other, before, other, after)}
	if pointer(other[0]) && !slices.ContainsFunc(after, func(w string) bool { return !content(w) }) {
		two[1].name = strings.Trim(strings.Join(words[at+1:], " "), "?.!,؟") // "the parking space"
	}
	return two
}

// in reports whether a text speaks of the thing.
func (t conjunct) in(c *cite.Checker, text string) bool {
	have, found, whole := c.Terms(text), 0.0, 0.0
	for _, want := range t.terms {
		whole += want.Weight
		if slices.ContainsFunc(have, func(o cite.Term) bool { return want.IsForm(o) || want.Alike(o) > 0 }) {
			found += want.Weight
		}
	}
	return found >= conjunctHeld*whole
}

// withConjuncts adds sentences about a thing that a question asks for and that
// nothing chosen speaks of, and names what has no answer.
func withConjuncts(ctx context.Context, question string, r Result, passages []Passage, d Deps) Result {
	c := d.Checker
	if r.State == None {
		return r
	}
	for _, part := range d.parts(question) {
		for _, thing := range conjuncts(c, part) {
			speaks := func(s Sentence) bool {
				return thing.in(c, strings.Join([]string{passages[s.Passage].Title, s.Heading, s.Told, s.Text}, " "))
			}
			if slices.ContainsFunc(r.Sentences, speaks) {
				continue
			}
			more := FindSentences(ctx, thing.question, passages, d)
			more.Sentences = slices.DeleteFunc(more.Sentences, func(s Sentence) bool {
				return !thing.in(c, s.Heading+" "+s.Text) || slices.ContainsFunc(r.Sentences, func(o Sentence) bool { return o.at() == s.at() })
			})
			if more.State == None || len(more.Sentences) == 0 {
				if !slices.ContainsFunc(passages, func(p Passage) bool { return thing.in(c, p.Title+"\n"+p.Text) }) {
					r.Open = append(r.Open, thing.name)
				}
				continue
			}
			r.Sentences, r.Short = inReadingOrder(append(r.Sentences, more.Sentences[:min(len(more.Sentences), mostSentences/3)]...)), ""
		}
	}
	return r
}
