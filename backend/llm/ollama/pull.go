package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"

	"footnote/backend/llm"
)

// Pull implements llm.Puller. What was fetched of a pull that was stopped is kept
// by the server for the next time.
func (c *Client) Pull(ctx context.Context, model string) iter.Seq2[llm.Progress, error] {
	return func(yield func(llm.Progress, error) bool) {
		if err := c.pull(ctx, model, yield); err != nil {
			yield(llm.Progress{}, err)
		}
	}
}

func (c *Client) pull(ctx context.Context, model string, yield func(llm.Progress, error) bool) error {
	lines, err := c.server.Stream(ctx, "/api/pull", model, map[string]any{"model": model, "stream": true})
	if err != nil {
		return err
	}
	defer lines.Close()
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return c.server.Dropped(errCut)
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		if refused := c.server.ErrorIn(model, line); refused != nil {
			return refused
		}
		var step struct {
			Status           string
			Completed, Total int64
		}
		if err := json.Unmarshal(line, &step); err != nil {
			return c.server.Nonsense(err)
		}
		lines.Progress(true)
		if !yield(llm.Progress{Status: step.Status, Done: step.Completed, Total: step.Total}, nil) {
			return nil
		}
		if step.Status == "success" {
			c.forget(model)
			return nil
		}
	}
}

// forget drops what is known of a model, since a new one came under its name.
func (c *Client) forget(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, model)
}
