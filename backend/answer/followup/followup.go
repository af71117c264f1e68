package followup

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// Turn is one earlier question with what was answered; the answer is empty where
// nothing was found.
type Turn struct{ Question, Answer string }

const (
	mostTurns    = 12 // that a question may go back
	mostAppended = 9  // words of a subject that a question is told with
)

// Standalone says in full what a question means after the turns before it, oldest
// first. A question that stands alone stays as it is.
func Standalone(asked string, turns []Turn) string {
	if len(turns) > mostTurns {
		turns = turns[len(turns)-mostTurns:]
	}
	var before context
	for _, t := range turns {
		before = before.after(t)
	}
	return before.resolve(asked)
}

// context is what a conversation has come to.
type context struct {
	last  question // the last question in full
	about string   // its subject, or an earlier one's where it has none
	when  string   // the last time that was spoken of
	who   string   // whom the last answer names, to a question for a person
	back  bool     // the last answer asked back
}

func (c context) language() *lexicon {
	if c.last.lexicon != nil {
		return c.last.lexicon
	}
	return lexicons[0]
}

// after is the context once a turn has been taken.
func (c context) after(t Turn) context {
	full := t.Question
	if c.last.text != "" {
		full = c.resolve(t.Question)
	}
	q := newQuestion(lexiconOf(full, c.language()), strings.TrimSpace(requests.ReplaceAllString(full, "")))
	next := context{last: q, about: c.about, when: c.when, back: strings.HasSuffix(strings.TrimSpace(t.Answer), "?")}
	if s := q.subject(); !s.empty() && !q.timeless(s) {
		if about := strings.TrimSpace(q.of(s)); c.about == "" || full == t.Question || !strings.Contains(about, c.about+"'s") {
			next.about = about
		}
	}
	if s := q.when(); !s.empty() {
		next.when = q.of(s)
	} else if a := newQuestion(q.lexicon, t.Answer); len(a.toks) < 8 && !a.when().empty() {
		next.when = a.of(a.when())
	}
	if who.MatchString(q.text) {
		next.who = firstName(t.Answer)
	}
	return next
}

var (
	requests = pattern.New(`(?i)^(?:(?:please|tell me more about|tell me about|tell me|can you tell me|could you tell me|give me|show me|explain|describe|summari[sz]e|outline|compare|list|find|search for|look up|i want to know about|i want to know|i would like to (?:know|learn)(?: more)? about|can i have (?:some )?information on|what do you know about|do you know)[, ]+)+`)
	who      = pattern.New(`(?i)^(?:who|whom|wer|qui|quién|quien)(?:\b|[^\pL])`)
	name     = pattern.New(`\p{Lu}[\p{L}'’.-]+(?: (?:(?:of|de|van|von|da|di|la) )?\p{Lu}[\p{L}'’.-]+)*`)
)

func firstName(text string) string {
	n := name.FindString(text)
	if l := lexiconOf(text, lexicons[0]); l.is("det", strings.ToLower(n)) || l.is("prep", strings.ToLower(n)) || l.is("person", strings.ToLower(n)) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(n, "."), "'s"), "’s")
}

// resolve says a question in full.
func (c context) resolve(asked string) string {
	if c.last.text == "" {
		return asked
	}
	l := lexiconOf(asked, c.last.lexicon)
	q, goes := newQuestion(l, asked), false
	if m := l.opening.FindString(q.text); m != "" && len(m) < len(q.text) {
		if rest := newQuestion(l, q.text[len(m):]); len(rest.toks) > 0 {
			q, goes = rest, true
		}
	}
	switch {
	case q.alone():
		return c.askedAnew(q)
	case q.fragment(goes || c.back, c.last):
		return c.replaced(q)
	}
	if full, ok := c.named(q); ok {
		return full
	}
	if c.about != "" && q.vague() && len(strings.Fields(c.about)) <= mostAppended {
		return q.bare() + " " + c.about
	}
	return asked
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
	for i := range n {
		if !q.is("wh", q.word(i)) && !(i > 0 && (q.word(i) == "so" || q.word(i) == "not" || q.word(i) == "much" || q.word(i) == "many" || q.word(i) == "viel" || q.word(i) == "viele")) && !(q.word(i) == "por" && q.word(i+1) == "qué") {
			return false
		}
	}
	return true
}

