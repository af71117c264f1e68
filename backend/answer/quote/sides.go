package quote

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// onTopic is the share of a topic that a passage under its title must have.
const onTopic = 0.6

// Dangles reports whether a sentence leans on the one before it.
func Dangles(sentence string) bool {
	sentence = strings.TrimLeft(sentence, " \t“\"'(«„「")
	return lang.LeanOf(lang.Spoken(sentence), sentence) != lang.Upright
}

// asksAtLarge are stems of words with which a question asks whatever there is.
var asksAtLarge = pattern.New(`^(?:know|known|tell|told|say|said|find|found|learn|happen|done|inform|describ|overview|explain|exist|matter)`)

// AsksAtLarge reports whether a question asks nothing but its topic.
func AsksAtLarge(c *cite.Checker, topic, question string) bool {
	return len(beyond(c, topic, question).terms) == 0
}

// beyond is a question without what names its topic, and without words that ask.
func beyond(c *cite.Checker, topic, question string) Query {
	known, q := NewQuery(c, topic), NewQuery(c, question)
	q.terms = slices.DeleteFunc(q.terms, func(t cite.Term) bool {
		return q.asking[t.Stem] || asksAtLarge.MatchString(t.Stem) || slices.ContainsFunc(known.terms, func(o cite.Term) bool { return o.Stem == t.Stem })
	})
	return q
}

// Beyond tells which texts have anything of what a question asks of the topic; all
// do, where it asks nothing but the topic.
func Beyond(c *cite.Checker, topic, question string) func(text string) bool {
	q := beyond(c, topic, question)
	return func(text string) bool {
		return len(q.terms) == 0 || slices.Max(q.reached(c.Terms(text), reach{}).forms) > 0
	}
}

// Readable puts in front of sentences what they cannot be understood without, and
// leaves out those that still lean on something which is not quoted with them.
func Readable(chosen []Sentence, passages []Passage, said func(string) bool) (out []Sentence) {
	has := func(list []Sentence, passage, order int) bool {
		return slices.ContainsFunc(list, func(o Sentence) bool { return o.Passage == passage && o.Order == order })
	}
	for _, s := range inReadingOrder(slices.Clone(chosen)) {
		if s.Row || !Dangles(s.Text) || has(out, s.Passage, s.Order-1) {
			out = append(out, s)
			continue
		}
		text := passages[s.Passage].Text
		if before, ok := antecedent(s, statements.Of(text), text); ok && !Dangles(before.Text) && !said(before.Text) && !evidence.Instructs(before.Text) {
			out = append(out, before, s)
		}
	}
	return out
}

// OfSide are the sentences of passages on a topic that have a cue, those first
// that have most of the topic.
func OfSide(c *cite.Checker, topic string, cue *pattern.Regexp, passages []Passage) []Sentence {
	q := NewQuery(c, topic)
	all, _ := q.Candidates(passages)
	all = slices.DeleteFunc(all, func(s Sentence) bool { return s.recp < onTopic || !cue.MatchString(s.Text) })
	for i := range all {
		all[i].Score += all[i].own + min(0.3, 0.1*float64(len(cue.FindAllString(all[i].Text, 4))))
	}
	return all
}

// BearingOn are the best sentences on a side of a topic; none where no passage
// speaks of the topic.
func BearingOn(c *cite.Checker, topic string, cue *pattern.Regexp, passages []Passage) Result {
	all := OfSide(c, topic, cue, passages)
	if len(all) == 0 {
		return Result{State: None}
	}
	slices.SortStableFunc(all, ByScore)
	return Result{State: Answer, Sentences: inReadingOrder(all[:min(len(all), mostSentences)])}
}

// CutOff reports whether a sentence goes on in the next passage, or began in the
// one before.
func (s Sentence) CutOff() bool {
	r, _ := utf8.DecodeRuneInString(s.Text)
	return !s.Row && (strings.ContainsAny(s.Text[len(s.Text)-1:], ",;") || s.Order == 0 && unicode.IsLower(r))
}

// Follows reports whether the sentence before s is among the chosen ones.
func (s Sentence) Follows(chosen []Sentence) bool {
	return slices.ContainsFunc(chosen, func(o Sentence) bool { return o.Passage == s.Passage && o.Order == s.Order-1 })
}
