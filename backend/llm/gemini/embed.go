package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"footnote/backend/llm"
)

const embedBatch = 64

// embedRequest is one text of a batch.
type embedRequest struct {
	Model   string  `json:"model"`
	Content content `json:"content"`
}

// Embedder gives the vectors of one model of this server.
func (c *Client) Embedder(model string) llm.Embedder {
	return llm.Batched("gemini/"+model, embedBatch, func(ctx context.Context, texts []string) ([][]float32, error) {
		return c.embed(ctx, model, texts)
	})
}

func (c *Client) embed(ctx context.Context, model string, texts []string) ([][]float32, error) {
	requests := make([]embedRequest, len(texts))
	for i, text := range texts {
		requests[i] = embedRequest{modelPath(model)[1:], content{Parts: []part{{Text: text}}}}
	}
	var answer struct {
		Embeddings []struct {
			Values json.RawMessage `json:"values"`
		} `json:"embeddings"`
	}
	body := map[string]any{"requests": requests}
	if err := c.server.Post(ctx, modelPath(model)+":batchEmbedContents", model, body, &answer); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(answer.Embeddings))
	for i, e := range answer.Embeddings {
		if bytes.Contains(e.Values, []byte("null")) { // decoding would make it 0
			return nil, c.server.Nonsense(errors.New("null inside a vector"))
		}
		if err := json.Unmarshal(e.Values, &vectors[i]); err != nil {
			return nil, c.server.Nonsense(err)
		}
	}
	return vectors, nil
}
