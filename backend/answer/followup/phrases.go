package followup

import (
	"slices"
	"strings"

	"footnote/backend/lang"
)

// chunks are the noun phrases of a question, each with its article.
func (q question) chunks() (out []span) {
	for i := 0; i < len(q.toks); {
		if q.bounds(i) || q.is("join", q.word(i)) {
			i++
			continue
		}
		s := span{i, i}
		for i < len(q.toks) && !q.bounds(i) && (i == s.from || !q.is("det", q.word(i)) || q.is("det", q.word(i-1))) {
			i++
			if q.content(i - 1) {
				s.to = i
			}
		}
		if !s.empty() {
			out = append(out, q.closed(s))
		}
		if i == s.from {
			i++
		}
	}
	return out
}

// closed takes in the bracket that ends a noun phrase.
func (q question) closed(s span) span {
	open := strings.Count(q.of(s), "(") - strings.Count(q.of(s), ")")
	if open > 0 && q.word(s.to) == ")" {
		s.to++
	}
	return s
}

// subject is the run that says what a question is about: what follows the words
// that measure it, up to a time or the end, without the verb.
func (q question) subject() span {
	when := q.when()
	chunks := q.chunks()
	for len(chunks) > 0 && !when.empty() && chunks[0].from >= when.from && chunks[0].to <= when.to {
		chunks = chunks[1:]
	}
	if len(chunks) > 1 && q.is("do", q.word(chunks[0].from-1)) && q.is("prep", q.word(chunks[0].to)) && !q.is("of", q.word(chunks[0].to)) {
		chunks[0] = q.withoutVerb(chunks[0]) // "What will the hall cost per hour?"
	}
	for len(chunks) > 1 && (q.timeless(chunks[0]) || q.isUnit(chunks[0]) || q.measures(chunks[0]) && q.is("prep", q.word(chunks[0].to))) {
		chunks = chunks[1:]
	}
	chunks = q.withoutFirstVerb(chunks)
	if len(chunks) == 0 {
		return span{}
	}
	s := q.doer(chunks)
	if !when.empty() && s.from >= when.from && s.from < when.to {
		return span{}
	}
	for len(chunks) > 0 && chunks[0].from <= s.from {
		chunks = chunks[1:]
	}
	if q.is("aux", q.word(0)) && q.capital(s.from) { // "Is Red Bull bad for you?"
		for end := s.from; end < s.to; end++ {
			if !q.capital(end) {
				return span{s.from, end}
			}
		}
	}
	s = q.extended(s, chunks, when)
	s = q.withoutVerb(s)
	for s.from < s.to-1 && q.is("modifier", q.contentWord(s)) {
		s.from = q.firstContent(s) + 1
	}
	return s
}

// withoutFirstVerb takes off the verb behind the word to ask with, or behind "you":
// "who wrote Dune", "was kostet der Tarif", "how do I reset my password".
func (q question) withoutFirstVerb(chunks []span) []span {
	if len(chunks) > 1 && chunks[0].from > 0 && q.is("self", q.word(chunks[0].from-1)) {
		if chunks[0].from++; chunks[0].empty() {
			return chunks[1:]
		}
		return chunks
	}
	if len(chunks) > 0 && chunks[0].from > 0 && !q.has("nouns-capital") && q.is("aux", q.word(chunks[0].from-1)) {
		return q.withoutSecondVerb(chunks)
	}
	if len(chunks) == 0 || chunks[0].from == 0 || !q.is("wh", q.word(chunks[0].from-1)) {
		return chunks
	}
	s := chunks[0]
	switch {
	case q.words(s) == 1 && len(chunks) > 1 && chunks[1].from == s.to && !q.is("measure", q.contentWord(s)):
		return chunks[1:]
	case q.words(s) == 1 && len(chunks) > 1 && s.to-s.from == 1 && !q.capital(s.from) && q.asks(q.word(s.from-1), lang.Person) && q.is("prep", q.word(s.to)):
		return chunks[1:] // "who voted against it"
	case q.words(s) > 1 && q.asks(q.word(s.from-1), lang.Person) && !q.capital(s.from):
		chunks[0].from++
	case q.words(s) > 1 && !q.capital(s.from) && (q.verbFirst(s) || q.namedBehind(s)):
		chunks[0].from++
	}
	return chunks
}

// namedBehind reports whether a phrase is a verb and a name, behind a word that asks for
// no noun: "Wo wohnt Anna Bergmann?"
func (q question) namedBehind(s span) bool {
	return q.content(s.from) && q.isWord(s.from+1) && q.capital(s.from+1) && !q.isTime(s.from+1) &&
		q.asks(q.word(s.from-1), lang.Time, lang.Place, lang.Reason, lang.Manner)
}

// withoutSecondVerb takes off the verb behind an auxiliary, where its object follows
// at once: "qui a fondé la maison", "qui a écrit Germinal".
func (q question) withoutSecondVerb(chunks []span) []span {
	s := chunks[0]
	if q.capital(s.from) || !q.content(s.from) {
		return chunks
	}
	if q.words(s) == 1 && len(chunks) > 1 && chunks[1].from == s.to && q.is("det", q.word(s.to)) {
		return chunks[1:]
	}
	if next := s.from + 1; next < s.to && (q.is("demo", q.word(next)) || q.is("poss", q.word(next)) || q.capital(next)) {
		chunks[0].from++
	}
	return chunks
}

