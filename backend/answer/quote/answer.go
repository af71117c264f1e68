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
)

// answer chooses among rows of tables and the sentences that rules found, best
// first by rules, what answers the question, and says how sure that is.
func (q Query) answer(ctx context.Context, r Result, rows []Sentence, passages []Passage, d Deps) Result {
	pool := slices.DeleteFunc(slices.Clone(r.pool), func(s Sentence) bool {
		return slices.ContainsFunc(rows, func(row Sentence) bool { return row.at() == s.at() })
	})
	for i := range pool {
		pool[i].Told = cmp.Or(pool[i].Told, headed(pool[i], passages, d.Rows))
	}
	g := q.grade(ctx, pool, rows, passages, r.Evidence, d.Scorer)
	r.State, r.Confidence, r.Trace = g.state, g.confidence, q.trace(g, r.Evidence, passages)
	r.Sentences, r.Short = g.quoted(), ""
	if r.State == Answer && r.Sentences[0].own >= shortAt {
		r.Short = shortDate(q.text, g.sentences())
	}
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
	chosen := slices.DeleteFunc(choose(all, alsoBehind), func(s Sentence) bool { return s.Score < alsoRight && s.at() != all[0].at() })
	return append(chosen[:1:1], inReadingOrder(chosen[1:])...)
}
