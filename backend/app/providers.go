package app

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/anthropic"
	"footnote/backend/llm/gemini"
	"footnote/backend/llm/ollama"
	"footnote/backend/llm/openai"
	"footnote/backend/registry"
	"footnote/backend/settings"
	"footnote/backend/web"
)

// providers is the table of model providers: one line each. An adapter is made
// once for an address and key, so that its connections are kept.
func (b *builder) providers() func() []llm.Provider {
	scope := func() string { return b.settings.Now().Privacy.Scope }
	private := func() []string { return b.settings.Now().Privacy.AllowedPrivateOrigins }
	b.models = &clients{make: func(origin string) *http.Client {
		return web.Booked(web.NewModelClient(origin, scope, private), b.aside)
	}}
	var mu sync.Mutex
	made := map[string]llm.Provider{}
	once := func(p llm.Provider, key settings.Secret, make func(*http.Client) llm.Model) llm.Provider {
		name := p.ID + " " + p.Origin + " " + evidence.Digest([]byte(key.Reveal()))
		if _, ok := made[name]; !ok {
			server := make(b.models.of(p.Origin))
			made[name] = llm.Provider{Model: b.gates.of(p.ID).Model(b.tempered(server)), Server: server}
		}
		p.Model, p.Server = made[name].Model, made[name].Server
		return p
	}
	return func() []llm.Provider {
		mu.Lock()
		defer mu.Unlock()
		p := b.settings.Now().Providers
		addresses := p.URLs()
		var list []llm.Provider
		for _, known := range registry.Providers() {
			list = append(list, b.provider(known, addresses[known.ID], once))
		}
		for _, id := range slices.Sorted(maps.Keys(p.Custom)) {
			list = append(list, b.provider(registry.Provider{ID: id, Name: id, Dialect: registry.OpenAI, Local: true}, p.Custom[id].URL, once))
		}
		return list
	}
}

// provider is a server as its entry says; once makes its adapter.
func (b *builder) provider(p registry.Provider, address string, once func(llm.Provider, settings.Secret, func(*http.Client) llm.Model) llm.Provider) llm.Provider {
	at := llm.Provider{ID: p.ID, Name: p.Name, Kind: string(p.Dialect), Origin: address, Local: p.Local, NeedsKey: !p.Local}
	if p.Dialect == registry.Ollama {
		return once(at, settings.Secret{}, func(c *http.Client) llm.Model {
			return ollama.New(ollama.Config{BaseURL: address, Client: c, Limits: b.modelLimits(), Now: b.now, Window: b.ollamaWindow})
		})
	}
	key, has := b.modelKey(p.ID)
	at.HasKey, at.Offer = has, b.offered(p.ID, has)
	return once(at, key, func(c *http.Client) llm.Model {
		switch p.Dialect {
		case registry.Anthropic:
			return anthropic.New(anthropic.Config{BaseURL: address, Key: key, Client: c, Limits: b.modelLimits(), Now: b.now})
		case registry.Gemini:
			return gemini.New(gemini.Config{BaseURL: address, Key: key, Client: c, Limits: b.modelLimits(), Now: b.now})
		}
		return openai.New(openai.Config{Name: p.Name, BaseURL: address, Key: key, Client: c, Limits: b.modelLimits(), Now: b.now})
	})
}

// modelKey is the key of a provider. A variable that other programs use is taken
// only for a provider that the settings name for a role, and only at its own
// address.
func (b *builder) modelKey(id string) (settings.Secret, bool) {
	now := b.settings.Now()
	address := now.Providers.URLs()[id]
	if key, ok := b.keys.Get(id); ok || !named(now.Models, id) || address != ownAddresses()[id] {
		return key, ok
	}
	return b.keys.Borrow(id)
}

// ownAddresses are those of the providers as they come.
var ownAddresses = sync.OnceValue(func() map[string]string { return settings.Default().Providers.URLs() })

// named reports whether a role is played by a model of a provider.
func named(m settings.ModelsSettings, provider string) bool {
	return slices.ContainsFunc([]string{m.Chat, m.System, m.Rewrite, m.Embedding, m.Rerank}, func(model string) bool {
		return strings.HasPrefix(model, provider+"/")
	})
}

// offered names the variable that would give a provider its key.
func (b *builder) offered(id string, has bool) string {
	variable, ok := b.keys.Offer(id)
	if has || !ok {
		return ""
	}
	return variable
}

// tempered puts an upper bound, room for thoughts, their splitting and patience
// before a model.
func (b *builder) tempered(m llm.Model) llm.Model {
	s := b.settings.Now()
	patient := llm.Retry(m, llm.RetryPolicy{Tries: s.Models.Retries, MaxWait: time.Duration(s.Models.RetryAfterMaxS) * time.Second})
	return llm.Bounded(llm.WithRoom(llm.SplitThinking(patient)), s.Limits.Tokens)
}

func (b *builder) ollamaWindow(model string) int {
	o := b.settings.Now().Providers.Ollama
	if n := o.Windows[model]; n > 0 {
		return n
	}
	return o.NumCtx
}

func (b *builder) modelLimits() llm.Limits {
	m := b.settings.Now().Models
	return llm.Limits{Connect: time.Duration(m.ConnectTimeoutS) * time.Second, FirstToken: time.Duration(m.FirstTokenTimeoutS) * time.Second, Idle: time.Duration(m.IdleTimeoutS) * time.Second}
}

// modelSource is the registry in the engine's words.
type modelSource struct {
	*llm.Registry
	settings func() settings.Settings
}

func (m modelSource) Resolve(ctx context.Context, want string) (llm.ResolvedModel, error) {
	r, err := m.Registry.Resolve(ctx, want)
	found := llm.ResolvedModel{Name: r.Name(), Model: r.Model, ID: r.ID, Ability: r.Ability, Provider: r.Provider.ID}
	privacy := m.settings().Privacy
	if found.Cloud = r.Model != nil && beyond(r.Provider, privacy); found.Cloud && privacy.Redact {
		found.Model = llm.Redacted(r.Model, redact)
	}
	return found, err
}

// beyond reports whether a provider's server is not on this computer or a network
// that counts as local.
func beyond(p llm.Provider, privacy settings.PrivacySettings) bool {
	return !web.Local(p.Origin, privacy.AllowedPrivateOrigins)
}

func redact(text string) string {
	text, _ = evidence.Redact(text)
	return text
}
