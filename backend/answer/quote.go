package answer

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// giveQuotes answers without a model: the sentences of the passages that fit best.
// why tells what kept a model from writing; empty when none is set up.
func (p *Pipeline) giveQuotes(ctx context.Context, why string) (Answer, error) {
	if err := p.kept.settled(); err != nil {
		return Answer{}, err
	}
	p.Tell.Begin(StageCompose)
	pictures := p.FetchPictures(ctx)
	if why == "" && p.Models.Why != nil {
		why = fault.Of(p.Models.Why).Message
	}
	message := "Extracted from the sources; no model was used."
	if why != "" {
		message += " " + why
	}
	p.Tell.Notice(Notice{Code: "extractive", Level: "info", Message: message, Action: "choose-model"})
	if p.Selection.Quotation == nil { // a model was to write
		p.Selection.Quotation = p.selecting().extracted(ctx)
	}
	result := *p.Selection.Quotation
	text, outcome := result.Text(), Extracted
	if result.State == quote.None {
		outcome = NoEvidence
	}
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), len(result.Sentences))
	if outcome == NoEvidence {
		return p.graded(p.Conclude(text, outcome, nil, Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{p.Task.Question.Text}, Warnings: []string{}}, nil)), ctx.Err()
	}
	c := p.Check(ctx, text)
	c.Report.Unanswered = plain.Full(append(c.Report.Unanswered, result.Open...))
	p.AddPictures(pictures)
	return p.graded(p.Conclude(c.Text, outcome, c.Citations, c.Report, nil)), ctx.Err()
}

// graded is a quoted answer with what it is worth.
func (p *Pipeline) graded(a Answer) Answer {
	a.Grade = map[quote.State]Grade{quote.Answer: GradeAnswers, quote.Closest: GradeClosest, quote.None: GradeNone}[p.Selection.Quotation.State]
	if p.Selection.Quotation.Trace != nil {
		a.Confidence = &p.Selection.Quotation.Confidence
	}
	return a
}

// quotable are the chosen passages as they are quoted from.
func (p *selector) quotable() []quote.Passage {
	texts := make([]string, len(p.selection.Pool))
	for i, c := range p.selection.Pool {
		texts[i] = RankText(c)
	}
	scores := rank.NewBM25(texts).Scores(p.plan.Standalone)
	byID := map[evidence.PassageID]float64{}
	for i, c := range p.selection.Pool {
		byID[c.Passage.ID] = scores[i]
	}
	best := 0.0
	for _, c := range p.selection.Chosen {
		best = max(best, byID[c.Passage.ID])
	}
	s2, cosines := p.s2()
	out := make([]quote.Passage, 0, len(p.selection.Chosen))
	for i, c := range p.selection.Chosen {
		bm := 0.0
		if best > 0 {
			bm = byID[c.Passage.ID] / best
		}
		out = append(out, quote.Passage{
			ID: c.Passage.ID, Digest: c.Source.Digest, Start: c.Passage.At.Start, N: p.selection.Numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text, BM: bm, S2: s2[i], Cosine: cosines[i],
		})
	}
	return out
}

// extracted chooses the rows and sentences that answer the question.
func (p *selector) extracted(ctx context.Context) *quote.Result {
	r := quote.Compose(ctx, p.asks(), p.quotable(), p.selection.Rows, p.quoting())
	return &r
}

// quoting are the ports of a quoted answer of this run.
func (p *selector) quoting() quote.Deps {
	d := quote.Deps{Checker: p.deps.Checker, Parts: QuestionParts, Rows: p.deps.tableRows, Texts: texts{p}}
	if p.deps.Meaning != nil && slices.ContainsFunc(p.selection.Chosen, func(c rank.Candidate) bool { return c.Score.Encoded }) && p.gates().Encoder == rank.English {
		d.Encoder = p.deps.Meaning
	}
	if d.Gate = p.gates().Encoder; p.deps.Meaning != nil {
		d.Scorer = p.deps.Meaning
	}
	return d
}

// orderByQuotation chooses what a quoted answer says and puts the sources that
// it is going to cite first, in the order of the quotations, so that its
// footnotes count up from 1.
func (p *selector) orderByQuotation(ctx context.Context) {
	before := p.selection.Chosen
	p.selection.Numbers = map[evidence.SourceID]int{}
	for _, c := range before { // numbers for now: one a source
		if p.selection.Numbers[c.Source.ID] == 0 {
			p.selection.Numbers[c.Source.ID] = len(p.selection.Numbers) + 1
		}
	}
	p.selection.Quotation = p.extracted(ctx)
	place := map[evidence.SourceID]int{}
	for _, s := range p.selection.Quotation.Sentences {
		if id := before[s.Passage].Source.ID; place[id] == 0 {
			place[id] = len(place) + 1
		}
	}
	at := func(c rank.Candidate) int { return cmp.Or(place[c.Source.ID], len(place)+1) }
	p.selection.Chosen = slices.SortedStableFunc(slices.Values(before), func(a, b rank.Candidate) int { return at(a) - at(b) })
	p.renumber(before)
}

// renumber brings the quotation in line with a new order of the chosen passages.
func (p *selector) renumber(before []rank.Candidate) {
	number := map[int]int{}
	final := map[evidence.SourceID]int{}
	for _, c := range p.selection.Chosen {
		if final[c.Source.ID] == 0 {
			final[c.Source.ID] = len(final) + 1
		}
		number[p.selection.Numbers[c.Source.ID]] = final[c.Source.ID]
	}
	for i := range p.selection.Quotation.Sentences {
		s := &p.selection.Quotation.Sentences[i]
		id := before[s.Passage].Passage.ID
		s.Passage = slices.IndexFunc(p.selection.Chosen, func(c rank.Candidate) bool { return c.Passage.ID == id })
		s.N = number[s.N]
		for k, n := range s.Also {
			s.Also[k] = number[n]
		}
	}
}

// citedRow is the citation of a row that the answer tells: the row as it stands
// proves it, and the heads of its columns were put to it by code. So is that of a
// counted file.
func (p *examiner) citedRow(sentence string, n int) (Citation, bool) {
	if p.selection.Proofs != nil {
		return p.citedMention(n)
	}
	if p.selection.Quotation == nil {
		return Citation{}, false
	}
	s, ok := p.selection.Quotation.RowTold(sentence, n)
	if !ok {
		return Citation{}, false
	}
	c := p.selection.Chosen[s.Passage]
	at := runeRange(c.Passage.Text, s.Span.Start, s.Span.End)
	return Citation{
		Marker: n, Passage: c.Passage.ID, Source: c.Source.ID, Quote: Quoted{at.Start, at.End, s.Text},
		Highlight: []Range{at}, Verdict: QuotedIn,
	}, true
}

// s2 gives each chosen passage its S2, by the BM25 of its own search.
func (p *selector) s2() (scores, cosines []float64) {
	best, lowest := map[bool]float64{}, 1.0
	for _, c := range p.selection.Pool {
		best[c.Local()] = max(best[c.Local()], c.Score.BM25)
		if c.Score.Encoded {
			lowest = min(lowest, c.Score.Cosine)
		}
	}
	for _, c := range p.selection.Chosen {
		cos, bm := lowest, 0.0
		if c.Score.Encoded {
			cos = c.Score.Cosine
		}
		if top := best[c.Local()]; top > 0 {
			bm = c.Score.BM25 / top
		}
		scores, cosines = append(scores, rank.S2(rank.English, bm, cos)), append(cosines, cos)
	}
	return scores, cosines
}
