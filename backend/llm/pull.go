package llm

import (
	"context"
	"iter"

	"footnote/backend/fault"
)

// Progress is how far a pull has come. Done and Total count bytes of the part
// that Status names; both are 0 when there is nothing to count.
type Progress struct {
	Status      string
	Done, Total int64
}

// Puller is a Model whose server can fetch models.
type Puller interface {
	// Pull fetches a model and yields progress; the last one has the status
	// "success". An error is yielded once, last. Leaving the loop stops it.
	Pull(ctx context.Context, model string) iter.Seq2[Progress, error]
}

// Pull fetches provider/model into its server. Faults beside those of the
// server: invalid-model when the provider is unknown or fetches nothing.
func (r *Registry) Pull(ctx context.Context, want string) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		p, model, err := r.Find(want)
		puller, able := p.Server.(Puller)
		if err == nil && !able {
			err = fault.New(fault.InvalidModel, p.Name+" does not fetch models by itself.", "Fetch the model in "+p.Name+", or name one of Ollama, like ollama/qwen3:8b.")
		}
		if err != nil {
			yield(Progress{}, err)
			return
		}
		defer r.Forget()
		puller.Pull(ctx, model)(yield)
	}
}
