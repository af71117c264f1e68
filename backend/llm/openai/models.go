package openai

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// listed is a model in GET /models, with the fields in which servers tell the
// window.
type listed struct {
	ID            string `json:"id"`
	ContextWindow int    `json:"context_window"` // Groq
	ContextLength int    `json:"context_length"` // OpenRouter
	MaxModelLen   int    `json:"max_model_len"`  // vLLM
	Type          string `json:"type"`           // some say "embedding"
	Pricing       struct {
		Prompt, Completion string // dollars a token: OpenRouter
	} `json:"pricing"`
}

// price is what the list says that the model costs.
func (m listed) price() llm.Price {
	prompt, err := strconv.ParseFloat(m.Pricing.Prompt, 64)
	reply, err2 := strconv.ParseFloat(m.Pricing.Completion, 64)
	if err != nil || err2 != nil || prompt < 0 || reply < 0 { // -1: it depends
		return llm.Price{}
	}
	return llm.Price{Prompt: prompt * 1e6, Reply: reply * 1e6}
}

// List implements llm.Lister. What the list does not say is guessed from names;
// tools and schemas are assumed, since a refusal of either is handled.
func (c *Client) List(ctx context.Context) ([]llm.Ability, error) {
	var answer struct {
		Data   []listed `json:"data"`
		Models []listed `json:"models"`
	}
	if err := c.server.Get(ctx, "/models", &answer); err != nil {
		return nil, err
	}
	models := []llm.Ability{}
	for _, m := range slices.Concat(answer.Data, answer.Models) {
		if m.ID == "" {
			continue
		}
		a := llm.Ability{Name: m.ID, Window: cmp.Or(m.ContextWindow, m.ContextLength, m.MaxModelLen), Tools: true, Schema: true, Price: m.price()}
		if strings.HasPrefix(m.Type, "embedding") || llm.NamedLikeEmbedder(m.ID) {
			a = llm.Ability{Name: m.ID, Window: a.Window, Embeds: true}
		}
		models = append(models, a)
	}
	return models, nil
}

// Probe implements llm.Prober: what LM Studio or llama.cpp tell about the model,
// else what the list says. A model that is not listed is model-missing.
func (c *Client) Probe(ctx context.Context, model string) (llm.Ability, error) {
	models, err := c.List(ctx)
	if err != nil {
		return llm.Ability{}, err
	}
	at := slices.IndexFunc(models, func(a llm.Ability) bool { return a.Name == model })
	if at < 0 {
		return llm.Ability{}, c.server.Refused(model, &llm.StatusError{Status: 404})
	}
	ability := models[at]
	if ability.Window > 0 || !c.local() {
		return ability, nil
	}
	for _, ask := range []func(context.Context, llm.Ability) (llm.Ability, error){c.probeLMStudio, c.probeLlamaCpp} {
		better, err := ask(ctx, ability)
		if err == nil && better.Window > 0 {
			return better, nil
		}
		if ctx.Err() != nil {
			return ability, ctx.Err()
		}
	}
	return ability, nil
}

// local reports whether the server may be one that tells more on paths of its
// own; the well-known services are not asked for them.
func (c *Client) local() bool { return strings.HasPrefix(c.server.Base, "http://") }

var errUnlisted = errors.New("model is not listed")

// root is the same server without /v1.
func (c *Client) root() *wire.Server {
	s := c.server
	s.Base = s.Origin()
	return &s
}

func (c *Client) probeLMStudio(ctx context.Context, a llm.Ability) (llm.Ability, error) {
	var answer struct {
		Data []struct {
			ID           string   `json:"id"`
			Type         string   `json:"type"`
			Max          int      `json:"max_context_length"`
			Loaded       int      `json:"loaded_context_length"`
			Capabilities []string `json:"capabilities"`
		} `json:"data"`
	}
	if err := c.root().Get(ctx, "/api/v0/models", &answer); err != nil {
		return a, err
	}
	for _, m := range answer.Data {
		if m.ID != a.Name {
			continue
		}
		a.Window = cmp.Or(m.Loaded, m.Max)
		a.Embeds, a.Vision = m.Type == "embeddings", m.Type == "vlm"
		a.Tools = slices.Contains(m.Capabilities, "tool_use")
		return a, nil
	}
	return a, errUnlisted
}

func (c *Client) probeLlamaCpp(ctx context.Context, a llm.Ability) (llm.Ability, error) {
	var answer struct {
		Settings struct {
			Window int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Modalities struct{ Vision bool } `json:"modalities"`
	}
	if err := c.root().Get(ctx, "/props", &answer); err != nil {
		return a, err
	}
	a.Window, a.Vision = answer.Settings.Window, answer.Modalities.Vision
	return a, nil
}
