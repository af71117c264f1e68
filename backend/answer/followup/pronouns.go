package followup

import (
	"slices"
	"strings"

	"footnote/backend/lang"
)

// stood puts what they stand for in the place of the pronouns of a question; ok is
// false where it has none that points back.
func (c context) stood(q question) (full string, ok bool) {
	for i := 0; i < len(q.toks); i++ {
		s, text := c.meaning(q, i)
		if text == "" || q.bindsItself(i) && !q.is("then", q.word(s.to-1)) {
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
	case i > 0 && q.capital(i) && q.has("nouns-capital") && !q.is("prep", q.word(i-1)): // "Sie" to a reader
		return span{}, ""
	case q.says("expletive", i), q.is("dummy", w) && q.words(span{0, len(q.toks)}) > 1:
		return span{}, ""
	case q.is("dummy", w) && i == 0:
		return span{i, i + 1}, c.about // "c'est pour quand ?"
	case q.is("person", w) && c.means(q, w):
		return span{i, i + 1}, c.who
	case q.is("poss", w) && !q.is("there", next):
		return c.owned(q, i)
	case (q.is("thing", w) || q.is("person", w)) && (!q.is("det", w) || q.toks[i].tied):
		return span{i, i + 1}, c.about
	case q.is("det", w) && q.is("do", q.word(i-1)) && q.ends("infinitiveend", next) && c.about != "" && !q.content(i+2) && !q.is("det", q.word(i+2)):
		return span{i, i + 2}, q.of(span{i + 1, i + 2}) + " " + c.about // "l'envoyer"
	case q.is("demo", w) && q.is("same", next):
		return span{i, i + 2}, c.about
	case q.is("there", w) && i > 1 && !q.is("aux", q.word(i-1)) && !q.is("aux", next) && c.about != "":
		return span{i, i + 1}, q.placed(c.about)
	case q.is("demo", w) && q.content(i+1) && !q.content(i+2) && !q.is("then", next) && (q.is("do", q.word(i-1)) || i == 1 && q.is("aux", q.word(0)) && !q.is("measure", next)):
		return span{i, i + 1}, c.about // "What does that mean?"
	case q.is("demo", w) && i > 0 && q.is("aux", q.word(i-1)) && (q.is("predicate", next) || q.content(i+1) && q.has("nouns-capital") && !q.capital(i+1)) && !q.isWord(i+2) && q.asks(q.word(0), lang.Time, lang.Place, lang.Reason, lang.Manner, lang.Amount):
		return span{i, i + 1}, c.about // "When is that due?"
	case q.is("demo", w) && (!q.content(i + 1)) && (i == 0 || q.word(i-1) == "," || q.is("aux", q.word(i-1)) || q.is("wh", q.word(i-1)) || q.is("prep", q.word(i-1))) && !q.isTime(i+1):
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
	if c.means(q, q.word(i)) {
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

// means reports whether a pronoun stands for the person last spoken of: one for people
// alone always does, others where the last question asked for that person or named it.
func (c context) means(q question, pronoun string) bool {
	switch {
	case c.who == "" || q.is("human", pronoun):
		return c.who != ""
	case q.is("poss", pronoun) && slices.ContainsFunc(q.name.Forms("poss"), func(w string) bool { return q.is("human", w) }):
		return false // "its"
	}
	return c.fresh || c.named
}

// says reports whether a form of a class begins at a place, or ends there.
func (q question) says(class lang.Class, i int) bool {
	three := q.word(i) + " " + q.word(i+1)
	return q.is(class, three) || q.is(class, three+" "+q.word(i+2)) || q.is(class, q.word(i-1)+" "+q.word(i)) && !q.toks[i].tied ||
		q.toks[i].tied && q.is(class, q.word(i-1)+"-"+q.word(i))
}

// bindsItself reports whether what a pronoun stands for is in the question itself: a
// name before it, unless that does what is done to the pronoun, or what it repeats
// behind its verb ("Quand Marie doit-elle"), or what follows behind a comma.
func (q question) bindsItself(i int) bool {
	if q.toks[i].tied && q.doubled(i-1) || q.follows(i) {
		return true
	}
	return q.namesBefore(i) && !q.done(i)
}

// doubled reports whether the verb at a place has a subject before it, beside the
// pronoun behind it.
func (q question) doubled(verb int) bool {
	for _, s := range q.chunks() {
		if s.to != verb {
			continue
		}
		from := s.from
		for from > 0 && q.is("prep", q.word(from-1)) && !q.is("wh", q.word(from-2)) {
			from -= 2 // "le manuscrit de Claude"
			for from > 0 && q.content(from-1) {
				from--
			}
		}
		before := q.word(max(from, 0) - 1)
		if q.is("det", before) {
			return true
		}
		return !q.is("wh", before) && !(q.is("of", before) && q.is("wh", q.word(from-2))) || q.asks(before, lang.Time, lang.Place, lang.Reason, lang.Manner)
	}
	return false
}

// follows reports whether what a pronoun stands for comes behind the question, after a
// comma: "est-il valable, ce devis ?"
func (q question) follows(i int) bool {
	for j := i + 1; j+1 < len(q.toks); j++ {
		if q.word(j) == "," && q.words(span{j, len(q.toks)}) > 0 && (q.is("det", q.word(j+1)) || q.is("demo", q.word(j+1))) {
			return newQuestion(q.lexicon, q.text[q.toks[j].end:]).verbless()
		}
	}
	return false
}

// done reports whether something is done to what a pronoun stands for by whom the
// question names before it: "what did Rita think of it?"
func (q question) done(i int) bool {
	if q.is("poss", q.word(i)) && !q.is("thing", q.word(i)) || q.toks[i].tied || i+1 < len(q.toks) && q.content(i+1) || i < 2 {
		return false
	}
	names := 0
	for j := 1; j < i; j++ {
		if q.word(j) == "," || q.is("join", q.word(j)) || q.is("wh", q.word(j)) {
			return false
		}
		if q.capital(j) && q.content(j) {
			names = j
		}
	}
	return names > 0 && names < i-1 && q.is("do", q.word(1))
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
