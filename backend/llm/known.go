package llm

import (
	"context"
	"slices"

	"footnote/backend/fault"
)

// Memory keeps what servers said of their models, by provider and origin, across
// starts. Both methods may be called from several goroutines.
type Memory interface {
	Load() map[string][]Ability
	Save(map[string][]Ability)
}

// Remember gives the registry a memory and takes in what it holds.
func (r *Registry) Remember(m Memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory = m
	for place, models := range m.Load() {
		r.known[place] = models
	}
}

// List asks one provider for its models, also one of the net, and remembers
// them. Faults: invalid-model for an unknown provider, model-auth without a key,
// those of the server.
func (r *Registry) List(ctx context.Context, provider string) ([]Ability, error) {
	p, _, err := r.Find(provider + "/any")
	if err != nil {
		return nil, err
	}
	lister, ok := p.Server.(Lister)
	if !ok {
		return nil, fault.New(fault.InvalidModel, p.Name+" does not list its models.", "Name the model as "+p.ID+"/model.")
	}
	models, err := lister.List(ctx)
	if err != nil {
		return nil, err
	}
	for i, m := range models {
		models[i] = p.completed(m.Name, m)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(p, func([]Ability) []Ability { return models })
	return models, nil
}

// learn notes what a probe told. The caller holds the lock.
func (r *Registry) learn(p Provider, a Ability) {
	r.probes[p.ID+"/"+a.Name] = a
	r.note(p, func(known []Ability) []Ability {
		at := slices.IndexFunc(known, func(b Ability) bool { return b.Name == a.Name })
		if at < 0 {
			return append(slices.Clone(known), a)
		}
		if known[at] == a {
			return known
		}
		known = slices.Clone(known)
		known[at] = a
		return known
	})
}

// note changes what is known of a provider's models, and keeps it.
func (r *Registry) note(p Provider, change func([]Ability) []Ability) {
	place := p.ID + " " + p.Origin
	models := change(r.known[place])
	if slices.Equal(models, r.known[place]) {
		return
	}
	r.known[place] = models
	if r.memory != nil {
		r.memory.Save(r.known)
	}
}

// recall is what is known of a model from before, the zero Ability when nothing
// is. The caller holds the lock.
func (r *Registry) recall(p Provider, model string) Ability {
	known := r.known[p.ID+" "+p.Origin]
	if at := slices.IndexFunc(known, func(a Ability) bool { return a.Name == model }); at >= 0 {
		return known[at]
	}
	return Ability{}
}
