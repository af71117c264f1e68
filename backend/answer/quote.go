package answer

import (
	"strings"

	"footnote/backend/answer/gather"
)

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// giveQuotes answers without a model: the sentences of the passages that fit best.
// why tells what kept a model from writing; empty when none is set up.
func (p *Pipeline) giveQuotes(ctx context.Context, why string) (contract.Answer, error) {
	if err := p.kept.settled(); err != nil {
		return contract.Answer{}, err
	}
	p.Tell.Begin(contract.StageCompose)
	pictures := p.FetchPictures(ctx)
	if why == "" && p.Models.Why != nil {
		why = fault.Of(p.Models.Why).Message
	}
	message := "Extracted from the sources; no model was used."
	if why != "" {
		message += " " + why
	}
	p.Tell.Notice(contract.Notice{Code: "extractive", Level: "info", Message: message, Action: "choose-model"})
	if p.Selection.Quotation == nil { // a model was to write
		p.Selection.Quotation = p.selecting().extracted(ctx)
	}
	result := *p.Selection.Quotation
	p.aboutLanguages(ctx, result)
	p.aboutHaste()
	text, outcome := result.Text(), contract.Extracted
	if result.State == quote.None {
		outcome = contract.NoEvidence
	}
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), len(result.Sentences))
	if outcome == contract.NoEvidence {
		return p.graded(p.Conclude(text, outcome, nil, contract.Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{p.Task.Question.Text}, Warnings: []string{}}, nil)), ctx.Err()
	}
	c := p.Check(ctx, text)
	c.Report.Unanswered = plain.Full(append(c.Report.Unanswered, result.Open...))
	p.AddPictures(pictures)
	return p.graded(p.Conclude(c.Text, outcome, c.Citations, c.Report, nil)), ctx.Err()
}

// graded is a quoted answer with what it is worth.
func (p *Pipeline) graded(a contract.Answer) contract.Answer {
	a.Grade = map[quote.State]contract.Grade{quote.Answer: contract.GradeAnswers, quote.Closest: contract.GradeClosest, quote.None: contract.GradeNone}[p.Selection.Quotation.State]
	if p.Selection.Quotation.Trace != nil {
		a.Confidence = &p.Selection.Quotation.Confidence
	}
	return a
}

// gradedInHaste reports whether an encoder that takes part was late for a quoted
// answer, as it is when the computer is busy: then fewer answers are sure.
func (p *Pipeline) gradedInHaste() bool {
	return p.Selection.Quotation != nil && p.Selection.Quotation.Late && p.engine.Meaning != nil && p.engine.Meaning.On() && p.Task.Settings.Rank.EncoderWaitMs > 0
}

// aboutHaste says so.
func (p *Pipeline) aboutHaste() {
	if p.gradedInHaste() {
		p.Tell.Notice(contract.Notice{Code: "graded-by-words", Level: "info", Message: "This computer was too busy to compare the passages with the question by meaning. By words alone it is less sure that they answer: ask again when it is calmer."})
	}
}

// quotable are the chosen passages as they are quoted from.
func (s *selector) quotable() []quote.Passage {
	texts := make([]string, len(s.selection.Pool))
	for i, c := range s.selection.Pool {
		texts[i] = gather.RankText(c)
	}
	scores := rank.NewBM25(texts).Scores(s.plan.Standalone)
	byID := map[evidence.PassageID]float64{}
	for i, c := range s.selection.Pool {
		byID[c.Passage.ID] = scores[i]
	}
	best := 0.0
	for _, c := range s.selection.Chosen {
		best = max(best, byID[c.Passage.ID])
	}
	s2, cosines := s.s2()
	out := make([]quote.Passage, 0, len(s.selection.Chosen))
	for i, c := range s.selection.Chosen {
		bm := 0.0
		if best > 0 {
			bm = byID[c.Passage.ID] / best
		}
		out = append(out, quote.Passage{
			ID: c.Passage.ID, Digest: c.Source.Digest, Start: c.Passage.At.Start, N: s.selection.Numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Of: s.nameAndOpening(c), Text: c.Passage.Text, BM: bm, S2: s2[i], Cosine: cosines[i],
		})
	}
	return out
}

// nameAndOpening is what the file of a passage says of itself; empty where its text
// is short, or where nothing was read of it.
func (s *selector) nameAndOpening(c rank.Candidate) string {
	opening := s.deps.tableRows.Opening(c.Source.Digest)
	if opening == "" || c.Source.Kind != evidence.File {
		return ""
	}
	return rank.NameInWords(s.asks(), evidence.Prefix(c.Source, evidence.Locator{}), c.Score.Boost) + " " + opening
}

// extracted chooses the rows and sentences that answer the question.
func (s *selector) extracted(ctx context.Context) *quote.Result {
	r := quote.Compose(ctx, s.asks(), s.quotable(), s.selection.Rows, s.quoting())
	return &r
}

// quoting are the ports of a quoted answer of this run.
func (s *selector) quoting() quote.Deps {
	d := quote.Deps{Checker: s.deps.Checker, Parts: queries.Parts, Rows: s.deps.tableRows, Texts: texts{s}}
	if s.deps.Meaning != nil && slices.ContainsFunc(s.selection.Chosen, func(c rank.Candidate) bool { return c.Score.Encoded }) && s.gates().Encoder == rank.English {
		d.Encoder = s.deps.Meaning
	}
	if s.deps.Meaning != nil {
		d.Scorer, d.Near = s.deps.Meaning, s.deps.Meaning
	}
	return d
}

