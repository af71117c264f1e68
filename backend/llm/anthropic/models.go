package anthropic

import (
	"cmp"
	"context"
	"net/url"

	"footnote/backend/llm"
)

const claudeWindow = 200_000 // tokens, of every model that does not say otherwise

// listed is a model in GET /v1/models.
type listed struct {
	ID     string `json:"id"`
	Window int    `json:"max_input_tokens"`
}

func (m listed) ability() llm.Ability {
	return llm.Ability{Name: m.ID, Window: cmp.Or(m.Window, claudeWindow), Tools: true, Schema: true, Vision: true}
}

// List implements llm.Lister.
func (c *Client) List(ctx context.Context) ([]llm.Ability, error) {
	var answer struct {
		Data []listed `json:"data"`
	}
	if err := c.server.Get(ctx, "/v1/models?limit=1000", &answer); err != nil {
		return nil, err
	}
	models := []llm.Ability{}
	for _, m := range answer.Data {
		if m.ID != "" {
			models = append(models, m.ability())
		}
	}
	return models, nil
}

// Probe implements llm.Prober. A name without a date is understood too; a model
// that the server does not know is model-missing.
func (c *Client) Probe(ctx context.Context, model string) (llm.Ability, error) {
	var m listed
	if err := c.server.Get(ctx, "/v1/models/"+url.PathEscape(model), &m); err != nil {
		return llm.Ability{}, err
	}
	m.ID = model
	return m.ability(), nil
}
