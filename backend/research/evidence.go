package research

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/copies"
	"footnote/backend/research/sides"
)

// mostOnSubject are passages that name the subject and no subquestion asked for.
const mostOnSubject = 90

// onSubject is what was read and names the subject, beside what subquestions chose:
// what a report is told apart by headings from, and what makes an older text outdated.
func (r *research) onSubject(ctx context.Context, chosen []rank.Candidate) (more []rank.Candidate) {
	if r.vectors == nil || r.p.Models.Chat.Model != nil {
		return nil
	}
	known := map[evidence.PassageID]bool{}
	for _, c := range chosen {
		known[c.Passage.ID] = true
	}
	b := r.p.Branch(r.p.Plan.Standalone)
	b.Evidence.Found, b.Evidence.Documents = r.p.Evidence.Found, r.p.Evidence.Documents
	pool := rank.Rank(r.p.Plan.Standalone, b.Pool(ctx), r.p.Plan.RankBy, r.p.Tell.Now(), r.p.Task.RankOptions())
	pool = slices.DeleteFunc(pool, func(c rank.Candidate) bool { return c.Snippet || known[c.Passage.ID] })
	r.readOf(ctx, b, pool)
	pool = r.subject.OnSubject(pool)
	pool = copies.Without(copies.Of(slices.Concat(chosen, pool), r.subject.Year), pool)
	if r.p.Task.Question.SubMode == contract.DueDiligence {
		pool = inTurn(pool, sides.Queries(r.code(), r.study.Topic))
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

// readOf reads sources for what they say of the subject, with the pipeline that gathered
// them: subquestions run at the same time, each with its own pages.
func (r *research) readOf(ctx context.Context, by *answer.Pipeline, all []rank.Candidate) {
	r.subject.Read(all, func(source evidence.Source) string { return by.Text(ctx, source) })
}

const mostIntroduced = 5000 // runes of a page in which it says what is made

// learnProducts reads what was found for what the subject makes.
func (r *research) learnProducts(all []rank.Candidate) {
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Passage.Text)
	}
	for _, f := range r.p.Evidence.Found {
		texts = append(texts, f.Passage.Text)
	}
	for _, d := range r.p.Evidence.Documents {
		texts = append(texts, plain.Cut(d.Text, mostIntroduced))
	}
	r.subject.LearnProducts(texts)
}
