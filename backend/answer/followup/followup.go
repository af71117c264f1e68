package followup

import (
	"strings"

	"footnote/backend/lang"
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
	return english
}

// after is the context once a turn has been taken.
func (c context) after(t Turn) context {
	full := t.Question
	if c.last.text != "" {
		full = c.resolve(t.Question)
	}
	l := lexiconOf(full, c.language())
	q := newQuestion(l, strings.TrimSpace(l.name.CutRequest(full)))
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
	if len(q.toks) > 0 && q.asks(q.word(0), lang.Person) {
		next.who = firstName(t.Answer)
	}
	return next
}

var name = pattern.New(`\p{Lu}[\p{L}'’.-]+(?: (?:(?:of|de|van|von|da|di|la) )?\p{Lu}[\p{L}'’.-]+)*`)

func firstName(text string) string {
	n := name.FindString(text)
	if l := lexiconOf(text, english); l.is("det", strings.ToLower(n)) || l.is("prep", strings.ToLower(n)) || l.is("person", strings.ToLower(n)) {
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
	if l.name.Says(lang.GoesOn, asked) && c.about != "" {
		return l.joined(strings.TrimRight(asked, marks), c.about)
	}
	q, goes := newQuestion(l, asked), false
	if rest, mends := l.name.CutFront(lang.Corrects, asked); mends && rest != "" {
		q, goes = newQuestion(l, rest), true
		asked = rest
	}
	if rest, opens := q.opened(); opens {
		q, goes = rest, true
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
	if c.about != "" && (q.vague() || q.silent()) && c.last.words(span{0, len(c.last.toks)}) > 0 && newQuestion(c.last.lexicon, c.about).short() {
		return q.completed(c.about)
	}
	return asked
}

func (q question) short() bool { return q.words(span{0, len(q.toks)}) <= mostAppended }

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
		if q.is("wh", q.word(i)) && !(i > 0 && q.is("prep", q.word(i-1))) || q.is("aux", q.word(i)) && !q.is("prep", q.word(i)) && !q.is("det", q.word(i)) {
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
	return q.joined(q.bare(), about)
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
	for i := range n {
		if !q.is("wh", q.word(i)) && !(i > 0 && (q.word(i) == "so" || q.word(i) == "not")) && !(i == n-1 && i > 0 && q.is("aux", q.word(i)) && q.has("verb-last")) {
			return false
		}
	}
	return true
}

// askedAnew asks the last question with other words to ask with, in their place.
func (c context) askedAnew(q question) string {
	from := 0
	for from < len(c.last.toks) && !c.last.is("wh", c.last.word(from)) {
		from++
	}
	end := from
	for end < len(c.last.toks) && c.last.is("wh", c.last.word(end)) {
		end++
	}
	switch {
	case from == 0 && end > 0 && end < len(c.last.toks):
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
	if !q.verbless() || len(q.toks) == 0 {
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