// orderByQuotation chooses what a quoted answer says and puts the sources that
// it is going to cite first, in the order of the quotations, so that its
// footnotes count up from 1.
//
// More passages are heard than are shown: a model is given few because each costs
// tokens, while reading one more for its sentences costs next to nothing, and words
// and vectors of whole passages often put the one that answers further down.
func (s *selector) orderByQuotation(ctx context.Context) {
	shown := s.selection.Chosen
	before := s.heard(shown)
	s.selection.Chosen = before
	s.selection.Numbers = map[evidence.SourceID]int{}
	for _, c := range before { // numbers for now: one a source
		if s.selection.Numbers[c.Source.ID] == 0 {
			s.selection.Numbers[c.Source.ID] = len(s.selection.Numbers) + 1
		}
	}
	s.selection.Quotation = s.extracted(ctx)
	place := map[evidence.SourceID]int{}
	for _, said := range s.selection.Quotation.Sentences {
		if id := before[said.Passage].Source.ID; place[id] == 0 {
			place[id] = len(place) + 1
		}
	}
	at := func(c rank.Candidate) int { return cmp.Or(place[c.Source.ID], len(place)+1) }
	s.selection.Chosen = slices.SortedStableFunc(slices.Values(s.keptOf(before, len(shown))), func(a, b rank.Candidate) int { return at(a) - at(b) })
	s.renumber(before)
}

// How many passages are read for sentences: fewer where the encoder reads each of them
// token by token, which takes longer than all else.
const (
	heardMost    = 12
	heardEncoded = 8
)

// heard are the chosen passages and the next ones, unless the reader said how many.
func (s *selector) heard(chosen []rank.Candidate) []rank.Candidate {
	if s.task.Question.K > 0 {
		return chosen
	}
	all, most := slices.Clone(chosen), heardMost
	if s.quoting().Encoder != nil {
		most = heardEncoded
	}
	for _, c := range s.selection.Pool {
		if len(all) >= most {
			break
		}
		if !slices.ContainsFunc(all, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
			all = append(all, c)
		}
	}
	return all
}

// keptOf are the first so many of the passages that were heard, and of the others
// those that are quoted or say the same.
func (s *selector) keptOf(heard []rank.Candidate, first int) (kept []rank.Candidate) {
	for i, c := range heard {
		if i < first || slices.ContainsFunc(s.selection.Quotation.Sentences, func(said quote.Sentence) bool {
			return said.Passage == i || slices.Contains(said.Also, s.selection.Numbers[c.Source.ID])
		}) {
			kept = append(kept, c)
		}
	}
	return kept
}

// renumber brings the quotation in line with a new order of the chosen passages.
func (s *selector) renumber(before []rank.Candidate) {
	number := map[int]int{}
	final := map[evidence.SourceID]int{}
	for _, c := range s.selection.Chosen {
		if final[c.Source.ID] == 0 {
			final[c.Source.ID] = len(final) + 1
		}
		number[s.selection.Numbers[c.Source.ID]] = final[c.Source.ID]
	}
	for i := range s.selection.Quotation.Sentences {
		said := &s.selection.Quotation.Sentences[i]
		id := before[said.Passage].Passage.ID
		said.Passage = slices.IndexFunc(s.selection.Chosen, func(c rank.Candidate) bool { return c.Passage.ID == id })
		said.N = number[said.N]
		for k, n := range said.Also {
			said.Also[k] = number[n]
		}
	}
}

// citedProof is the citation of a row that the answer tells: the row as it stands
// proves it, and the heads of its columns were put to it by code. So is that of a
// counted file and of a sentence of several clauses.
func (x *examiner) citedProof(sentence string, n int) (contract.Citation, bool) {
	if x.selection.Proofs != nil {
		return x.citedMention(n)
	}
	if x.selection.Quotation == nil {
		return contract.Citation{}, false
	}
	s, ok := x.selection.Quotation.Proof(sentence, n)
	if !ok {
		return contract.Citation{}, false
	}
	c := x.selection.Chosen[s.Passage]
	at := runeRange(c.Passage.Text, s.Span.Start, s.Span.End)
	return contract.Citation{
		Marker: n, Passage: c.Passage.ID, Source: c.Source.ID, Quote: contract.Quoted{Start: at.Start, End: at.End, Text: s.Text},
		Highlight: []contract.Range{at}, Verdict: contract.QuotedIn,
	}, true
}

// s2 gives each chosen passage its S2, by the BM25 of its own search.
func (s *selector) s2() (scores, cosines []float64) {
	best, lowest, any := map[bool]float64{}, 1.0, false
	for _, c := range s.selection.Pool {
		best[c.Local()] = max(best[c.Local()], c.Score.BM25)
		if c.Score.Encoded {
			lowest, any = min(lowest, c.Score.Cosine), true
		}
	}
	if !any {
		lowest = 0
	}
	for _, c := range s.selection.Chosen {
		cos, bm := lowest, 0.0
		if c.Score.Encoded {
			cos = c.Score.Cosine
		}
		if top := best[c.Local()]; top > 0 {
			bm = c.Score.BM25 / top
		}
		scores, cosines = append(scores, rank.S2(bm, cos)), append(cosines, cos)
	}
	return scores, cosines
}

// asks is the question that sentences are chosen for. What the rules add to one
// that has a matter of its own helps to find passages; as a part of the question it
// would be answered itself.
func (s *selector) asks() string {
	added, adds := strings.CutPrefix(s.plan.Standalone, strings.TrimRight(s.task.Question.Text, "?!. ")+" ")
	own := slices.DeleteFunc(queries.WordsOf(s.task.Question.Text), func(w string) bool { return strings.EqualFold(w, "about") })
	if adds && added != "" && len(own) > 1 {
		return s.task.Question.Text
	}
	return s.plan.Standalone
}
