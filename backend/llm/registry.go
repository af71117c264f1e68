package llm

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"footnote/backend/fault"
)

const (
	foundFor  = time.Minute     // a local model once found is taken again without asking
	nothing   = 3 * time.Second // after a search that found none
	probeWait = 2 * time.Second
)

// Provider is one place where models are.
type Provider struct {
	ID       string // first half of provider/model
	Name     string // for people
	Kind     string // wire dialect: openai, ollama, anthropic, gemini
	Origin   string // scheme://host:port
	Local    bool   // looked for on this computer when the setting is "auto"
	NeedsKey bool
	HasKey   bool
	Offer    string // variable that holds a key which is not used yet; empty when there is none
	Model    Model  // the adapter with its decorators
	Server   any    // the bare adapter: a Lister, a Prober or neither
}

// Usable reports whether a provider has what it needs to be asked.
func (p Provider) Usable() bool { return p.Model != nil && (!p.NeedsKey || p.HasKey) }

// completed is what is known of a model, with what everybody knows of its name
// where a service of the net does not say. A model on a computer of one's own has
// the window that it was started with.
func (p Provider) completed(model string, a Ability) Ability {
	a.Name = cmp.Or(a.Name, model)
	if a.Window == 0 && strings.HasPrefix(p.Origin, "https://") {
		a.Window = KnownWindow(model)
	}
	return a
}

// keyHint tells how to give a provider its key.
func (p Provider) keyHint(want string) string {
	hint := "Enter it in Settings, or run footnote keys set " + p.ID + "."
	if p.Offer != "" {
		hint += " To use the key in " + p.Offer + ", choose the model for a role: footnote models use chat " + want + "."
	}
	return hint
}

// Registry finds models by name, and a local one by itself. Safe for concurrent
// use.
type Registry struct {
	providers func() []Provider
	now       func() time.Time

	mu     sync.Mutex
	local  Resolved
	until  time.Time
	probes map[string]Ability   // since the last Forget, by provider/model
	known  map[string][]Ability // ever, by provider and origin
	memory Memory
}

// NewRegistry makes a registry over the providers that the settings name now.
func NewRegistry(providers func() []Provider, now func() time.Time) *Registry {
	return &Registry{providers: providers, now: now, probes: map[string]Ability{}, known: map[string][]Ability{}}
}

// Resolved is a model that can be called. A nil Model means there is none.
type Resolved struct {
	Provider Provider
	ID       string // the provider's own name of the model
	Model    Model
	Ability  Ability
}

// Name is provider/model, empty when there is no model.
func (r Resolved) Name() string {
	if r.Model == nil {
		return ""
	}
	return r.Provider.ID + "/" + r.ID
}

// Resolve finds a model: "none" gives none, "auto" or "" the first usable one on
// this computer or none, else provider/model. Faults of a named one:
// invalid-model, model-auth, model-missing, model-unreachable.
func (r *Registry) Resolve(ctx context.Context, want string) (Resolved, error) {
	switch want {
	case "none":
		return Resolved{}, nil
	case "", "auto":
		return r.discover(ctx), nil
	}
	return r.named(ctx, want)
}

// discover looks for a local server, one search at a time; what it found holds
// for a while.
func (r *Registry) discover(ctx context.Context) Resolved {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now().Before(r.until) {
		return r.local
	}
	providers := map[string]Provider{}
	var candidates []Candidate
	for _, p := range r.providers() {
		if lister, ok := p.Server.(Lister); ok && p.Local {
			providers[p.ID] = p
			candidates = append(candidates, Candidate{Provider: p.ID, Lister: lister})
		}
	}
	id, ability, ok := FirstChat(Discover(ctx, candidates))
	if !ok {
		r.local, r.until = Resolved{}, r.now().Add(nothing)
		return r.local
	}
	p := providers[id]
	r.local = Resolved{Provider: p, ID: ability.Name, Model: p.Model, Ability: r.probed(ctx, p, ability.Name, ability)}
	r.until = r.now().Add(foundFor)
	return r.local
}

