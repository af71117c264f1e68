package meaning

import (
	"context"

	"footnote/backend/embed"
	"footnote/backend/rank"
)

// Near tells how near in meaning each text is to the question, in any language: about
// 0 for what is unlike, above 0.5 for most that answers. ok is false when the encoder is
// off or not done with all in time.
func (r *Reranker) Near(ctx context.Context, question string, texts []string) (near []float64, ok bool) {
	opt := r.Options()
	if !opt.On || !opt.Wait || len(texts) == 0 {
		return nil, false
	}
	defer r.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	asked, ok := r.question(ctx, question)
	if !ok {
		return nil, false
	}
	near = make([]float64, len(texts))
	ok = inBatches(near, func(done int, group []float64) error {
		pieces := make([]embed.Piece, len(group))
		for i, text := range texts[done : done+len(group)] {
			pieces[i] = r.Encoder.Sentence(text)
		}
		vectors, err := r.Encoder.Encode(ctx, pieces)
		for i := range vectors {
			group[i] = r.Encoder.Nearness(embed.Dot(asked, vectors[i]))
		}
		return err
	})
	return near, ok
}

// Windows tells how near to the question each stretch of those texts is that have
// vectors, in any language; none of the others.
func (r *Reranker) Windows(ctx context.Context, question string, texts []rank.Text) [][]rank.Window {
	windows := make([][]rank.Window, len(texts))
	if !r.On() || len(texts) == 0 {
		return windows
	}
	defer r.Hold()()
	asked, ok := r.question(ctx, question)
	if !ok {
		return windows
	}
	for i, f := range r.known(ctx, texts) {
		if f == nil {
			continue
		}
		for n, end := range r.Encoder.Ends(texts[i].Body, len(f.vectors)) {
			windows[i] = append(windows[i], rank.Window{End: end, Near: r.Encoder.Nearness(embed.Dot(asked, f.vectors[n]))})
		}
	}
	return windows
}

// Vector is the unit vector of a question, in any language; nil where the encoder is
// off or the question says nothing.
func (r *Reranker) Vector(ctx context.Context, question string) []float32 {
	if !r.On() {
		return nil
	}
	defer r.Hold()()
	asked, ok := r.question(ctx, question)
	if !ok {
		return nil
	}
	return asked.Floats()
}
