package followup

import (
	"strings"

	"footnote/backend/lang"
)

// opened takes off what says that a question goes on with the last one.
func (q question) opened() (rest question, opens bool) {
	text := q.text
	if after, ok := q.name.CutFront(lang.Opens, text); ok && after != "" {
		text, opens = after, true
	} else if after, ok := strings.CutPrefix(text, "و"); ok && q.name == lang.Arabic { // written as one word with what follows
		if r := newQuestion(q.lexicon, after); len(r.toks) > 0 && (r.is("prep", r.word(0)) || r.is("wh", r.word(0)) || r.isTime(0) || strings.HasPrefix(after, "ال")) {
			text, opens = after, true
		}
	}
	if before, ok := q.name.CutBack(lang.Closes, text); ok && before != "" {
		if r := newQuestion(q.lexicon, before); len(r.toks) > 0 && r.verbless() {
			return newQuestion(q.lexicon, before+q.mark()), true
		}
	}
	if !opens {
		return q, false
	}
	rest = newQuestion(q.lexicon, text)
	return rest, len(rest.toks) > 0
}

// verbless reports whether a question has no word to ask with and no verb of form.
func (q question) verbless() bool {
	for i := range q.toks {
		if q.is("wh", q.word(i)) && !(i > 0 && q.is("prep", q.word(i-1)) && !q.is("wh", q.word(i-1)+" "+q.word(i))) || q.is("aux", q.word(i)) && !q.is("prep", q.word(i)) && !q.is("det", q.word(i)) {
			return false
		}
	}
	return true
}

// completed is a question with what it is about.
func (q question) completed(about string) string {
	if q.has("possessor-first") {
		if first := q.word(0); q.is("measure", first) {
			about = q.joined(about, q.one("joinof"))
		}
		return q.joined(about, q.bare())
	}
	if last := q.lastWord(); q.asks(q.word(0), lang.Person) && q.content(last) && q.is("det", q.word(last-1)) {
		return q.belonging(about) // "who are the soloists?"
	}
	return q.joined(q.bare(), about)
}

func (q question) lastWord() int {
	last := len(q.toks) - 1
	for last > 0 && !q.isWord(last) {
		last--
	}
	return last
}

// silent reports whether a question in a language that leaves its pronouns out says
// no more than a verb: "¿cuándo se publicó?".
func (q question) silent() bool {
	if q.name == lang.English || len(q.toks) == 0 {
		return false
	}
	asks, own, last := false, 0, -1
	for i := range q.toks {
		asks = asks || q.is("wh", q.word(i)) || q.is("aux", q.word(i))
		if q.content(i) && !lang.IsFunctionWord(q.name, q.word(i)) {
			own, last = own+1, i
		}
	}
	if _, means := lang.AsksMeaning(q.text); !asks || own > 1 || means || !q.when().empty() {
		return false
	}
	if own == 1 && q.namesOffice(last) {
		return false
	}
	if own == 0 {
		return len(q.toks) > 1 && q.is("aux", q.word(1)) || q.is("aux", q.word(len(q.toks)-2)) || q.is("aux", q.word(len(q.toks)-1))
	}
	if last > 0 && (q.capital(last) || q.is("det", q.word(last-1)) || q.is("prep", q.word(last-1)) || q.is("poss", q.word(last-1))) {
		return false
	}
	switch {
	case q.is("measure", q.word(last)):
		return true
	case q.has("verb-last"):
		return !q.capital(last) && last > 0
	case len(q.name.Forms("verbend")) > 0:
		return q.ends("verbend", q.word(last))
	}
	return !q.capital(last)
}

// namesOffice reports whether a question asks who is what a word says, and nothing
// else: "vem är ordförande?"
func (q question) namesOffice(at int) bool {
	person := false
	for i := range q.toks {
		person = person || q.asks(q.word(i), lang.Person)
	}
	return person && (at == 2 && q.is("aux", q.word(1)) || at == 0 && (q.has("verb-last") || q.has("unspaced")))
}

