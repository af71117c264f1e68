package server

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/settings"
	"footnote/backend/web"
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

// ModelList tells which models there are. Only servers on this computer are
// asked: looking causes no traffic.
func (v *Verbs) ModelList(ctx context.Context) (ModelsView, error) {
	view := ModelsView{Providers: []ProviderView{}, Roles: v.roles()}
	custom := v.Settings.Now().Providers.Custom
	for _, s := range v.Models.States(ctx) {
		provider := providerView(s)
		_, provider.Custom = custom[s.ID]
		view.Providers = append(view.Providers, provider)
	}
	// With "auto" and nothing found, or a named model that is away, the answer is
	// extractive and the name stays empty: that is what the window shows.
	if m, err := v.Models.Resolve(ctx, v.Settings.Now().Models.Chat); err == nil {
		view.Resolved.Chat, view.Resolved.System = m.Name(), m.Name()
	}
	if name := v.Settings.Now().Models.System; name != "" {
		view.Resolved.System = name
	}
	return view, nil
}

func (v *Verbs) roles() Roles {
	m := v.Settings.Now().Models
	return Roles{m.Chat, m.System, m.Rewrite, m.Embedding, m.Rerank, m.System == ""}
}

func providerView(s llm.State) ProviderView {
	view := ProviderView{
		ID: s.ID, Name: s.Name, Kind: s.Kind, Origin: s.Origin, Configured: s.Usable(), Reachable: s.Reachable, Local: s.Local, NeedsKey: s.NeedsKey, Offer: s.Offer,
		ChatModels: []ChatModelView{}, EmbeddingModels: []EmbeddingModelView{},
	}
	if s.Err != nil {
		f := FailureOf(s.Err)
		view.Error = &f
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

// TestModel makes a short round trip with provider/model.
func (v *Verbs) TestModel(ctx context.Context, model string) (TestView, error) {
	if model == "" {
		return TestView{}, fault.New(fault.MissingID, "No model was named.", "Send {\"model\": \"provider/model\"}.")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	a, took, err := v.Models.Test(ctx, model)
	view := TestView{OK: err == nil, Ms: took.Milliseconds(), Window: a.Window, Tools: a.Tools, Schema: a.Schema}
	if err != nil {
		f := FailureOf(err)
		view.Error = &f
	}
	return view, nil
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
func (v *Verbs) SetRoles(_ context.Context, c RolesChange) (Roles, error) {
	changes := map[string]any{}
	for key, value := range map[string]*string{"models.chat": c.Chat, "models.system": c.System, "models.rewrite": c.Rewrite, "models.embedding": c.Embedding, "models.rerank": c.Rerank} {
		if value != nil {
			changes[key] = *value
		}
	}
	if c.Linked != nil && *c.Linked {
		changes["models.system"] = ""
	}
	if c.Linked != nil && !*c.Linked && c.System == nil && v.roles().Linked {
		changes["models.system"] = v.roles().Chat
		if chat := v.roles().Chat; chat == "auto" {
			delete(changes, "models.system") // there is no second "auto" to unlink to
		}
	}
	if len(changes) > 0 {
		if err := v.Settings.Put(changes); err != nil {
			return Roles{}, err
		}
	}
	v.Models.Forget()
	return v.roles(), nil
}

// EngineList tells how the search engines stand.
func (v *Verbs) EngineList(ctx context.Context) (Page[web.Standing], error) {
	return pageOf(v.Engines.Standings(ctx), ""), nil
}

// TestEngine asks one engine a harmless question.
func (v *Verbs) TestEngine(ctx context.Context, name string) (TestView, error) {
	began := time.Now()
	n, err := v.Engines.Test(ctx, name)
	if fault.CodeOf(err) == fault.NotFound {
		return TestView{}, err
	}
	view := TestView{OK: err == nil, Ms: time.Since(began).Milliseconds(), Count: n}
	if err != nil {
		f := FailureOf(err)
		view.Error = &f
	}
	return view, nil
}

// SettingsView is every setting with its default and where its value comes from.
type SettingsView struct {
	Values   map[string]any    `json:"values"`
	Defaults map[string]any    `json:"defaults"`
	Origin   map[string]string `json:"origin"`
	Keys     map[string]bool   `json:"keys"`
}

// SettingList gives all settings by flat key. Keys are told by name only.
func (v *Verbs) SettingList(context.Context) (SettingsView, error) {
	view := SettingsView{Values: v.Settings.Now().Values(), Defaults: settings.Default().Values(), Origin: v.Settings.Origin(), Keys: map[string]bool{}}
	for _, name := range []string{"openai", "anthropic", "gemini", "groq", "deepseek", "brave", "serper", "exa", "tavily", "keenable", "wolfram"} {
		view.Keys[name] = false
	}
	for _, name := range v.Keys.Names() {
		view.Keys[name] = true
	}
	return view, nil
}

// PutSettings changes settings, all or nothing. Addresses of providers and engines
// are accepted from the window alone, but for their defaults: where keys and
// questions go is for the person at the computer to say.
func (v *Verbs) PutSettings(_ context.Context, changes map[string]any) error {
	if !v.FromWindow {
		for _, key := range slices.Sorted(maps.Keys(changes)) {
			if guarded(key, changes[key]) {
				return fault.New(fault.OriginNotAllowed, "The setting "+key+" says where keys and questions are sent.", "Set it in the window, in config.toml, or with --set.").With("key", key)
			}
		}
	}
	before := v.Settings.Now()
	if err := v.Settings.Put(changes); err != nil {
		return err
	}
	for _, provider := range settings.MovedProviders(before, v.Settings.Now()) {
		if err := v.Keys.Remove(provider); err != nil && fault.CodeOf(err) != fault.NotFound {
			v.Log.Warn("forget the key of a moved provider", "provider", provider, "err", err)
		}
	}
	v.Models.Forget()
	return nil
}

// guarded reports whether a change would have something sent to another place.
func guarded(key string, value any) bool {
	if strings.HasPrefix(key, "privacy.allowed_private_origins") || strings.HasPrefix(key, "server.hosts") {
		return true
	}
	if _, whole := value.(map[string]any); whole && (key == "providers" || strings.HasPrefix(key, "providers.") || key == "web" || strings.HasPrefix(key, "web.") || key == "privacy" || key == "server") {
		return true
	}
	if !strings.HasSuffix(key, ".url") && key != "web.video.invidious" {
		return false
	}
	return value != nil && value != "" && value != settings.Default().Values()[key]
}

// SetKey stores the key of a provider or engine; it can never be read back.
func (v *Verbs) SetKey(_ context.Context, name, value string) error {
	if strings.TrimSpace(value) == "" {
		return fault.New(fault.InvalidRequest, "The key is empty.", "Send {\"value\": \"…\"}.")
	}
	err := v.Keys.Set(name, settings.NewSecret(strings.TrimSpace(value)))
	v.Models.Forget()
	return err
}

// RemoveKey forgets a key.
func (v *Verbs) RemoveKey(_ context.Context, name string) error {
	err := v.Keys.Remove(name)
	v.Models.Forget()
	return err
}

// HealthView tells how the program stands.
type HealthView struct {
	Status   string         `json:"status"`
	Version  string         `json:"version"`
	Data     map[string]any `json:"data"`
	Index    map[string]any `json:"index"`
	Models   map[string]any `json:"models"`
	Engines  map[string]any `json:"engines"`
	Disk     map[string]any `json:"disk"`
	UptimeMs int64          `json:"uptime_ms"`
	Modes    []answer.Mode  `json:"modes"`
	Focuses  []answer.Focus `json:"focuses"`
}

// Health tells how the rooms stand, without any traffic.
func (v *Verbs) Health(ctx context.Context) (HealthView, error) {
	view := HealthView{
		Status: "ok", Version: v.Version, UptimeMs: time.Since(v.Began).Milliseconds(),
		Data: map[string]any{"folder": v.Settings.DataDir()}, Models: map[string]any{"chat": v.Settings.Now().Models.Chat},
		Modes:   []answer.Mode{"speed", "balanced", "agent", "deep"},
		Focuses: []answer.Focus{"all", "web", "local", "academic", "video", "community", "compute", "writing"},
	}
	status, err := v.LibraryStatus(ctx)
	if err != nil {
		return view, err
	}
	view.Index = map[string]any{"passages": status.Totals.Chunks, "vectors": status.Totals.Vectors, "rebuilding": status.Rebuilding}
	ready := 0
	for _, e := range v.Engines.Standings(ctx) {
		if e.Enabled && e.State == "ready" {
			ready++
		}
	}
	view.Engines = map[string]any{"ready": ready}
	if free, ok := settings.FreeBytes(v.Settings.DataDir()); ok {
		view.Disk = map[string]any{"free_bytes": free}
	}
	return view, nil
}
