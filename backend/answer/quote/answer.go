package quote

import (
	"cmp"
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
// sentences that rules found, and says how sure that is. ok is false where the
// cross-encoder cannot tell, and for rows of several periods: it was taught with
// questions that one sentence answers. Then rules decide.
func scored(ctx context.Context, question string, passages []Passage, rows []FoundRow, d Deps) (r Result, ok bool) {
	severalPeriods := periodsAsked.MatchString(question) || compareAsked.MatchString(question)
	if d.Scorer == nil || otherAlphabet(question) || severalPeriods && len(quotedRows(rows, passages)) > 0 {
		return Result{}, false
	}
	var results, byRules []Result
	for _, part := range d.parts(question) {
		q := NewQuery(d.Checker, part)
		q.gate = d.Gate
		found := q.refined(extract(ctx, d.Checker, part, passages, d.Encoder), passages)
		byRules = append(byRules, found)
		if found, ok = q.answer(ctx, found, rowSentences(rows, passages), passages, d); !ok {
			return Result{}, false
		}
		results = append(results, found)
	}
	r = withSuccessors(merge(results), passages)
	if r.State != None {
		return r, true
	}
	// Nothing answers, by all that the scorer knows: what has most of the question's
	// words comes closest.
	near := withRows(quotedRows(rows, passages), withSuccessors(merge(byRules), passages), speaksOf(d.Checker, rows))
	if near.State != None {
		near.State = Closest
	}
	near.Short, near.Confidence, near.Trace = "", r.Confidence, r.Trace
	return near, true
}

// answer chooses among rows of tables and the sentences of r, best first by
// rules.
func (q Query) answer(ctx context.Context, r Result, rows []Sentence, passages []Passage, d Deps) (Result, bool) {
	pool := slices.DeleteFunc(slices.Clone(r.pool), func(s Sentence) bool {
		return slices.ContainsFunc(rows, func(row Sentence) bool { return row.at() == s.at() })
	})
	for i := range pool {
		pool[i].Told = cmp.Or(pool[i].Told, headed(pool[i], passages, d.Rows))
	}
	g, ok := q.grade(ctx, pool, rows, passages, r.Evidence, d.Scorer)
	if !ok {
		return r, false
	}
	r.State, r.Confidence, r.Trace = g.state, g.confidence, q.trace(g, r.Evidence, passages)
	r.Sentences, r.Short = g.quoted(), ""
	if r.State == Answer && r.Sentences[0].own >= shortAt {
		r.Short = shortDate(q.text, g.sentences())
	}
	return r, true
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
	chosen := choose(all, alsoBehind)
	if g.state == Answer {
		chosen = slices.DeleteFunc(chosen, func(s Sentence) bool { return s.Score < alsoRight && s.at() != all[0].at() })
	} else {
		chosen = chosen[:min(len(chosen), closest)]
	}
	return append(chosen[:1:1], inReadingOrder(chosen[1:])...)
}
