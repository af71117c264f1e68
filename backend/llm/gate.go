package llm

import (
	"context"
	"iter"
	"sync"
)

// Gate lets work in the background yield to what is waited for: embedders behind
// it wait between their batches while a stream of a model behind it runs.
type Gate struct {
	mu    sync.Mutex
	holds int
	free  chan struct{} // closed while nobody holds it
}

// NewGate makes an open gate.
func NewGate() *Gate {
	g := &Gate{free: make(chan struct{})}
	close(g.free)
	return g
}

// Model is model behind the gate.
func (g *Gate) Model(model Model) Model { return gatedModel{g, model} }

// Embedder is e behind the gate. A cancelled context ends its wait.
func (g *Gate) Embedder(e Embedder) Embedder { return gatedEmbedder{g, e} }

// Hold closes the gate until the function it returns is called, and others that
// hold it as well.
func (g *Gate) Hold() (release func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.holds == 0 {
		g.free = make(chan struct{})
	}
	g.holds++
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.holds--; g.holds == 0 {
			close(g.free)
		}
	})
}

// Wait returns once nobody holds the gate.
func (g *Gate) Wait(ctx context.Context) error {
	g.mu.Lock()
	free := g.free
	g.mu.Unlock()
	select {
	case <-free:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

type gatedModel struct {
	gate  *Gate
	model Model
}

// Stream implements Model.
func (m gatedModel) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		defer m.gate.Hold()()
		m.model.Stream(ctx, call)(yield)
	}
}

const gatedBatch = 16 // texts between two looks at the gate

type gatedEmbedder struct {
	gate  *Gate
	inner Embedder
}

// ID implements Embedder.
func (e gatedEmbedder) ID() string { return e.inner.ID() }

// Embed implements Embedder.
func (e gatedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var vectors [][]float32
	for len(texts) > 0 {
		if err := e.gate.Wait(ctx); err != nil {
			return nil, err
		}
		n := min(gatedBatch, len(texts))
		batch, err := e.inner.Embed(ctx, texts[:n])
		if err != nil {
			return nil, err
		}
		vectors, texts = append(vectors, batch...), texts[n:]
	}
	return vectors, nil
}