func (r *Registry) named(ctx context.Context, want string) (Resolved, error) {
	p, model, err := r.Find(want)
	if err != nil {
		return Resolved{}, err
	}
	r.mu.Lock()
	ability, probed := r.probes[want]
	if !probed {
		ability = r.recall(p, model)
	}
	r.mu.Unlock()
	if prober, ok := p.Server.(Prober); ok && !probed {
		timed, cancel := context.WithTimeout(ctx, probeWait)
		fresh, err := prober.Probe(timed, model)
		cancel()
		switch fault.CodeOf(err) {
		case "":
			fresh.Name = model
			ability = fresh
			r.mu.Lock()
			r.learn(p, fresh)
			r.mu.Unlock()
		case fault.ModelMissing, fault.ModelUnreachable, fault.ModelAuth, fault.LocalOnly:
			return Resolved{}, err
		}
	}
	return Resolved{Provider: p, ID: model, Model: p.Model, Ability: p.completed(model, ability)}, nil
}

// probed is what a model can do, with what its server listed where it says
// nothing more. The caller holds the lock.
func (r *Registry) probed(ctx context.Context, p Provider, model string, listed Ability) Ability {
	key := p.ID + "/" + model
	if a, ok := r.probes[key]; ok {
		return a
	}
	prober, ok := p.Server.(Prober)
	if !ok {
		return listed
	}
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	a, err := prober.Probe(ctx, model)
	if err != nil {
		return listed
	}
	r.learn(p, a)
	return a
}

// Find splits provider/model and finds its provider.
func (r *Registry) Find(want string) (Provider, string, error) {
	id, model, ok := strings.Cut(want, "/")
	if !ok || model == "" {
		return Provider{}, "", fault.New(fault.InvalidModel, fmt.Sprintf("%q names no model.", want), "Name it as provider/model, like ollama/qwen3:8b.")
	}
	for _, p := range r.providers() {
		if p.ID != id {
			continue
		}
		if !p.Usable() {
			return p, model, fault.New(fault.ModelAuth, p.Name+" has no key.", p.keyHint(want))
		}
		return p, model, nil
	}
	return Provider{}, "", fault.New(fault.InvalidModel, fmt.Sprintf("There is no provider %q.", id), "Run footnote models to see what there is.")
}

// Providers are the places where models are, as the settings name them now.
func (r *Registry) Providers() []Provider { return r.providers() }

// Forget drops what is remembered: settings have changed.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = time.Time{}
	clear(r.probes)
}

// State is a provider with what its server listed.
type State struct {
	Provider
	Reachable bool
	Models    []Ability
	Err       error
}

// States asks every usable local provider what it has. Providers of the net are
// not asked, since looking at a list must cause no traffic: they show what List
// and probes told before.
func (r *Registry) States(ctx context.Context) []State {
	providers := r.providers()
	states := make([]State, len(providers))
	var all sync.WaitGroup
	for i, p := range providers {
		states[i].Provider = p
		if !p.Local {
			r.mu.Lock()
			states[i].Models = r.known[p.ID+" "+p.Origin]
			r.mu.Unlock()
		}
		lister, ok := p.Server.(Lister)
		if !ok || !p.Local {
			continue
		}
		all.Go(func() {
			found := Discover(ctx, []Candidate{{Provider: p.ID, Lister: lister}})[0]
			states[i].Models, states[i].Err = found.Models, found.Err
			states[i].Reachable = found.Err == nil || fault.CodeOf(found.Err) == fault.ModelRefused // it answers, if without a list
		})
	}
	all.Wait()
	return states
}

// Test makes a short round trip with a model and tells what it can do.
func (r *Registry) Test(ctx context.Context, want string) (Ability, time.Duration, error) {
	m, err := r.named(ctx, want)
	if err != nil {
		return Ability{}, 0, err
	}
	began := r.now()
	call := Call{Model: m.ID, MaxTokens: 16, Purpose: "test", Messages: []Message{{Author: User, Text: "Reply with the word ready."}}}
	for d, err := range m.Model.Stream(ctx, call) {
		if err != nil {
			return m.Ability, r.now().Sub(began), err
		}
		if d.Text != "" || d.Thinking != "" {
			return m.Ability, r.now().Sub(began), nil
		}
	}
	return m.Ability, r.now().Sub(began), fault.New(fault.ModelRefused, "The model gave an empty reply.", "Try another model.")
}
