package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/fault"
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
	Type          string `json:"type"`           // some say "embedding", "image", "audio"
	Architecture  struct {
		Gives []string `json:"output_modalities"` // OpenRouter
	} `json:"architecture"`
	Capabilities struct {
		Chats *bool `json:"completion_chat"` // Mistral
	} `json:"capabilities"`
	Pricing struct {
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

// ability is what the list says of a model. What it does not say is guessed from
// names; tools and schemas are assumed, since a refusal of either is handled.
func (m listed) ability() llm.Ability {
	a := assumed(m.ID)
	a.Window, a.Price = cmp.Or(m.ContextWindow, m.ContextLength, m.MaxModelLen), m.price()
	switch kind := strings.ToLower(m.Type); {
	case strings.HasPrefix(kind, "embedding") || a.Embeds:
		a = llm.Ability{Name: m.ID, Window: a.Window, Embeds: true}
	case slices.Contains([]string{"image", "audio", "video", "speech", "moderation", "rerank", "transcribe"}, kind),
		len(m.Architecture.Gives) > 0 && !slices.Contains(m.Architecture.Gives, "text"), m.Capabilities.Chats != nil && !*m.Capabilities.Chats:
		a = llm.Ability{Name: m.ID, Window: a.Window, Other: true}
	}
	return a
}

// assumed is what a model can do of which only the name is known.
func assumed(model string) llm.Ability {
	embeds := llm.NamedLikeEmbedder(model)
	return llm.Ability{Name: model, Embeds: embeds, Tools: !embeds, Schema: !embeds}
}

// List implements llm.Lister.
func (c *Client) List(ctx context.Context) ([]llm.Ability, error) {
	var answer struct {
		Data   []listed `json:"data"`
		Models []listed `json:"models"`
	}
	if err := c.server.Get(ctx, "/models", &answer); listless(err) {
		return nil, fault.Wrap(err, fault.ModelRefused, c.name+" does not list its models.", "Name the model yourself: provider/model, as the server calls it.")
	} else if err != nil {
		return nil, err
	}
	models := []llm.Ability{}
	for _, m := range slices.Concat(answer.Data, answer.Models) {
		if m.ID == "" {
			continue
		}
		models = append(models, m.ability())
	}
	return models, nil
}

// Probe implements llm.Prober: what LM Studio or llama.cpp tell about the model,
// else what the list says. A model that is missing from a list is model-missing;
// a server without a list is taken at the word of who named the model.
func (c *Client) Probe(ctx context.Context, model string) (llm.Ability, error) {
	models, err := c.List(ctx)
	if err != nil && !listless(err) {
		return llm.Ability{}, err
	}
	at := slices.IndexFunc(models, func(a llm.Ability) bool { return a.Name == model })
	if at < 0 && len(models) > 0 {
		return llm.Ability{}, c.server.Refused(model, &llm.StatusError{Status: 404})
	}
	ability := assumed(model)
	if at >= 0 {
		ability = models[at]
	}
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

// listless reports whether an error says that a server lists no models: it has no
// such path, or something else stands there.
func listless(err error) bool {
	var status *llm.StatusError
	if errors.As(err, &status) {
		return slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented}, status.Status) && fault.CodeOf(err) != fault.ModelAuth
	}
	return fault.CodeOf(err) == fault.ModelRefused
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
