package api

import (
	"context"
	"iter"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// PullStep is how far the fetching of a model has come; Done and Total are bytes
// of the part that Status names.
type PullStep struct {
	Status string `json:"status"`
	Done   int64  `json:"done"`
	Total  int64  `json:"total"`
}

// JobStarted names a job that has begun.
type JobStarted struct {
	Job string `json:"job"`
}

// Pull begins to fetch provider/model. What is wrong with the name is said
// at once, what goes wrong later by the job's events.
func (s Models) Pull(ctx context.Context, in ModelNamed) (JobStarted, error) {
	model := in.Model
	p, _, err := s.Models.Find(model)
	if err != nil {
		return JobStarted{}, err
	}
	if _, ok := p.Server.(llm.Puller); !ok {
		return JobStarted{}, fault.New(fault.InvalidModel, p.Name+" does not fetch models by itself.", "Fetch the model in "+p.Name+" itself.")
	}
	return JobStarted{s.jobs.start(ctx, "pulling", func(ctx context.Context) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			for step, err := range s.Models.Pull(ctx, model) {
				if !yield(PullStep(step), err) {
					return
				}
			}
		}
	})}, nil
}

// Of asks one provider which models it has, also one of the net: call it
// only when the reader asked for it.
func (s Models) Of(ctx context.Context, in ProviderNamed) (ProviderView, error) {
	provider := in.Provider
	models, err := s.Models.List(ctx, provider)
	if err != nil {
		return ProviderView{}, err
	}
	p, _, err := s.Models.Find(provider + "/any")
	return providerView(llm.State{Provider: p, Reachable: true, Models: models}), err
}
