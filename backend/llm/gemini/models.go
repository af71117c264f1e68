package gemini

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/llm"
)

// listed is a model in GET /models.
type listed struct {
	Name    string   `json:"name"` // with models/ before it
	Window  int      `json:"inputTokenLimit"`
	Methods []string `json:"supportedGenerationMethods"`
}

func (m listed) ability() llm.Ability {
	chats := slices.Contains(m.Methods, "generateContent")
	return llm.Ability{
		Name: strings.TrimPrefix(m.Name, "models/"), Window: m.Window, Tools: chats, Schema: chats, Vision: chats,
		Embeds: !chats && (slices.Contains(m.Methods, "embedContent") || slices.Contains(m.Methods, "batchEmbedContents")),
	}
}

// List implements llm.Lister. Models that neither answer nor make vectors are
// left out.
func (c *Client) List(ctx context.Context) ([]llm.Ability, error) {
	var answer struct {
		Models []listed `json:"models"`
	}
	if err := c.server.Get(ctx, "/models?pageSize=1000", &answer); err != nil {
		return nil, err
	}
	models := []llm.Ability{}
	for _, m := range answer.Models {
		if a := m.ability(); a.Name != "" && (a.Tools || a.Embeds) {
			models = append(models, a)
		}
	}
	return models, nil
}

// Probe implements llm.Prober. A model that the server does not know is
// model-missing.
func (c *Client) Probe(ctx context.Context, model string) (llm.Ability, error) {
	var m listed
	if err := c.server.Get(ctx, modelPath(model), &m); err != nil {
		return llm.Ability{}, err
	}
	m.Name = model
	return m.ability(), nil
}
