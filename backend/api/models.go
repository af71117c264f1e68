package api

import (
	"context"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// ChatModelView is a model that can answer.
type ChatModelView struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Window int    `json:"window"`
	Tools  bool   `json:"tools"`
	Schema bool   `json:"schema"`
}

// EmbeddingModelView is a model that makes vectors.
type EmbeddingModelView struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	Dims int    `json:"dims"`
}

// ProviderView is a provider with what its server listed.
type ProviderView struct {
	ID              string               `json:"id"`
	Name            string               `json:"name"`
	Kind            string               `json:"kind"`
	Origin          string               `json:"origin"`
	Configured      bool                 `json:"configured"`
	Reachable       bool                 `json:"reachable"`
	Local           bool                 `json:"local"`
	NeedsKey        bool                 `json:"needs_key"`
	Custom          bool                 `json:"custom,omitempty"` // named in the settings by the reader
	Offer           string               `json:"offer,omitempty"`  // variable with a key that is not used yet
	Error           *Failure             `json:"error,omitempty"`
	ChatModels      []ChatModelView      `json:"chatModels"`
	EmbeddingModels []EmbeddingModelView `json:"embeddingModels"`
}

// Roles say which model does what.
type Roles struct {
	Chat      string `json:"chat"`
	System    string `json:"system"`
	Rewrite   string `json:"rewrite"`
	Embedding string `json:"embedding"`
	Rerank    string `json:"rerank"`
	Linked    bool   `json:"link_system_to_chat"`
}

// ModelsView lists providers and roles.
type ModelsView struct {
	Providers []ProviderView `json:"providers"`
	Roles     Roles          `json:"roles"`
	Resolved  struct {
		Chat   string `json:"chat"`
		System string `json:"system"`
	} `json:"resolved"`
}

// Models are the providers with their models, and which model does what.
type Models struct{ *Rooms }

// List tells which models there are. Only servers on this computer are asked:
// looking causes no traffic.
func (s Models) List(ctx context.Context, _ None) (ModelsView, error) {
	view := ModelsView{Providers: []ProviderView{}, Roles: s.roles()}
	custom := s.Settings.Now().Providers.Custom
	for _, state := range s.Models.States(ctx) {
		provider := providerView(state)
		_, provider.Custom = custom[state.ID]
		view.Providers = append(view.Providers, provider)
	}
	// With "auto" and nothing found, or a named model that is away, the answer is
	// extractive and the name stays empty: that is what the window shows.
	if m, err := s.Models.Resolve(ctx, s.Settings.Now().Models.Chat); err == nil {
		view.Resolved.Chat, view.Resolved.System = m.Name(), m.Name()
	}
	if name := s.Settings.Now().Models.System; name != "" {
		view.Resolved.System = name
	}
	return view, nil
}

func (s Models) roles() Roles {
	m := s.Settings.Now().Models
	return Roles{m.Chat, m.System, m.Rewrite, m.Embedding, m.Rerank, m.System == ""}
}

func providerView(s llm.State) ProviderView {
	view := ProviderView{
		ID: s.ID, Name: s.Name, Kind: s.Kind, Origin: s.Origin, Configured: s.Usable(), Reachable: s.Reachable, Local: s.Local, NeedsKey: s.NeedsKey, Offer: s.Offer, Error: failureIn(s.Err),
		ChatModels: []ChatModelView{}, EmbeddingModels: []EmbeddingModelView{},
	}
	for _, m := range s.Models {
		if m.Chats() {
			view.ChatModels = append(view.ChatModels, ChatModelView{m.Name, m.Name, m.Window, m.Tools, m.Schema})
		} else if m.Embeds {
			view.EmbeddingModels = append(view.EmbeddingModels, EmbeddingModelView{m.Name, m.Name, m.Dims})
		}
	}
	return view
}

// TestView is the outcome of trying a model or an engine.
type TestView struct {
	OK     bool     `json:"ok"`
	Ms     int64    `json:"ms"`
	Window int      `json:"window"`
	Tools  bool     `json:"tools"`
	Schema bool     `json:"schema"`
	Count  int      `json:"count"`
	Error  *Failure `json:"error,omitempty"`
}

type (
	// ModelNamed names a model as provider/model.
	ModelNamed struct {
		Model string `json:"model"`
	}
	// ProviderNamed names a provider.
	ProviderNamed struct {
		Provider string `json:"provider"`
	}
)

// Test makes a short round trip with provider/model.
func (s Models) Test(ctx context.Context, in ModelNamed) (TestView, error) {
	model := in.Model
	if model == "" {
		return TestView{}, fault.New(fault.MissingID, "No model was named.", "Send {\"model\": \"provider/model\"}.")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	a, took, err := s.Models.Test(ctx, model)
	return TestView{OK: err == nil, Ms: took.Milliseconds(), Window: a.Window, Tools: a.Tools, Schema: a.Schema, Error: failureIn(err)}, nil
}

// RolesChange sets roles; nil leaves one as it is.
type RolesChange struct {
	Chat      *string `json:"chat"`
	System    *string `json:"system"`
	Rewrite   *string `json:"rewrite"`
	Embedding *string `json:"embedding"`
	Rerank    *string `json:"rerank"`
	Linked    *bool   `json:"link_system_to_chat"`
}

// SetRoles stores which model does what.
func (s Models) SetRoles(_ context.Context, c RolesChange) (Roles, error) {
	changes := map[string]any{}
	for key, value := range map[string]*string{"models.chat": c.Chat, "models.system": c.System, "models.rewrite": c.Rewrite, "models.embedding": c.Embedding, "models.rerank": c.Rerank} {
		if value != nil {
			changes[key] = *value
		}
	}
	if c.Linked != nil && *c.Linked {
		changes["models.system"] = ""
	}
	if c.Linked != nil && !*c.Linked && c.System == nil && s.roles().Linked {
		changes["models.system"] = s.roles().Chat
		if chat := s.roles().Chat; chat == "auto" {
			delete(changes, "models.system") // there is no second "auto" to unlink to
		}
	}
	if len(changes) > 0 {
		if err := s.Settings.Put(changes); err != nil {
			return Roles{}, err
		}
	}
	s.Models.Forget()
	return s.roles(), nil
}
