package quote

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Deps are the ports of quoting. Only the checker is always needed.
type Deps struct {
	Checker *cite.Checker                  // weighs words
	Parts   func(question string) []string // what a question asks, one thing each; nil for one thing
	Encoder Encoder                        // nil: words alone find candidates
	Scorer  AnswerScorer                   // nil: rules alone decide
	Near    Nearness                       // nil: the scorer reads words only
	Joint   JointReader                    // nil: nothing reads question and sentence together but Scorer
	Windows Windows                        // nil: words alone find what is read
	Rows    *RowCache                      // nil: rows are quoted without the heads of their columns
	Texts   Texts                          // of FindRows
}

// Texts gives the texts that candidates are passages of.
type Texts interface {
	// Document is the whole text; empty where none is kept, ok is false where it
	// cannot be read.
	Document(ctx context.Context, src evidence.Source) (doc evidence.Document, ok bool)
	// Split makes the passages of a candidate's source as the library does.
	Split(ctx context.Context, c rank.Candidate) []rank.Candidate
}

func (d Deps) parts(question string) []string {
	if d.Parts == nil {
		return []string{question}
	}
	return d.Parts(question)
}

// Compose chooses the rows and sentences that answer each part of a question. The
// passages of the rows are among the passages.
func Compose(ctx context.Context, question string, passages []Passage, rows []FoundRow, d Deps) Result {
	tally, of, isTally := tallyOf(rows, passages)
	if isTally && tally.State == Answer {
		return tally
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(h FoundRow) bool { return h.tally.Text != "" })
	r, ok := scored(ctx, question, passages, rows, d)
	if !ok {
		r = withRows(quotedRows(rows, passages), FindSentences(ctx, question, passages, d), speaksOf(d.Checker, byLabel(rows)))
	}
	if isTally && (r.State != Answer || lang.AddsUp(question) && r.Sentences[0].Row || of.Outweighs(question, r.Sentences[0].weighed()+" "+passages[r.Sentences[0].Passage].named())) {
		tally.Trace, tally.Late = r.Trace, r.Late
		return tally
	}
	r = withConjuncts(ctx, question, r, passages, d)
	return withHeads(withWhole(withAntecedents(r, passages), passages), passages, d.Rows)
}

// FindSentences chooses the sentences that answer each part of a question.
func FindSentences(ctx context.Context, question string, passages []Passage, d Deps) Result {
	var results []Result
	for _, part := range d.parts(question) {
		results = append(results, NewQuery(d.Checker, part).refined(extract(ctx, d.Checker, part, passages, d.Encoder), passages))
	}
	return withSuccessors(merge(results), passages)
}

// FindByWords is FindSentences by words alone.
func FindByWords(question string, passages []Passage, d Deps) Result {
	d.Encoder = nil
	return FindSentences(context.Background(), question, passages, d)
}

// withHeads puts the heads of their columns to rows that would be quoted as they
// stand: figures in a row mean nothing without them.
func withHeads(r Result, passages []Passage, known *RowCache) Result {
	for i := range r.Sentences {
		s := &r.Sentences[i]
		s.Told = cmp.Or(s.Told, headed(*s, passages, known))
	}
	return r
}

// headed is a row with the heads of its columns; empty where they are not known.
func headed(s Sentence, passages []Passage, known *RowCache) string {
	row, ok := rowOf(s, passages, known)
	if !ok || row.Heads == nil {
		return ""
	}
	return FoundRow{Row: row}.words()
}

// rowOf is the row of a table that a sentence is; ok is false where it is none.
func rowOf(s Sentence, passages []Passage, known *RowCache) (row evidence.Row, ok bool) {
	if !s.Row || known == nil {
		return row, false
	}
	p := passages[s.Passage]
	rows, _ := known.Get(p.Digest)
	start := p.Start + utf8.RuneCountInString(p.Text[:s.Span.Start])
	at := slices.IndexFunc(rows, func(row evidence.Row) bool { return row.At.Start == start })
	if at < 0 {
		return row, false
	}
	return rows[at], true
}

// tableOf are the rows of the table that a row of a passage stands in.
func tableOf(row evidence.Row, p Passage, known *RowCache) []evidence.Row {
	rows, _ := known.Get(p.Digest)
	return slices.DeleteFunc(slices.Clone(rows), func(r evidence.Row) bool { return r.Table != row.Table })
}

// shortAt is the share of the question that a sentence must have in itself for
// its date to stand alone as the answer.
const shortAt = 0.7

// merge joins what was extracted for each part into one result: a
// sentence stands once, in the order of the first part that chose it. The
// result is as good as its best part, whose sentences stand without those of a part
// that nothing answers.
func merge(results []Result) Result {
	merged := results[0]
	if len(results) == 1 {
		return merged
	}
	merged.Sentences, merged.Short = nil, ""
	better := map[State]int{None: 0, Closest: 1, Answer: 2}
	merged.State = None
	for _, r := range results {
		merged.Late = merged.Late || r.Late
		if better[r.State] > better[merged.State] {
			merged.State, merged.Confidence, merged.Trace = r.State, r.Confidence, r.Trace
		}
	}
	seen := map[place]bool{}
	fair := max(1, mostSentences/len(results))
	for _, r := range results {
		taken := 0
		for _, s := range r.Sentences {
			at := s.at()
			if r.State == None && merged.State != None || seen[at] || taken == fair {
				continue
			}
			seen[at] = true
			taken++
			merged.Sentences = append(merged.Sentences, s)
		}
	}
	return merged
}
