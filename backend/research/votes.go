package research

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
)

// likely is how likely a sentence must be an answer to have a voice.
const likely = 0.2

// voice is what a sentence answers, with the sources that say the same.
type voice struct {
	quote.Sentence
	value   answertype.Value
	sources map[int]bool
}

// answered are the sentences that answer a question by the calibrated scorer. Where
// sources give different values, that of most sources is quoted first, and one that
// several sources give is quoted too. ok is false where nothing was weighed.
func (w *reporter) answered(ctx context.Context, question string, passages []quote.Passage) (r quote.Result, ok bool) {
	r = w.r.p.Quote(ctx, question, passages)
	if r.Trace == nil {
		return r, false
	}
	r.Short = ""
	r.Sentences = w.current(w.r.onlySubject(r.Sentences, passages))
	if voices := w.voices(question, passages, r.Trace); r.State == quote.Answer && len(voices) > 1 {
		r.Sentences = r.Sentences[:0]
		for i, v := range voices {
			if i == 0 || len(v.sources) > 1 {
				r.Sentences = append(r.Sentences, v.Sentence)
			}
		}
	}
	if len(r.Sentences) == 0 {
		r.State = quote.None
	}
	return r, true
}

// voices are the different values that sources give, those of most sources first.
func (w *reporter) voices(question string, passages []quote.Passage, t *quote.Trace) (all []*voice) {
	m := w.r.subjectIn(passages)
	for _, c := range t.Considered {
		at := slices.IndexFunc(passages, func(p quote.Passage) bool { return p.ID == c.Passage })
		if c.Row || c.Right < likely || at < 0 {
			continue
		}
		start := strings.Index(passages[at].Text, c.Text)
		value, ok := answertype.ValueOf(w.r.p.Checker(), question, c.Text)
		if start < 0 || !ok {
			continue
		}
		s := quote.Sentence{Passage: at, N: passages[at].N, Span: evidence.Span{Start: start, End: start + len(c.Text)}, Text: c.Text, Score: c.Right}
		if !m.covers(s, passages) {
			continue
		}
		if same := slices.IndexFunc(all, func(v *voice) bool { return !v.value.Differs(value) }); same >= 0 {
			all[same].sources[s.N] = true
			continue
		}
		all = append(all, &voice{s, value, map[int]bool{s.N: true}})
	}
	slices.SortStableFunc(all, func(a, b *voice) int { return cmp.Compare(len(b.sources), len(a.sources)) })
	return all
}
