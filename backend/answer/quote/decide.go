package quote

import (
	"slices"
	"strings"

	"footnote/backend/answer/quote/anchors"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// A question for a yes or a no is answered by one where a sentence has all that it
// speaks of, in one place and in its order, and takes nothing of that back. Everything
// else leaves it to the reader.

const (
	decidesFrom  = 2 // content words of a question
	spreadByTerm = 3 // content words of the sentence for each of the question's, at most
)

// decided puts yes or no before the sentence that decides the question.
func (q Query) decided(r Result, passages []Passage) Result {
	code := lang.Spoken(q.text)
	if r.State != Answer || r.Short != "" || len(r.Sentences) == 0 || r.Sentences[0].Row || code.NegatesInside() || !lang.AsksYesNo(code, q.text) {
		return r
	}
	class := q.decides(r.Sentences[0], passages, code)
	if class == "" {
		return r
	}
	r.Short, r.Worked = code.Said(class), true
	return r
}

// decides is how a sentence answers the question, SaysYes or SaysNo; empty where that
// is not certain.
func (q Query) decides(s Sentence, passages []Passage, code lang.Code) lang.Class {
	text := s.Text
	if spoken := lang.Detect(text); spoken != code && spoken != lang.Unknown || isQuestion(text) {
		return ""
	}
	if code.CountIn(lang.Hedges, text) > code.CountIn(lang.Hedges, q.text) {
		return ""
	}
	around := titled(passages[s.Passage].Title, s.Heading) + " " + q.before(s, passages)
	if missing, other := anchors.Of(q.text).MissingNumbers(text + " " + around); missing > 0 || other {
		return ""
	}
	clause, ok := q.clauseOf(text, around, code)
	if !ok || !anchors.InOrder(q.text, clause, code) {
		return ""
	}
	asked, said := code.CountNegations(q.text), code.CountNegations(text)
	switch {
	case asked > 0 || said > 1 || said != code.CountNegations(clause):
		return "" // a no may deny another part of the sentence
	case said == 1:
		return lang.SaysNo
	case code == lang.English && q.checker.Check(strings.TrimRight(q.text, "? "), "", around+" "+text).Held:
		return ""
	}
	return lang.SaysYes
}

// before is the sentence before s where s points back to it.
func (q Query) before(s Sentence, passages []Passage) string {
	text := passages[s.Passage].Text
	before, ok := antecedent(s, statements.Of(text), text)
	if !ok {
		return ""
	}
	return before.Text
}

// clauseOf is the clause of a sentence that has what the question speaks of, as far as
// the words around it do not; ok is false where a word is nowhere, or they stand far
// apart.
func (q Query) clauseOf(text, around string, code lang.Code) (clause string, ok bool) {
	terms := slices.DeleteFunc(slices.Clone(q.terms), func(t cite.Term) bool { return q.asking[t.Stem] || q.isLight(t, code) })
	if len(terms) < decidesFrom {
		return "", false
	}
	beside := q.checker.Terms(around)
	for _, c := range statements.ClausesOf(text) {
		clause = text[c.Start:c.End]
		have := q.checker.Terms(clause)
		here, from, to := 0, len(have), 0
		whole := !slices.ContainsFunc(terms, func(t cite.Term) bool {
			at := slices.IndexFunc(have, t.IsForm)
			if at >= 0 {
				here, from, to = here+1, min(from, at), max(to, at+1)
			}
			return at < 0 && !slices.ContainsFunc(beside, t.IsForm)
		})
		least := len(terms) / 2
		if c.Start == 0 && lang.LeanOf(code, clause) == lang.BackOnTo { // its subject stands before it
			least = 0
		}
		if whole && here > least && to-from <= spreadByTerm*here {
			return clause, true
		}
	}
	return "", false
}

// isLight reports whether a word of the question may be missing: to use, to be
// possible.
func (q Query) isLight(t cite.Term, code lang.Code) bool {
	return slices.ContainsFunc(code.Forms(lang.Light), func(form string) bool {
		return slices.ContainsFunc(q.checker.Terms(form), t.IsForm)
	})
}
