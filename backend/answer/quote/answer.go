package quote

import (
	"context"
	"slices"
)

// What is quoted beside the best candidate.
const (
	alsoRight  = 0.5  // how likely it must be the answer itself
	alsoBehind = 0.25 // and how far behind the best one, at most
	closest    = 3    // passages shown where none is sure to answer
)

// scored chooses what answers each part of a question among the rows and the
// sentences that rules found, and says how sure that is. ok is false for rows of
// one label in several periods, as the scorer was taught with questions that one
// sentence answers. Then rules decide.
func scored(ctx context.Context, question string, passages []Passage, rows []FoundRow, d Deps) (r Result, ok bool) {
	severalPeriods := operationOf(question) == noOperation && (periodsAsked.MatchString(question) || compareAsked.MatchString(question))
	if d.Scorer == nil || severalPeriods && shareLabel(quotedRows(rows, passages)) {
		return Result{}, false
	}
	var results, byRules []Result
	for _, part := range d.parts(question) {
		q := NewQuery(d.Checker, part)
		q.gate = d.Gate
		found := q.refined(extract(ctx, d.Checker, part, passages, d.Encoder), passages)
		byRules = append(byRules, found)
		results = append(results, q.answer(ctx, found, rowSentences(rows, passages), passages, d))
	}
	r = merge(results)
	if r.State != None {
		return r, true
	}
	// Where rules see a great deal of the question, the best are shown as close.
	if near := withRows(quotedRows(rows, passages), withSuccessors(merge(byRules), passages), speaksOf(d.Checker, byLabel(rows))); near.State != None {
		r.State = Closest
	}
	return r, true
}

// shareLabel reports whether rows of two sources tell of the same thing.
func shareLabel(rows []Sentence) bool {
	source := map[string]int{}
	for _, r := range rows {
		if n := source[r.label]; n != 0 && n != r.N {
			return true
		}
		source[r.label] = r.N
	}
	return false
}

// answer chooses among rows of tables and the sentences of r, best first by
// rules.
func (q Query) answer(ctx context.Context, r Result, rows []Sentence, passages []Passage, d Deps) Result {
	pool := slices.DeleteFunc(withReplies(r.pool, passages), func(s Sentence) bool {
		return slices.ContainsFunc(rows, func(row Sentence) bool { return row.at() == s.at() })
	})
	g := q.grade(ctx, pool, rows, passages, r.Evidence, d)
	r.State, r.Confidence, r.Trace = g.state, g.confidence, q.trace(g, r.Evidence, passages)
	r.Sentences, r.Short = g.quoted(), ""
	if r.State == Answer && r.Sentences[0].own >= shortAt {
		r.Short = shortDate(q.text, g.sentences())
	}
	if r.State != None && operationOf(q.text) != noOperation && r.Sentences[0].Row {
		r = worked(q.text, r, passages, d.Rows)
	}
	return q.withSequel(r, passages)
}

// worked puts what is worked out from the best row before it. Where that cannot be
// done the row does not answer: it only comes close.
func worked(question string, r Result, passages []Passage, known *RowCache) Result {
	row, ok := rowOf(r.Sentences[0], passages, known)
	if ok {
		r.Short, ok = workedOut(question, row)
	}
	if !ok {
		r.State = Closest
		return r
	}
	r.Worked, r.Sentences = true, r.Sentences[:1]
	return r
}

// sentences are the candidates, likeliest first; their score is how likely each
// is the answer.
func (g graded) sentences() []Sentence {
	all := make([]Sentence, len(g.all))
	for i, c := range g.all {
		all[i] = c.Sentence
		all[i].Score = probability(c.likely)
	}
	return all
}

// quoted are the best candidate and the others that are likely the answer too:
// the best one stands first, the others follow in reading order.
func (g graded) quoted() []Sentence {
	all := g.sentences()
	if len(all) == 0 {
		return nil
	}
	chosen := slices.DeleteFunc(choose(all, alsoBehind), func(s Sentence) bool { return s.at() != all[0].at() && !g.goesWithBest(s) })
	if g.state != Answer {
		chosen = chosen[:min(len(chosen), closest)]
	}
	return append(chosen[:1:1], inReadingOrder(chosen[1:])...)
}

// goesWithBest reports whether a sentence may stand beside the best one: whole, in
// the language that the best one is in where that is the question's, and where
// that one answers, likely to answer too.
func (g graded) goesWithBest(s Sentence) bool {
	i := slices.IndexFunc(g.all, func(c judged) bool { return c.at() == s.at() })
	if i < 0 || g.state == Answer && s.Score < alsoRight {
		return false
	}
	return g.all[i].features[wholeFeature] == 1 && g.all[i].features[foreignFeature] <= g.all[0].features[foreignFeature]
}
