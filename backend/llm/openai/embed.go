package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"footnote/backend/llm"
)

const embedBatch = 64

// Embedder gives the vectors of one model of this server. Vectors go by their
// index, whatever their order.
func (c *Client) Embedder(model string) llm.Embedder {
	return llm.Batched(c.name+"/"+model, embedBatch, func(ctx context.Context, texts []string) ([][]float32, error) {
		return c.embed(ctx, model, texts)
	})
}

func (c *Client) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int            `json:"index"`
			Embedding json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	body := map[string]any{"model": model, "input": texts, "encoding_format": "float"}
	if err := c.server.Post(ctx, "/embeddings", model, body, &answer); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(answer.Data))
	for i, d := range answer.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(vectors) || vectors[at] != nil {
			return nil, c.server.Nonsense(errors.New("index of a vector out of order"))
		}
		if bytes.Contains(d.Embedding, []byte("null")) { // decoding would make it 0
			return nil, c.server.Nonsense(errors.New("null inside a vector"))
		}
		if err := json.Unmarshal(d.Embedding, &vectors[at]); err != nil {
			return nil, c.server.Nonsense(err)
		}
	}
	return vectors, nil
}
