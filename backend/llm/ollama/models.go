package ollama

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

const showWait = 5 * time.Second

// shown is what /api/show tells about a model.
type shown struct {
	llm.Ability
	Thinks bool
}

type showAnswer struct {
	Capabilities []string       `json:"capabilities"`
	Info         map[string]any `json:"model_info"`
}

// List implements llm.Lister. Abilities other than embedding come with Probe.
func (c *Client) List(ctx context.Context) ([]llm.Ability, error) {
	var answer struct {
		Models []struct {
			Name    string `json:"name"`
			Model   string `json:"model"`
			Details struct {
				Family string `json:"family"`
			} `json:"details"`
		} `json:"models"`
	}
	if err := c.server.Get(ctx, "/api/tags", &answer); err != nil {
		return nil, err
	}
	models := []llm.Ability{}
	for _, m := range answer.Models {
		name := m.Name
		if name == "" {
			name = m.Model
		}
		if name == "" {
			continue
		}
		embeds := llm.NamedLikeEmbedder(name) || strings.HasSuffix(m.Details.Family, "bert")
		models = append(models, llm.Ability{Name: name, Embeds: embeds, Tools: !embeds, Schema: !embeds})
	}
	return models, nil
}

// Probe implements llm.Prober. Window is what a request gets: the user's setting,
// else the model's own up to 8192.
func (c *Client) Probe(ctx context.Context, model string) (llm.Ability, error) {
	known, err := c.show(ctx, model)
	if err == nil {
		known.Window = c.numCtx(llm.Call{Model: model}, known)
	}
	return known.Ability, err
}

func (c *Client) show(ctx context.Context, model string) (shown, error) {
	var answer showAnswer
	if err := c.server.Post(ctx, "/api/show", model, map[string]any{"model": model}, &answer); err != nil {
		return shown{}, err
	}
	known := answer.read(model)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[model] = known
	return known, nil
}

func (a showAnswer) read(model string) shown {
	s := shown{Ability: llm.Ability{Name: model}}
	for key, value := range a.Info {
		n, isNumber := value.(float64)
		switch {
		case isNumber && strings.HasSuffix(key, ".context_length"):
			s.Window = int(n)
		case isNumber && strings.HasSuffix(key, ".embedding_length"):
			s.Dims = int(n)
		}
	}
	can := func(what string) bool { return slices.Contains(a.Capabilities, what) }
	s.Embeds = can("embedding") || len(a.Capabilities) == 0 && llm.NamedLikeEmbedder(model)
	s.Tools, s.Vision, s.Thinks = can("tools"), can("vision"), can("thinking")
	s.Schema = !s.Embeds
	return s
}

// recall is what is known of a model, asked once. A server that cannot tell
// gives a model of which nothing is known; one that is not there is a fault.
func (c *Client) recall(ctx context.Context, model string) (shown, error) {
	c.mu.Lock()
	known, ok := c.known[model]
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	brief, cancel := context.WithTimeout(ctx, min(showWait, c.server.Limits.FirstToken))
	defer cancel()
	known, err := c.show(brief, model)
	switch {
	case ctx.Err() != nil:
		return shown{}, ctx.Err()
	case fault.CodeOf(err) == fault.ModelMissing, fault.CodeOf(err) == fault.ModelUnreachable && !errors.Is(err, llm.ErrDropped):
		return shown{}, err
	case err != nil:
		return shown{Ability: llm.Ability{Name: model}}, nil
	}
	return known, nil
}
