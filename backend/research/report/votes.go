package report

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/compare"
	"footnote/backend/answer/quote"
	"footnote/backend/research/sentences"
)

// voice is what a sentence answers, with the sources that say the same.
type voice struct {
	quote.Sentence
	value   answertype.Value
	sources map[int]bool
	origins []compare.Sentence // what is said in words of its own
}

// fewestCopied are the words of a sentence from which the same ones in the same order
// are no chance, and copiedShare is how many of them make it a copy.
const (
	fewestCopied = 8
	copiedShare  = 0.8
)

// says counts a source: one that copies what another one says is no voice of its own.
func (v *voice) says(s quote.Sentence) {
	v.sources[s.N] = true
	said := compare.Read(s.Text, nil)
	if said.Words() < fewestCopied || !slices.ContainsFunc(v.origins, func(o compare.Sentence) bool {
		f := compare.Align(o, said, nil)
		return o.Words() >= fewestCopied && f.Shared >= copiedShare && len(f.Swapped)+len(f.Extra) == 0
	}) {
		v.origins = append(v.origins, said)
	}
}

// answered are the sentences that answer a question by the calibrated scorer. Where
// sources give different values, that of most sources is quoted first, and one that
// several sources give is quoted too. ok is false where nothing was weighed.
func (w *reporter) answered(ctx context.Context, question string, passages []quote.Passage) (r quote.Result, ok bool) {
	r = w.Pipeline.Quote(ctx, question, passages)
	if r.Trace == nil {
		return r, false
	}
	r.Short = ""
	r.Sentences = w.current(w.Subject.Only(r.Sentences, passages), passages)
	voices := w.voices(question, passages, r.Trace)
	if r.State == quote.Answer && len(voices) > 0 && len(voices[0].origins) == 1 {
		w.alone = len(voices[0].sources)
	}
	if r.State == quote.Answer && len(voices) > 1 {
		r.Sentences = r.Sentences[:0]
		for i, v := range voices {
			if i == 0 || len(v.origins) > 1 {
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
	m := w.Subject.Among(passages)
	for _, c := range t.Considered {
		s, placed := sentences.Placed(c, passages)
		if c.Row || c.Right < sentences.Likely || !placed {
			continue
		}
		value, ok := answertype.ValueOf(w.Pipeline.Checker(), question, c.Text)
		if !ok || !m.Covers(s, passages) {
			continue
		}
		if same := slices.IndexFunc(all, func(v *voice) bool { return !v.value.Differs(value) }); same >= 0 {
			all[same].says(s)
			continue
		}
		v := &voice{Sentence: s, value: value, sources: map[int]bool{}}
		v.says(s)
		all = append(all, v)
	}
	slices.SortStableFunc(all, func(a, b *voice) int { return cmp.Compare(len(b.origins), len(a.origins)) })
	return all
}
