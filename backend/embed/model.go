package embed

import (
	"sync"

	files "footnote/backend/embed/weights"
)

// model is an encoder's file with its vocabulary. That of the English one is read by
// the static tier and the cross-encoder, too.
type model struct {
	*weights
	words func() chunker // read with the first text, then kept
}

// name names model and revision.
func (m *model) name() string { return m.Model + "@" + m.Revision }

// english and multilingual are the models in the binary. An error means a damaged build.
var (
	english      = sync.OnceValues(func() (*model, error) { return openModel(files.Encoder) })
	multilingual = sync.OnceValues(func() (*model, error) { return openModel(files.Multilingual) })
)

// openModel reads a file with a vocabulary: one with scores is cut by them.
func openModel(data string) (*model, error) {
	w, err := parseWeights(data)
	if err != nil {
		return nil, err
	}
	vocabulary, err := w.raw("vocab", "u8", w.tensors["vocab"].Shape...)
	if err != nil {
		return nil, err
	}
	if _, scored := w.tensors["vocab.s"]; !scored {
		return &model{w, sync.OnceValue(func() chunker { return chunker{tokenizer: newWordPiece(vocabulary)} })}, nil
	}
	scores, err := w.raw("vocab.s", "f32", w.Vocab)
	if err != nil {
		return nil, err
	}
	return &model{w, sync.OnceValue(func() chunker {
		return chunker{tokenizer: newUnigram(vocabulary, scores), asks: "query: ", tells: "passage: "}
	})}, nil
}
