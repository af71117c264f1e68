package followup

import (
	"strings"

	"footnote/backend/lang"
)

// named puts what they stand for in the place of the pronouns of a question; ok is
// false where it has none that points back.
func (c context) named(q question) (full string, ok bool) {
	for i := 0; i < len(q.toks); i++ {
		s, text := c.meaning(q, i)
		if text == "" || q.namesBefore(i) && !q.is("then", q.word(s.to-1)) {
			continue
		}
		before := len(q.toks)
		q, ok = q.with(s, text), true
		if !q.is("then", q.word(i+1)) && !strings.EqualFold(text, c.when) {
			i += len(q.toks) - before + s.to - s.from - 1
			c.about, c.who = "", "" // once is enough
		}
	}
	return q.text, ok
}

// meaning is what the pronoun at a place stands for, with the run it takes.
func (c context) meaning(q question, i int) (s span, text string) {
	w, next := q.word(i), q.word(i+1)
	switch {
	case q.is("demo", w) && q.is("then", next):
		from := i
		if q.is("prep", q.word(i-1)) {
			from--
		}
		return span{from, i + 2}, c.when
	case q.is("person", w) && c.who != "":
		return span{i, i + 1}, c.who
	case q.is("poss", w):
		return c.owned(q, i)
	case (q.is("thing", w) || q.is("person", w)) && !q.is("det", w) && !q.is("expletive", w+" "+next+" "+q.word(i+2)):
		return span{i, i + 1}, c.about
	case q.is("demo", w) && q.is("same", next):
		return span{i, i + 2}, c.about
	case q.is("there", w) && i > 1 && !q.is("aux", q.word(i-1)) && !q.is("aux", next) && c.about != "":
		return span{i, i + 1}, q.placed(c.about)
	case q.is("demo", w) && q.content(i+1) && !q.content(i+2) && !q.is("then", next) && (q.is("do", q.word(i-1)) || i == 1 && q.is("aux", q.word(0)) && !q.is("measure", next)):
		return span{i, i + 1}, c.about // "What does that mean?"
	case q.is("demo", w) && (!q.content(i + 1)) && (i == 0 || q.is("aux", q.word(i-1)) || q.is("wh", q.word(i-1)) || q.is("prep", q.word(i-1))) && !q.isTime(i+1):
		return span{i, i + 1}, c.about
	}
	return span{}, ""
}

// placed is a thing as the place of something.
func (q question) placed(about string) string {
	if q.name == lang.English {
		return "in " + about
	}
	return about
}

// owned is "its change between 2018 and 2019" as the change of what it is of.
func (c context) owned(q question, i int) (span, string) {
	of := c.about
	if c.who != "" && (q.word(i) == "his" || q.word(i) == "her") {
		of = c.who
	}
	if of == "" {
		return span{}, ""
	}
	if !q.has("genitive-s") {
		return c.ownedOtherwise(q, i, of)
	}
	end := i + 1
	for end < len(q.toks) && q.content(end) && !q.isTime(end) {
		end++
	}
	if end > i+1 && q.is("same", q.word(end-1)) && end == i+2 {
		return span{i, end}, of
	}
	if end > i+1 && q.is("measure", q.word(end-1)) {
		joint := " of "
		if q.is("inside", q.word(end-1)) {
			joint = " in "
		}
		return span{i, end}, "the " + q.of(span{i + 1, end}) + joint + of
	}
	return span{i, i + 1}, of + "'s"
}

// ownedOtherwise puts what a possessive stands for behind what is owned, or before
// it, as the other languages do.
func (c context) ownedOtherwise(q question, i int, of string) (span, string) {
	end := i + 1
	for end < len(q.toks) && q.content(end) {
		end++
	}
	if end == i+1 {
		return span{}, ""
	}
	owned := q.of(span{i + 1, end})
	if q.has("possessor-first") {
		return span{i, end}, q.joined(q.joined(of, q.one("joinof")), owned)
	}
	return span{i, end}, q.joined(q.joined(q.one("article"), owned), q.joined(q.one("joinof"), of))
}

// namesBefore reports whether a question has a name of its own before a pronoun,
// which that then stands for.
func (q question) namesBefore(i int) bool {
	for j := 1; j < i; j++ {
		if q.is("do", q.word(j-1)) && q.is("poss", q.word(i)) && (q.content(j) || q.is("det", q.word(j)) && q.content(j+1)) {
			return true // "does the company pay its"
		}
		if q.isWord(j) && q.capital(j) && q.content(j) && !q.isTime(j) {
			return true
		}
	}
	return false
}
