package meaning

import (
	"context"

	"footnote/backend/embed"
)

// Near tells how near in meaning each text is to the question, in any language: about
// 0 for what is unlike, above 0.5 for most that answers. ok is false when the encoder is
// off or not done with all in time.
func (j *Judge) Near(ctx context.Context, question string, texts []string) (near []float64, ok bool) {
	opt := j.Options()
	if !opt.On || opt.Wait <= 0 || len(texts) == 0 {
		return nil, false
	}
	defer j.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	asked, ok := j.question(ctx, question)
	if !ok {
		return nil, false
	}
	near = make([]float64, len(texts))
	ok = inBatches(near, func(done int, group []float64) error {
		pieces := make([]embed.Piece, len(group))
		for i, text := range texts[done : done+len(group)] {
			pieces[i] = j.Encoder.Sentence(text)
		}
		vectors, err := j.Encoder.Encode(ctx, pieces)
		for i := range vectors {
			group[i] = j.Encoder.Nearness(embed.Dot(asked, vectors[i]))
		}
		return err
	})
	return near, ok
}
