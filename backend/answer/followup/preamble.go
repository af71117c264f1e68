package followup

import (
	"strings"

	"footnote/backend/lang"
)

const mostLed = 6 // words of a topic that is put before a question

// led reads a question that has what it is about before it: "Back to the tour: who
// gets the quotes?", "and the key, where is it collected?"
func (c context) led(q question) (string, bool) {
	at := strings.IndexAny(q.text, ":：")
	told := at > 0
	if !told {
		at = strings.IndexAny(q.text, ",，、")
	}
	if at <= 0 {
		return "", false
	}
	topic, back := q.name.CutFront("backto", q.text[:at])
	front, rest := newQuestion(q.lexicon, topic), newQuestion(q.lexicon, strings.TrimLeft(q.text[at:], ":：,，、 "))
	n := front.words(span{0, len(front.toks)})
	if n == 0 || n > mostLed || !front.verbless() || !front.when().empty() || rest.verbless() && lang.KindAsked(rest.name, rest.text) == lang.AsksNothing || !back && front.is("prep", front.word(0)) && !front.has("postpositions") {
		return "", false
	}
	own := rest.words(span{0, len(rest.toks)})
	c.about, c.who, c.named, c.fresh = front.bare(), "", false, false
	if full, ok := c.stood(rest); ok {
		return full, true
	}
	switch {
	case own == 0:
		return q.joined(rest.bare(), front.bare()) + rest.mark(), true
	case !told && !back:
		return "", false
	case rest.shares(front):
		return rest.text, true
	}
	return rest.belonging(front.bare()), true
}

// belonging is a question about something of what is named.
func (q question) belonging(about string) string {
	if q.has("possessor-first") {
		return q.joined(q.joined(about, q.one("joinof")), q.text)
	}
	return q.joined(q.bare(), q.joined(q.one("joinof"), about)) + q.mark()
}

// succeeded reads a question for who came next: after the person last spoken of.
func (c context) succeeded(q question) (string, bool) {
	if c.who == "" || len(q.toks) == 0 || !q.asks(q.word(0), lang.Person) || q.has("postpositions") || q.words(span{0, len(q.toks)}) > 2 {
		return "", false
	}
	for i := range q.toks {
		if i > 0 && q.is("succeeds", q.word(i)) {
			full := q.with(span{i, i + 1}, q.joined(q.one("succession"), c.who))
			if c.about == "" || strings.Contains(c.about, c.who) {
				return full.text, true
			}
			return full.completed(c.about) + q.mark(), true
		}
	}
	return "", false
}