// verbFirst reports whether a phrase behind a word to ask with begins with the verb,
// in languages that have no article to tell it from its noun.
func (q question) verbFirst(s span) bool {
	if q.has("verb-first") {
		return q.asks(q.word(s.from-1), lang.Time, lang.Place, lang.Reason, lang.Manner, lang.Person)
	}
	return q.ends("verbend", q.word(s.from))
}

// doer is the first noun phrase, or the one behind "does" where that is no pronoun:
// "How many days do employees get?" is about employees. What only says how much
// ("how tall") is passed over.
func (q question) doer(chunks []span) span {
	for i, s := range chunks {
		if q.is("do", q.word(s.from-1)) && !q.is("self", q.word(s.from)) && i > 0 {
			return s
		}
	}
	if len(chunks) > 1 && q.words(chunks[0]) == 1 && q.is("degree", q.word(chunks[0].from-1)) && q.is("aux", q.word(chunks[0].to)) {
		return chunks[1]
	}
	return chunks[0]
}

// extended takes in what hangs on a noun phrase: "the arch of the Lorne bridge".
func (q question) extended(s span, more []span, when span) span {
	if !when.empty() && s.from < when.from && s.to > when.from {
		s.to = when.from
	}
	for _, c := range more {
		if !when.empty() && c.from >= when.from && s.from < when.from || c.from != s.to+1 || !q.is("prep", q.word(s.to)) {
			break
		}
		if q.has("possessor-first") && q.measures(c) {
			break // what is measured of it
		}
		s.to = c.to
		if !when.empty() && s.from < when.from && s.to > when.from {
			s.to = when.from
		}
	}
	for s.to > s.from && !q.isWord(s.to-1) && q.word(s.to-1) != ")" {
		s.to--
	}
	return s
}

// withoutVerb takes off the verb that ends a question with "does" or with "was".
func (q question) withoutVerb(s span) span {
	if q.words(s) < 2 {
		return s
	}
	before, last := "", q.word(s.to-1)
	for i := s.from - 1; i >= 0 && before == ""; i-- {
		if q.is("aux", q.word(i)) {
			before = q.word(i)
		}
	}
	ends := s.to == len(q.toks) || !q.isWord(s.to) || q.is("prep", q.word(s.to)) || q.isTime(s.to)
	switch {
	case before == "" || !ends || q.capital(s.to-1):
	case q.is("verblast", before):
		s.to--
	case q.is("do", before), q.is("participle", last), q.ends("participleend", last):
		s.to--
	}
	for s.to > s.from && !q.content(s.to-1) && q.word(s.to-1) != ")" {
		s.to--
	}
	return s
}

// ends reports whether a word has one of the endings of a class.
func (q question) ends(class lang.Class, word string) bool {
	return slices.ContainsFunc(q.name.Forms(class), func(ending string) bool {
		return len(word) > len(ending)+2 && strings.HasSuffix(word, ending)
	})
}

func (q question) words(s span) (n int) {
	for i := s.from; i < s.to; i++ {
		if q.content(i) {
			n++
		}
	}
	return n
}

func (q question) firstContent(s span) int {
	for i := s.from; i < s.to; i++ {
		if q.content(i) {
			return i
		}
	}
	return s.from
}

func (q question) contentWord(s span) string { return q.word(q.firstContent(s)) }

// measures reports whether a noun phrase says what is measured of something, not
// what that is.
func (q question) measures(s span) bool {
	last := ""
	for i := s.from; i < s.to; i++ {
		if q.content(i) {
			last = q.word(i)
		}
	}
	return q.is("measure", last)
}

// timelessly is a noun phrase without what is only said of it at its end.
func (q question) timelessly(s span) span {
	for s.to-s.from > 1 && (q.is("timing", q.word(s.to-1)) && !q.is("det", q.word(s.to-2)) || q.is("predicate", q.word(s.to-1)) && s.to > q.lastWord()) {
		s.to--
	}
	return s
}

// isUnit reports whether a noun phrase is but what figures are in: "how many euros".
func (q question) isUnit(s span) bool {
	if q.words(s) != 1 {
		return false
	}
	w := q.contentWord(s)
	_, unit := lang.Unit(q.name, w)
	return unit || lang.IsCurrency(w)
}

// timeless reports whether a noun phrase is but a word for a time: "which year".
func (q question) timeless(s span) bool { return q.words(s) == 1 && q.is("then", q.contentWord(s)) }

// stem is a word without a plural's ending, to compare by.
func stem(w string) string {
	for _, ending := range []string{"'s", "es", "s", "en", "e", "n"} {
		if len(w) > len(ending)+3 && strings.HasSuffix(w, ending) {
			return w[:len(w)-len(ending)]
		}
	}
	return w
}
