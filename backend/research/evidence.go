package research

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/rank"
)

// mostOnSubject are passages that name the subject and no subquestion asked for.
const mostOnSubject = 90

// onSubject is what was read and names the subject, beside what subquestions chose:
// what a report is told apart by headings from, and what makes an older text outdated.
func (r *research) onSubject(ctx context.Context, chosen []rank.Candidate) (more []rank.Candidate) {
	if r.vectors == nil || r.p.Models.Chat.Model != nil {
		return nil
	}
	b := r.p.Branch(r.p.Plan.Standalone)
	b.Evidence.Found, b.Evidence.Documents = r.p.Evidence.Found, r.p.Evidence.Documents
	pool := rank.Rank(r.p.Plan.Standalone, b.Pool(ctx), r.p.Plan.RankBy, r.p.Tell.Now(), r.p.Task.RankOptions())
	pool = slices.DeleteFunc(pool, func(c rank.Candidate) bool { return c.Snippet || hasPassage(chosen, c) })
	r.readOf(ctx, b, pool)
	texts := make([]string, len(pool))
	for i, c := range pool {
		texts[i] = c.Passage.Text
	}
	m := r.matterIn(texts)
	pool = slices.DeleteFunc(pool, func(c rank.Candidate) bool {
		read := r.reading(c.Source.Digest)
		return !m.named(c.Source.Title+" "+c.Passage.Text) && (read == nil || !read.about && (read.terms == nil || !read.terms.MatchString(c.Passage.Text)))
	})
	if r.p.Task.Question.SubMode == contract.DueDiligence {
		pool = inTurn(pool, r.diligentQueries())
	}
	return pool[:min(len(pool), mostOnSubject)]
}

// inTurn orders passages so that what fits each of several queries best comes first.
func inTurn(pool []rank.Candidate, queries []string) []rank.Candidate {
	texts, place := make([]string, len(pool)), make([]int, len(pool))
	for i, c := range pool {
		texts[i], place[i] = gather.RankText(c), len(pool)*len(queries)+i
	}
	words := rank.NewBM25(texts)
	for k, query := range queries {
		scores, order := words.Scores(query), make([]int, len(pool))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		for at, i := range order {
			place[i] = min(place[i], at*len(queries)+k)
		}
	}
	order := make([]int, len(pool))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return place[a] - place[b] })
	out := make([]rank.Candidate, len(pool))
	for i, at := range order {
		out[i] = pool[at]
	}
	return out
}
