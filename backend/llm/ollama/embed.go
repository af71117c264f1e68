package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"footnote/backend/llm"
)

const embedBatch = 32

// Embedder gives the vectors of one model of this server.
func (c *Client) Embedder(model string) llm.Embedder {
	return llm.Batched("ollama/"+model, embedBatch, func(ctx context.Context, texts []string) ([][]float32, error) {
		return c.embed(ctx, model, texts)
	})
}

func (c *Client) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	var answer struct {
		Embeddings []json.RawMessage `json:"embeddings"`
	}
	body := map[string]any{"model": model, "input": texts, "truncate": true}
	if err := c.server.Post(ctx, "/api/embed", model, body, &answer); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(answer.Embeddings))
	for i, raw := range answer.Embeddings {
		if bytes.Contains(raw, []byte("null")) { // decoding would make it 0
			return nil, c.server.Nonsense(errors.New("null inside a vector"))
		}
		if err := json.Unmarshal(raw, &vectors[i]); err != nil {
			return nil, c.server.Nonsense(err)
		}
	}
	return vectors, nil
}
