package embed

import (
	"sync"

	files "footnote/backend/embed/weights"
)

// model is the encoder's file with its vocabulary, which both tiers read.
type model struct {
	*weights
	words func() *wordPiece // read with the first text, then kept
}

// bundled is the model in the binary. An error means a damaged build.
var bundled = sync.OnceValues(func() (*model, error) { return openModel(files.Encoder) })

func openModel(data string) (*model, error) {
	w, err := parseWeights(data)
	if err != nil {
		return nil, err
	}
	vocabulary, err := w.raw("vocab", "u8", w.tensors["vocab"].Shape...)
	if err != nil {
		return nil, err
	}
	return &model{w, sync.OnceValue(func() *wordPiece { return newWordPiece(vocabulary) })}, nil
}
