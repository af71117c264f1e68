package quote

import (
	"slices"
	"strings"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
)

const longestQuoted = 120 // words of a sentence that is quoted whole

// withWhole quotes whole sentences where clauses of long ones were chosen: half a
// sentence may say the opposite of all of it.
func withWhole(r Result, passages []Passage) Result {
	for i := range r.Sentences {
		r.Sentences[i] = r.Sentences[i].whole(passages)
	}
	for i := 0; i < len(r.Sentences); i++ {
		s := r.Sentences[i]
		r.Sentences = slices.Concat(r.Sentences[:i+1], slices.DeleteFunc(slices.Clone(r.Sentences[i+1:]), func(o Sentence) bool {
			return o.Passage == s.Passage && s.Span.Start <= o.Span.Start && o.Span.End <= s.Span.End
		}))
	}
	return r
}

// whole is the sentence that s is a clause of; s where it is none or where that is
// too long to be read.
func (s Sentence) whole(passages []Passage) Sentence {
	if s.Row || s.Told != "" {
		return s
	}
	text := passages[s.Passage].Text
	all := evidence.WholeSentences(text)
	at := slices.IndexFunc(all, func(w evidence.Span) bool { return w.Start <= s.Span.Start && s.Span.End <= w.End })
	if at < 0 || all[at] == s.Span || len(strings.Fields(text[all[at].Start:all[at].End])) > longestQuoted {
		return s
	}
	clauses := slices.DeleteFunc(statements.Of(text), func(c statements.Statement) bool { return c.End <= all[at].Start || all[at].End <= c.Start })
	before := slices.IndexFunc(clauses, func(c statements.Statement) bool { return c.Span == s.Span })
	if before < 0 || slices.ContainsFunc(clauses, func(c statements.Statement) bool { return c.Row }) {
		return s
	}
	s.Span, s.Text = all[at], text[all[at].Start:all[at].End]
	s.Order, s.Clauses = s.Order-before, len(clauses)-1
	return s
}
