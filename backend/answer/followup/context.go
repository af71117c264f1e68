package followup

import (
	"strings"

	"footnote/backend/lang"
)

// Turn is one earlier question with what was answered; the answer is empty where
// nothing was found. Near is what came nearest then.
type Turn struct{ Question, Answer, Near string }

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
	full, _ := before.resolve(asked)
	return full
}

// context is what a conversation has come to.
type context struct {
	last   question // the last question in full
	main   question // the same, but for one that only asked why
	about  string   // its subject, or an earlier one's where it has none
	when   string   // the last time that was spoken of
	who    string   // the person last spoken of
	fresh  bool     // who is what the last question asked for
	named  bool     // the last question names who
	back   bool     // the last answer asked back
	series series   // what the last questions differ in
}

// reading is how a question was said in full.
type reading int

const (
	asTyped  reading = iota
	filledIn         // a part took its place in the last question
	pointed          // pronouns stand for what they mean
	anew             // the last question with other words to ask with
	aside            // the same, asking why, or for the sum of several
	completed
	led // by a topic of its own
)

func (c context) language() *lexicon {
	if c.last.lexicon != nil {
		return c.last.lexicon
	}
	return english
}

// after is the context once a turn has been taken.
func (c context) after(t Turn) context {
	full, how := t.Question, asTyped
	if c.last.text != "" {
		full, how = c.resolve(t.Question)
	}
	l := lexiconOf(full, c.language())
	q := newQuestion(l, strings.TrimSpace(l.name.CutRequest(full)))
	next := context{last: q, main: q, about: c.about, when: c.when, who: c.who, back: strings.HasSuffix(strings.TrimSpace(t.Answer), "?")}
	if how == aside {
		next.main = c.main
	}
	if s := q.timelessly(q.subject()); !s.empty() && !q.timeless(s) && (c.about == "" || !c.keepsTopic(q, s, how, full == t.Question)) {
		next.about = strings.TrimSpace(q.of(s))
	}
	if s := q.when(); !s.empty() {
		next.when = q.of(s)
	} else if a := newQuestion(q.lexicon, t.Answer); len(a.toks) < 8 && !a.when().empty() {
		next.when = a.of(a.when())
	}
	if how == filledIn {
		next.series = c.series.next(c.last, q)
	}
	next.meets(q, t)
	return next
}

// keepsTopic reports whether the topic stays what it was: the question is about it
// by a pronoun, and its own subject is something of it.
func (c context) keepsTopic(q question, s span, how reading, typed bool) bool {
	about := q.of(s)
	return how == anew || how == aside || how == pointed && about == c.who || !typed && strings.Contains(about, c.about+"'s") ||
		(how == pointed || how == completed) && !strings.Contains(strings.ToLower(about), strings.ToLower(c.about)) && strings.Contains(strings.ToLower(q.text), strings.ToLower(c.about))
}

// resolve says a question in full.
func (c context) resolve(asked string) (full string, how reading) {
	if c.last.text == "" {
		return asked, asTyped
	}
	l := lexiconOf(asked, c.last.lexicon)
	if l.name.Says(lang.GoesOn, asked) && c.about != "" {
		return l.joined(strings.TrimRight(asked, marks), c.about), completed
	}
	if l.name.Says("doubt", asked) {
		return c.last.text, anew // "are you sure?"
	}
	q, goes := newQuestion(l, asked), false
	if rest, mends := l.name.CutFront(lang.Corrects, asked); mends && rest != "" {
		q, goes = newQuestion(l, rest), true
		asked = rest
	}
	if rest, opens := q.opened(); opens {
		q, goes = rest, true
	}
	if full, ok := c.totalled(q); ok {
		return full, aside
	}
	if full, ok := c.ofVersion(newQuestion(l, asked)); ok {
		return full, filledIn
	}
	if full, ok := c.led(q); ok {
		return full, led
	}
	if earlier, ok := c.yearsApart(q); ok {
		q, asked = earlier, earlier.text
	}
	switch {
	case q.alone():
		how = anew
		if q.asks(strings.ToLower(q.bare()), lang.Reason) {
			how = aside
		}
		return c.askedAnew(q), how
	case q.fragment(goes || c.back, c.last):
		c.last = c.main
		return c.replaced(q), filledIn
	}
	if again, ok := c.again(q); ok {
		return again, filledIn
	}
	if full, ok := c.stood(q); ok {
		return full, pointed
	}
	if full, ok := c.succeeded(q); ok {
		return full, pointed
	}
	if c.about != "" && (q.vague() || q.silent()) && !c.ofAnother(q) && c.last.words(span{0, len(c.last.toks)}) > 0 && newQuestion(c.last.lexicon, c.about).short() {
		return q.completed(c.about), completed
	}
	return asked, asTyped
}

// ofAnother reports whether a question for a person cannot be about the topic,
// which is a sum: "how much is her fee?", "who is the accompanist?"
func (c context) ofAnother(q question) bool {
	about := newQuestion(c.last.lexicon, c.about)
	if len(q.toks) == 0 || !q.asks(q.word(0), lang.Person) {
		return false
	}
	for i := range about.toks {
		if about.is("amounts", about.word(i)) {
			return true
		}
	}
	return false
}

func (q question) short() bool { return q.words(span{0, len(q.toks)}) <= mostAppended }