// vague reports whether a question leaves out what it is about: it has hardly a
// word of its own and points at something known, as in "What are the types?"
func (q question) vague() bool {
	points, most, own, last := false, 1, 0, ""
	for i := range q.toks {
		points = points || q.is("vague", q.word(i))
		if q.is("missing", q.word(i)) {
			most = 2
		}
		if q.content(i) && !q.is("vague", q.word(i)) && !q.is("self", q.word(i)) {
			own, last = own+1, q.word(i)
		}
		if i > 0 && q.capital(i) && !q.is("self", q.word(i)) {
			return false
		}
	}
	if q.is("measure", last) { // "What are common types?"
		points, most = true, 2
	}
	return points && own <= most && q.when().empty()
}

// alone reports whether a question is a word to ask with and nothing else: "why?"
func (q question) alone() bool {
	n := len(q.toks)
	for n > 0 && !q.isWord(n-1) {
		n--
	}
	if n == 0 || n > 3 {
		return false
	}
	if _, whole := q.name.AskForm(strings.ToLower(q.bare())); whole { // of several words, as "por qué"
		return true
	}
	led := 0
	for led < n-1 && q.is("prep", q.word(led)) && !q.has("postpositions") { // "for whom?"
		led++
	}
	for i := led; i < n; i++ {
		if !q.is("wh", q.word(i)) && !(i > 0 && (q.word(i) == "so" || q.word(i) == "not")) && !(i == n-1 && i > 0 && q.is("aux", q.word(i)) && q.has("verb-last")) {
			return false
		}
	}
	return true
}

// askedAnew asks the last question with other words to ask with, in their place.
func (c context) askedAnew(q question) string {
	if s := c.last.firstOf(c.last.name.AskForms()); s.from == 0 && s.to > 1 && c.last.words(span{s.to, len(c.last.toks)}) > 0 {
		return q.joined(q.bare(), c.last.text[c.last.toks[s.to].start:])
	}
	from := 0
	for from < len(c.last.toks) && !c.last.is("wh", c.last.word(from)) {
		from++
	}
	end := from
	for end < len(c.last.toks) && c.last.is("wh", c.last.word(end)) {
		end++
	}
	for from > 0 && !c.last.has("postpositions") && c.last.is("prep", c.last.word(from-1)) {
		from-- // "until when"
	}
	switch {
	case from == 0 && end > 0 && c.last.words(span{end, len(c.last.toks)}) > 0:
		return q.joined(q.bare(), c.last.text[c.last.toks[end].start:])
	case from > 0 && end > from && c.last.lexicon == q.lexicon && (q.has("verb-last") || q.has("unspaced")):
		return c.last.with(span{from, end}, q.bare()).text
	}
	return q.joined(q.bare(), lowerFirst(c.last.text))
}

// fragment reports whether a question is but a part of one, that takes a place in
// the last: it has no verb and no word to ask with. expected says that one was
// waited for.
func (q question) fragment(expected bool, last question) bool {
	if !q.verbless() || len(q.toks) == 0 || q.setApart() {
		return false
	}
	if expected {
		return true
	}
	s := q.when()
	only := !s.empty() && q.words(s) >= q.words(span{0, len(q.toks)})
	first := q.word(0)
	if q.marked() && len(q.toks) <= 4 && q.allNames() && last.hasName() {
		return true
	}
	return only || q.marked() && len(q.toks) <= 7 && (q.is("prep", first) || q.is("det", first) && !q.is("demo", first) && q.shares(last))
}

// setApart reports whether a question ends with a pronoun behind a comma: "pour quelle
// date, celle-là ?"
func (q question) setApart() bool {
	last := q.lastWord()
	return last > 1 && q.word(last-1) == "," && (q.is("demo", q.word(last)) || q.is("thing", q.word(last)))
}

func (q question) allNames() bool {
	for i := range q.toks {
		if q.isWord(i) && !q.capital(i) {
			return false
		}
	}
	return true
}

func (q question) hasName() bool { return q.namesBefore(len(q.toks)) }

// shares reports whether two questions have a word of content in common.
func (q question) shares(o question) bool {
	for i := range q.toks {
		for j := range o.toks {
			if q.content(i) && o.content(j) && stem(q.word(i)) == stem(o.word(j)) {
				return true
			}
		}
	}
	return false
}