// askedAnew asks the last question with other words to ask with.
func (c context) askedAnew(q question) string {
	end := 0
	for end < len(c.last.toks) && (c.last.is("wh", c.last.word(end)) || end > 0 && (c.last.word(end) == "much" || c.last.word(end) == "many")) {
		end++
	}
	rest := c.last.text
	if end > 0 && end < len(c.last.toks) {
		rest = c.last.text[c.last.toks[end].start:]
	} else {
		rest = lowerFirst(rest)
	}
	return q.bare() + " " + rest
}

// fragment reports whether a question is but a part of one, that takes a place in
// the last: it has no verb and no word to ask with. expected says that one was
// waited for.
func (q question) fragment(expected bool, last question) bool {
	for i := range q.toks {
		if q.is("wh", q.word(i)) && !(i > 0 && q.is("prep", q.word(i-1))) || q.is("aux", q.word(i)) && !q.is("prep", q.word(i)) && !q.is("det", q.word(i)) {
			return false
		}
	}
	if expected {
		return true
	}
	s := q.when()
	only := !s.empty() && q.words(s) >= q.words(span{0, len(q.toks)})
	first := q.word(0)
	if strings.HasSuffix(q.text, "?") && len(q.toks) <= 4 && q.allNames() && last.hasName() {
		return true
	}
	return only || strings.HasSuffix(q.text, "?") && len(q.toks) <= 7 && (q.is("prep", first) || q.is("det", first) && !q.is("demo", first) && q.shares(last))
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

// replaced puts a part of a question in its place in the last one: a time for a
// time, a thing for a thing.
func (c context) replaced(q question) string {
	full := c.last
	part := newQuestion(q.lexicon, q.bare())
	if when := part.when(); !when.empty() {
		full = full.timed(part, when)
		part = part.without(when)
	}
	part = part.pointed()
	if len(part.toks) == 0 || part.words(span{0, len(part.toks)}) == 0 {
		return full.text
	}
	if part.is("poss", part.word(0)) {
		if named, ok := c.named(part); ok {
			return c.last.beginning() + " " + named + "?"
		}
	}
	if part.measures(span{0, len(part.toks)}) && part.is("det", part.word(0)) && part.words(span{0, len(part.toks)}) == 1 && !part.shares(c.last) && c.about != "" {
		return q.bare() + ofWords[q.name] + c.about // "and the cost?" is of the same thing
	}
	return full.filled(part).text
}

var ofWords = map[string]string{"en": " of ", "de": " von ", "fr": " de ", "es": " de "}

// beginning are the words that open a question, before it says of what.
func (q question) beginning() string {
	n := 0
	for n < len(q.toks) && (q.is("wh", q.word(n)) || q.is("aux", q.word(n)) || strings.HasPrefix(q.word(n), "'")) {
		n++
	}
	return q.of(span{0, n})
}

// timed is a question asked of another time.
func (q question) timed(part question, when span) question {
	text := part.of(when)
	old := q.when()
	if part.is("prep", part.word(when.from)) || old.empty() {
		if !part.is("prep", part.word(when.from)) {
			text = q.inWord() + " " + text
		}
	} else if q.is("prep", q.word(old.from)) && q.toks[old.from].lower != "from" && q.toks[old.from].lower != "between" {
		text = q.of(span{old.from, old.from + 1}) + " " + text
	} else {
		text = q.inWord() + " " + text
	}
	if old.empty() {
		return newQuestion(q.lexicon, q.bare()+" "+text+"?")
	}
	return q.with(old, text)
}

func (q question) inWord() string {
	return map[string]string{"en": "in", "de": "im Jahr", "fr": "en", "es": "en"}[q.name]
}

// pointed takes off what points at the last question: "that in", "the same for".
func (q question) pointed() question {
	i := 0
	for i < len(q.toks) && (q.is("demo", q.word(i)) || q.is("thing", q.word(i)) || q.word(i) == "same" || q.word(i) == "the" && q.word(i+1) == "same") {
		i++
	}
	if i == 0 || i < len(q.toks) && !q.is("prep", q.word(i)) || i >= len(q.toks) {
		return q
	}
	return newQuestion(q.lexicon, q.text[q.toks[i].start:])
}

// filled puts a noun phrase in the place of the one in the question that it is
// most like.
func (q question) filled(part question) question {
	prep := ""
	if part.is("prep", part.word(0)) && len(part.toks) > 1 {
		prep = part.word(0)
		part = newQuestion(part.lexicon, part.text[part.toks[1].start:])
	}
	best, most := span{}, 0.0
	subject, when := q.subject(), q.when()
	for _, s := range q.chunks() {
		if !when.empty() && s.from < when.to && s.to > when.from {
			if s.from >= when.from {
				continue
			}
			s.to = when.from
		}
		to, likeness := q.likeness(s, part)
		if prep != "" && q.word(s.from-1) == prep {
			likeness += 1.5
		}
		if s.from == subject.from || s.from < subject.from && s.to == subject.to {
			likeness += 0.4
		}
		if likeness > most {
			best, most = span{s.from, to}, likeness
		}
	}
	object := q.object()
	switch {
	case most >= 1:
		return q.put(q.complemented(best), part)
	case prep != "" && !q.is("of", prep):
		return newQuestion(q.lexicon, q.bare()+" "+prep+" "+part.text+"?")
	case !object.empty():
		return q.put(object, part)
	case !subject.empty():
		return q.put(subject, part)
	}
	return newQuestion(q.lexicon, strings.TrimSpace(q.bare()+" "+prep)+" "+part.text+"?")
}

// complemented takes in what stands behind a noun where a language puts it there:
// le forfait de base.
func (q question) complemented(s span) span {
	if q.is("follows", q.word(s.to)) && q.content(s.to+1) {
		s.to += 2
	}
	return s
}

// object is what a question to be answered with yes or no has behind its verb: "Does
// the contract allow subletting?"
func (q question) object() span {
	chunks := q.chunks()
	if !q.is("do", q.word(0)) || len(chunks) == 0 || chunks[0].from != 1 {
		return span{}
	}
	if len(chunks) > 1 {
		return chunks[1]
	}
	if q.words(chunks[0]) < 3 {
		return span{}
	}
	return span{chunks[0].to - 1, chunks[0].to}
}

// likeness tells how much a noun phrase is like a part, and up to where: words
// behind the last that both have are none of it ("the basic plan cost").
func (q question) likeness(s span, part question) (to int, likeness float64) {
	head := -1
	for i := range part.toks {
		if part.content(i) {
			head = i
		}
	}
	to = q.withoutVerb(s).to
	for i := s.from; i < s.to; i++ {
		for j := range part.toks {
			if !q.content(i) || !part.content(j) || stem(q.word(i)) != stem(part.word(j)) {
				continue
			}
			likeness++
			if j == head {
				likeness, to = likeness+1, i+1
			}
		}
	}
	if head >= 0 && q.name != "de" && s.from > 0 && part.allNames() && q.capital(s.to-1) {
		likeness += 0.7
		if q.capital(s.from) {
			likeness += 0.8
		}
	}
	return to, likeness
}

// put replaces a run, keeping its article where the part has none.
func (q question) put(s span, part question) question {
	text := part.text
	first := part.word(0)
	if q.is("det", q.word(s.from)) || q.is("poss", q.word(s.from)) {
		if !part.is("det", first) && !part.is("poss", first) && !(part.capital(0) && part.words(span{0, len(part.toks)}) == len(part.toks)) {
			text = q.of(span{s.from, s.from + 1}) + " " + text
		}
	}
	if part.is("det", first) && s.from > 0 {
		text = lowerFirst(text)
	}
	return q.with(s, text)
}

func lowerFirst(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToLower(text[:size]) + text[size:]
}
