package followup

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
			return c.last.joined(c.last.beginning(), named) + c.last.mark()
		}
	}
	if part.measures(span{0, len(part.toks)}) && part.is("det", part.word(0)) && part.words(span{0, len(part.toks)}) == 1 && !part.shares(c.last) && c.about != "" {
		return part.measureOf(c.about) // "and the cost?" is of the same thing
	}
	return full.filled(part).text
}

// measureOf is what is measured with that of which it is.
func (q question) measureOf(about string) string {
	if q.has("possessor-first") {
		return q.joined(q.joined(about, q.one("joinof")), q.bare())
	}
	return q.joined(q.bare(), q.joined(q.one("joinof"), about))
}

// beginning are the words that open a question, before it says of what.
func (q question) beginning() string {
	n := 0
	for n < len(q.toks) && (q.is("wh", q.word(n)) || q.is("aux", q.word(n)) || strings.HasPrefix(q.word(n), "'")) {
		n++
	}
	return q.of(span{0, n})
}

// timed is a question asked of another time. A day takes no year's place.
func (q question) timed(part question, when span) question {
	old, days := q.when(), part.namesDay(when)
	if days {
		when = part.led(when)
	}
	text := part.of(when)
	switch {
	case !old.empty() && q.namesDay(old) != days:
		return q.followedBy(text)
	case days && !old.empty():
		return q.with(q.led(old), text)
	case days, q.has("unspaced") || q.has("postpositions"), part.is("prep", part.word(when.from)):
	case !old.empty() && q.is("prep", q.word(old.from)) && q.toks[old.from].lower != "from" && q.toks[old.from].lower != "between":
		text = q.of(span{old.from, old.from + 1}) + " " + text
	default:
		text = q.joined(q.one("intime"), text)
	}
	if old.empty() {
		return q.followedBy(text)
	}
	return q.with(old, text)
}

// led is a run with the articles and prepositions before it.
func (q question) led(s span) span {
	for s.from > 0 && (q.is("det", q.word(s.from-1)) || q.is("prep", q.word(s.from-1))) && !q.has("postpositions") {
		s.from--
	}
	return s
}

// namesDay reports whether a time is a day of the week or a part of it.
func (q question) namesDay(s span) bool {
	for i := s.from; i < s.to; i++ {
		if q.isDay(i) {
			return true
		}
	}
	return false
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
	if full, ok := q.counted(part); ok {
		return full
	}
	part, prep := part.withoutPreposition()
	best, most := span{}, 0.0
	subject, when := q.subject(), q.when()
	for _, s := range q.chunks() {
		if !when.empty() && s.from < when.to && s.to > when.from {
			if s.from >= when.from {
				continue
			}
			s.to = when.from
		}
		if s.from < subject.from && s.to == subject.to {
			s.from = subject.from // without the verb
		}
		run, likeness := q.likeness(s, part)
		if prep != "" && (q.word(s.from-1) == prep || q.has("postpositions") && q.word(s.to) == prep) {
			likeness += 1.5
		}
		if s.from == subject.from || s.from < subject.from && s.to == subject.to {
			likeness += 0.4
		}
		if likeness > most {
			best, most = run, likeness
		}
	}
	object := q.object()
	switch {
	case most >= 1:
		return q.put(q.complemented(best), part)
	case prep != "" && part.bareName(0) && q.bareName(object.from) && object.to-object.from == 1:
		return q.put(object, part)
	case strings.HasPrefix(prep, "'") && !subject.empty() && strings.HasPrefix(q.word(subject.to), "'"): // both have an ending
		return q.with(span{subject.from, subject.to + 1}, part.bare()+prep)
	case prep != "" && q.has("postpositions"):
		return q.followedBy(part.bare() + prep)
	case prep != "" && !q.is("of", prep):
		return q.followedBy(prep + " " + part.bare())
	case !object.empty():
		return q.put(object, part)
	case !subject.empty():
		return q.put(subject, part)
	}
	return q.followedBy(strings.TrimSpace(prep + " " + part.bare()))
}

// bareName reports whether a token is a name, which has no article.
func (q question) bareName(i int) bool {
	return i < len(q.toks) && q.isWord(i) && q.capital(i) && !q.isTime(i) && (i == 0 || !q.is("det", q.word(i-1)) && !q.is("wh", q.word(i-1)))
}

// withoutPreposition parts a phrase from the word that ties it to a sentence.
func (q question) withoutPreposition() (part question, prep string) {
	if q.has("postpositions") {
		last := len(q.toks) - 1
		for last > 0 && !q.isWord(last) && !q.is("prep", q.word(last)) {
			last--
		}
		if last > 0 && q.is("prep", q.word(last)) {
			return newQuestion(q.lexicon, q.text[:q.toks[last].start]), q.word(last)
		}
		return q, ""
	}
	if q.is("prep", q.word(0)) && len(q.toks) > 1 {
		return newQuestion(q.lexicon, q.text[q.toks[1].start:]), q.word(0)
	}
	return q, ""
}

// counted puts a number in the place of the question's number: "and with 20?"
func (q question) counted(part question) (question, bool) {
	number := func(q question) (at, n int) {
		for i := range q.toks {
			if unicode.IsDigit([]rune(q.word(i))[0]) && !q.isTime(i) {
				at, n = i, n+1
			}
		}
		return at, n
	}
	at, n := number(part)
	old, olds := number(q)
	if n != 1 || olds != 1 || part.words(span{0, len(part.toks)}) != 1 {
		return q, false
	}
	return q.with(span{old, old + 1}, part.of(span{at, at + 1})), true
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
// the contract allow subletting?", or the last thing that another one names.
func (q question) object() span {
	chunks := q.chunks()
	if len(chunks) == 0 {
		return span{}
	}
	if !q.is("do", q.word(0)) || chunks[0].from != 1 {
		if last := chunks[len(chunks)-1]; q.bareName(last.from) {
			return q.withoutVerb(last)
		}
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

// likeness tells how much a noun phrase is like a part, and which run of it: words
// behind the last that both have are none of it ("the basic plan cost"), nor words
// before the one that the part begins with.
func (q question) likeness(s span, part question) (run span, likeness float64) {
	first, head := part.firstContent(span{0, len(part.toks)}), -1
	for i := range part.toks {
		if part.content(i) {
			head = i
		}
	}
	run = q.withoutVerb(s)
	for i := s.from; i < s.to; i++ {
		for j := range part.toks {
			if !q.content(i) || !part.content(j) || stem(q.word(i)) != stem(part.word(j)) {
				continue
			}
			likeness++
			if j == head {
				likeness, run.to = likeness+1, i+1
			}
			if j == first && j != head && !q.is("det", q.word(i-1)) {
				run.from = i
			}
		}
	}
	if head >= 0 && !q.has("nouns-capital") && s.from > 0 && part.allNames() && q.capital(s.to-1) {
		likeness += 0.7
		if q.capital(s.from) {
			likeness += 0.8
		}
	}
	return run, likeness
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
