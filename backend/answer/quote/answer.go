package quote

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/cells"
	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/times"
	"footnote/backend/answer/quote/offers"
	"footnote/backend/answer/quote/pairs"
	"footnote/backend/answer/quote/regression"
	"footnote/backend/evidence"
	"footnote/backend/lang"
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
	severalPeriods := !along.Asks(question) && lang.OverPeriods(lang.Spoken(question), question)
	if d.Scorer == nil || severalPeriods && shareLabel(quotedRows(rows, passages)) {
		return Result{}, false
	}
	var results, byRules []Result
	parts := d.parts(question)
	if _, two := pairs.Of(question); two {
		parts = []string{question} // "and by how much"
	}
	for _, part := range parts {
		q := queryOver(d.Checker, part, passages)
		found := q.refined(extract(ctx, d.Checker, q.text, passages, d.Encoder), passages)
		byRules = append(byRules, found)
		one := q.answer(ctx, found, rowSentences(rows, passages), passages, d)
		one.Confidence = min(one.Confidence, regression.Surest(one.State == Closest))
		results = append(results, one)
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

// shareLabel reports whether rows of two sources give figures of the same thing.
func shareLabel(rows []Sentence) bool {
	source := map[string]int{}
	for _, r := range rows {
		if !strings.ContainsFunc(r.Text, unicode.IsDigit) {
			continue
		}
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
	r.Sentences, r.Short, r.Late = g.quoted(), "", g.late
	if r.State == Answer && r.Sentences[0].own >= shortAt {
		r.Short, r.Worked = passages[r.Sentences[0].Passage].WithYear(shortDate(q.text, g.sentences()))
	}
	if r.State != None && r.Sentences[0].Row {
		r = q.overCells(r, passages, d.Rows)
	}
	if steps, ok := q.withSteps(r, passages, d.Rows); ok {
		return steps
	}
	return q.withPair(q.decided(q.withSequel(r, passages), passages), g, rows, passages, d)
}

// overCells puts what the best row answers before it: the cell that is asked for, or
// what is worked out of it and of others. Where that is asked for and cannot be done
// the row does not answer: it only comes close.
func (q Query) overCells(r Result, passages []Passage, known *RowCache) Result {
	first := r.Sentences[0]
	row, ok := rowOf(first, passages, known)
	asked := cells.Read(q.checker, q.text)
	switch {
	case !ok && along.Asks(q.text):
		r.State = Closest
		return r
	case !ok:
		return r
	case asked.Operation(row) == along.NoOperation:
		return q.ofCell(r, row, asked.Choose(row, passages[first.Passage].named()), passages, known)
	}
	w, ok := asked.WorkedOut(row, tableOf(row, passages[first.Passage], known))
	taken := sentencesOf(w.Rows, first, passages)
	if !ok || len(taken) == 0 {
		r.State = Closest
		return r
	}
	r.Short, r.Worked, r.Sentences = w.Text, true, taken
	return r
}

// ofCell puts the cell that is asked for before its row, without the other rows of
// the table. A row whose cells are all of another time than the one that is asked for
// does not answer.
func (q Query) ofCell(r Result, row evidence.Row, asked along.Choice, passages []Passage, known *RowCache) Result {
	if asked.Period < 0 {
		r.State, r.Confidence = Closest, min(r.Confidence, regression.Trained().Closest)
		return r
	}
	if r.State == Answer && (lang.AddsUp(q.text) && !cells.Totals(row) || q.oneOfSeveral(row, tableOf(row, passages[r.Sentences[0].Passage], known))) {
		r.State = Closest
	}
	if r.State != Answer || asked.At < 0 || !q.bound(row) {
		return r
	}
	if !q.tellsKind(row.Values[asked.At], row.Values) {
		r.State = Closest
		return r
	}
	r.Short, r.Worked = along.Said(row, asked.At), true
	digest := passages[r.Sentences[0].Passage].Digest
	r.Sentences = slices.DeleteFunc(r.Sentences, func(s Sentence) bool {
		other, isRow := rowOf(s, passages, known)
		return isRow && passages[s.Passage].Digest == digest && other.Table == row.Table && other.At != row.At
	})
	return r
}

// oneOfSeveral reports whether a row is one of several of its name, or of those that have a cell
// which the question names, and the question has nothing that only this one has: what is asked of
// all is not told by one.
func (q Query) oneOfSeveral(row evidence.Row, table []evidence.Row) bool {
	kind := lang.KindAsked(lang.Spoken(q.text), q.text)
	if kind != lang.Amount && kind != lang.Count {
		return false
	}
	asked := times.PeriodOf(q.text)
	of := func(row evidence.Row) int { return asked.Against(times.PeriodOf(strings.Join(row.Values, " "))) }
	others := slices.DeleteFunc(slices.Clone(table), func(o evidence.Row) bool {
		shares := slices.ContainsFunc(row.Values, func(cell string) bool { return along.Named(q.text, cell) && slices.Contains(o.Values, cell) })
		return o.Label != row.Label && !shares || o.At == row.At || of(o) < of(row)
	})
	if along.Named(q.text, row.Label) && !slices.ContainsFunc(others, func(o evidence.Row) bool { return o.Label == row.Label }) {
		return false
	}
	single := slices.ContainsFunc(row.Values, func(cell string) bool {
		return along.Named(q.text, cell) && !slices.ContainsFunc(others, func(o evidence.Row) bool { return slices.Contains(o.Values, cell) })
	})
	return len(others) > 0 && !single
}

const boundLabel = 0.5 // share of a label that a question has which asks for its row

// bound reports whether a question asks for a row: it has most of its label, all of it
// where it asks what a term means, or one of its cells, whole. A column alone is no cell.
func (q Query) bound(row evidence.Row) bool {
	if lang.AsksYesNo(lang.Spoken(q.text), q.text) {
		return false
	}
	most := boundLabel
	if q.meaning != nil {
		most = 1 // what a term means stands in its own row
	}
	return q.shareOf(q.checker.Terms(row.Label)) >= most || q.abbreviated(row.Label) != "" ||
		slices.ContainsFunc(row.Values, func(cell string) bool { return along.Named(q.text, cell) })
}

// tellsKind reports whether a cell of a row can be what the question asks for: a number has
// figures, a time a date, or a number where no other cell has one.
func (q Query) tellsKind(cell string, row []string) bool {
	kind := lang.KindAsked(lang.Spoken(q.text), q.text)
	if kind == lang.Time && !answertype.HasDate(cell) && !answertype.HasTimeOfDay(cell) && slices.ContainsFunc(row, answertype.HasDate) {
		return false
	}
	switch kind {
	case lang.Count, lang.Amount, lang.Duration, lang.Time:
		return strings.ContainsFunc(cell, unicode.IsDigit) || answertype.HasDate(cell) || answertype.HasTimeOfDay(cell) || offers.NumberWord(cell)
	case lang.Person, lang.Place:
		return strings.ContainsFunc(cell, unicode.IsLetter)
	}
	return true
}

// sentencesOf are rows of the text that a sentence stands in, as sentences; nil where
// one stands in none of the passages.
func sentencesOf(rows []evidence.Row, like Sentence, passages []Passage) (out []Sentence) {
	digest := passages[like.Passage].Digest
	for _, row := range rows {
		i := slices.IndexFunc(passages, func(p Passage) bool {
			return p.Digest == digest && p.Start <= row.At.Start && row.At.End <= p.Start+utf8.RuneCountInString(p.Text)
		})
		if i < 0 {
			return nil
		}
		p := passages[i]
		start := len(string([]rune(p.Text)[:row.At.Start-p.Start]))
		span := evidence.Span{Start: start, End: start + row.End - row.Start}
		out = append(out, Sentence{Passage: i, N: p.N, Span: span, Text: p.Text[span.Start:span.End], Row: true, Score: like.Score, Told: FoundRow{Row: row}.words(), foundRow: foundRow{label: row.Label}, Heading: strings.Trim(rowHeading(row), ", #")})
	}
	return out
}

// sentences are the candidates, likeliest first; their score is how likely each
// is the answer.
func (g graded) sentences() []Sentence {
	all := make([]Sentence, len(g.all))
	for i, c := range g.all {
		all[i] = c.Sentence
		all[i].Score = regression.Probability(c.likely)
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
	return g.all[i].features[regression.Whole] == 1 && g.all[i].features[regression.Foreign] <= g.all[0].features[regression.Foreign]
}
