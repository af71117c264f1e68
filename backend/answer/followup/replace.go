package followup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
		if named, ok := c.stood(part); ok {
			return c.last.begunWith(named)
		}
	}
	if part.measures(span{0, len(part.toks)}) && part.is("det", part.word(0)) && part.words(span{0, len(part.toks)}) == 1 && !part.shares(c.last) && c.about != "" {
		return part.measureOf(c.about) // "and the cost?" is of the same thing
	}
	return full.filled(part).text
}

// begunWith is what a question begins with, before a text; where that has no verb, the
// text is what the question is about.
func (q question) begunWith(text string) string {
	begins, s := newQuestion(q.lexicon, q.beginning()), q.subject()
	verb := s.empty()
	for i := range begins.toks {
		verb = verb || begins.is("aux", begins.word(i)) || strings.HasPrefix(begins.word(i), "'")
	}
	if !verb {
		return q.with(s, text).text
	}
	return q.joined(begins.text, text) + q.mark()
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
	case !old.empty() && year.MatchString(q.of(old)), strings.HasPrefix(text, q.one("intime")+" "): // as it was put
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
	if full, ok := q.ownedBy(part); ok {
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
	case most >= 1 && q.contracted(q.word(best.from-1)) && q.contracted(prep) && q.is("of", prep):
		return q.with(span{best.from - 1, q.complemented(best, part).to}, prep+" "+part.bare())
	case most >= 1:
		return q.put(q.complemented(best, part), part)
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
		return q.put(q.headed(subject, part), part)
	}
	return q.followedBy(strings.TrimSpace(prep + " " + part.bare()))
}

// ownedBy puts an owner in the place of the question's: "and the tenor's?"
func (q question) ownedBy(part question) (question, bool) {
	last := len(part.toks) - 1
	for last > 0 && !strings.HasPrefix(part.word(last), "'") {
		last--
	}
	if !q.has("genitive-s") || last <= 0 || part.words(span{last + 1, len(part.toks)}) > 0 {
		return q, false
	}
	for i := 1; i < len(q.toks); i++ {
		if q.word(i) != part.word(last) || !q.content(i+1) {
			continue
		}
		s := span{i, i}
		for s.from > 0 && (q.content(s.from-1) || q.is("det", q.word(s.from-1))) && !q.is("det", q.word(s.from)) {
			s.from--
		}
		return q.with(s, part.of(span{0, last})), !s.empty()
	}
	return q, false
}

// headed is a subject without what hangs on it, where what takes its place has nothing
// of its own to hang on: "and the notice?" after "the advance of the contract".
func (q question) headed(s span, part question) span {
	if part.allNames() || q.is("of", part.word(0)) {
		return s
	}
	for i := range part.toks {
		if part.is("prep", part.word(i)) || part.is("other", part.word(i)) {
			return s
		}
	}
	for i := s.from + 1; i < s.to; i++ {
		if q.is("prep", q.word(i)) && q.words(span{s.from, i}) > 0 && !q.has("postpositions") {
			return span{s.from, i}
		}
	}
	return s
}

// contracted reports whether a word is a preposition with its article: "del", "della".
func (q question) contracted(word string) bool { return q.is("prep", word) && q.is("det", word) }

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
func (q question) complemented(s span, part question) span {
	for q.is("follows", q.word(s.to)) && (q.content(s.to+1) || q.is("det", q.word(s.to+1)) && q.content(s.to+2)) {
		s.to += 2
		for s.to < len(q.toks) && q.content(s.to) && part.another() {
			s.to++
		}
		if !part.another() {
			break
		}
	}
	return s
}

// another reports whether a part is not what was just spoken of, but another of its kind.
func (q question) another() bool {
	for i := range q.toks {
		if q.is("other", q.word(i)) {
			return true
		}
	}
	return false
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
	if part.allNames() {
		run = q.nameOnly(run)
	}
	return run, likeness
}

// nameOnly is the name that ends a run, without the words before it that are none.
func (q question) nameOnly(s span) span {
	from := s.to
	for from > s.from && (q.capital(from-1) || !q.isWord(from-1)) {
		from--
	}
	if from < s.to && from > s.from && !q.is("det", q.word(from-1)) && (from == s.from+1 || q.content(from-1)) {
		return span{from, s.to}
	}
	return s
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
