package report

import (
	"context"
	"slices"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/research/facets"
	"footnote/backend/research/sentences"
	"footnote/backend/research/subject"
)

const (
	headedQuotes = 5    // sentences under a heading at most
	headedRead   = 64   // that are compared for them
	headedLeast  = 0.4  // nearness of them, and
	headedBehind = 0.25 // how far behind the nearest one they may be
	opensMore    = 0.05 // nearness that the first sentence of a passage is given
)

// underHeaded are the sentences below a heading that are nearest in meaning to the question
// and it, the nearest first: what stands under a heading near the question bears on it,
// though no single sentence answers the whole.
func (w *reporter) underHeaded(ctx context.Context, heading string, passages []quote.Passage) (all []quote.Sentence) {
	m := w.Subject.Among(passages)
	for at, p := range passages {
		opens := opensMore
		for _, span := range evidence.WholeSentences(p.Text) {
			s := quote.Sentence{Passage: at, N: p.N, Span: span, Text: p.Text[span.Start:span.End], Score: opens}
			if sentences.States(s) && sentences.Ends(s.Text) && !sentences.Fragment(s, p.Text) && !sentences.Breaks(s.Text) && !quote.Dangles(s.Text) && !w.said[sentences.Key(s.Text)] && m.Covers(s, passages) && len(all) < headedRead {
				opens, all = 0, append(all, s)
			}
		}
	}
	var alone []float64
	if !w.asksAll() {
		alone = w.nearness(ctx, "", all)
	}
	for i, near := range w.nearness(ctx, heading, all) {
		if all[i].Score += near; i < len(alone) && alone[i] < headedLeast { // it is near the heading, not what is asked
			all[i].Score = 0
		}
	}
	slices.SortStableFunc(all, quote.ByScore)
	all = slices.DeleteFunc(all, func(s quote.Sentence) bool { return s.Score < max(headedLeast, all[0].Score-headedBehind) })
	return w.current(all, passages)
}

// nearness is how near in meaning sentences are to the question and a heading; nothing
// where that cannot be told. Names of the question are left out, as sentences with them
// are near to any question on the subject.
func (w *reporter) nearness(ctx context.Context, heading string, all []quote.Sentence) (near []float64) {
	question := w.Pipeline.Plan.Standalone
	names := subject.Names(question)
	texts := []string{facets.Without(names, question+" "+heading)}
	for _, s := range all {
		texts = append(texts, facets.Without(names, s.Text))
	}
	vectors, err := w.embedded(ctx, texts)
	if err != nil {
		w.Pipeline.Tell.Log.Warn("sentences were not compared with the question", "err", err)
		return nil
	}
	for _, v := range vectors[1:] {
		near = append(near, facets.Nearness(w.Vectors, vectors[0], v))
	}
	return near
}

// asksAll reports whether the question asks whatever is known of something: that is near
// nothing by itself.
func (w *reporter) asksAll() bool {
	_, all := subject.ThingOf(w.Pipeline.Plan.Standalone)
	return all || w.atLarge(w.wholeQuestion())
}

// nearAsked are the sentences that come near the question in meaning: among few passages the
// scorer is surer than it is among all.
func (w *reporter) nearAsked(ctx context.Context, all []quote.Sentence) (some []quote.Sentence) {
	for i, near := range w.nearness(ctx, "", all) {
		if near >= headedLeast {
			some = append(some, all[i])
		}
	}
	return some
}

// embedded are the vectors of texts, each made once in a report: its sections choose
// among the same sentences.
func (w *reporter) embedded(ctx context.Context, texts []string) ([][]float32, error) {
	unknown := slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		_, known := w.vectorOf[text]
		return known
	})
	made, err := w.Vectors.Embed(ctx, unknown)
	if err != nil {
		return nil, err
	}
	if w.vectorOf == nil {
		w.vectorOf = map[string][]float32{}
	}
	for i, text := range unknown {
		w.vectorOf[text] = made[i]
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = w.vectorOf[text]
	}
	return vectors, nil
}

// nearestOf are the sentences of all evidence that come nearest in meaning to a question
// for how or why something is, or for nothing in particular: it takes more than a sentence
// to answer. Of a person, a time or a number that is asked for nothing comes near.
func (w *reporter) nearestOf(ctx context.Context) []quote.Sentence {
	switch lang.AsksFor(w.Pipeline.Plan.Standalone) {
	case lang.Manner, lang.Reason, lang.AsksNothing:
	default:
		return nil
	}
	if w.Vectors == nil {
		return nil
	}
	all := w.underHeaded(ctx, "", w.quotable(w.wholeQuestion(), w.allEvidence()))
	return slices.DeleteFunc(all, func(s quote.Sentence) bool { return s.Score < nearEnough })
}

// nearEnough is how near in meaning to the question a sentence is that comes closest to
// an answer.
const nearEnough = 0.5
