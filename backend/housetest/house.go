// Package housetest composes the rooms of Footnote for tests as the program does, in
// one process: all of them are real but the model and the web.
package housetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/agent"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/fault"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/research"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/web/webtest"
)

// Plan says what a house is built of. Data and Web are needed.
type Plan struct {
	Data      string // folder
	Config    string // file of settings; empty for the one in Data
	Set       []string
	Web       *webtest.Frozen
	Providers func() []llm.Provider            // nil: there is no model
	Now       func() time.Time                 // nil for the clock
	Log       *slog.Logger                     // nil for none
	Index     func(*index.Index) library.Index // stands before the index; nil for the index itself
	Opened    []string                         // folders below Data that may be read
}

// House has the rooms, open. The library is not started.
type House struct {
	Settings *settings.Store
	DB       *store.DB
	Words    *index.Index
	Library  *library.Library
	Models   *llm.Registry
	Engine   *answer.Engine
}

// Open builds a house.
func Open(ctx context.Context, p Plan) (*House, error) {
	now, log := p.Now, cmp.Or(p.Log, slog.New(slog.DiscardHandler))
	if now == nil {
		now = time.Now
	}
	set, err := settings.Load(settings.LoadOptions{DataDir: p.Data, ConfigFile: p.Config, Set: append([]string{"models.embedding=none"}, p.Set...)})
	if err != nil {
		return nil, err
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, p.Data, log, now)
	if err != nil {
		return nil, err
	}
	words, err := index.Open(ctx, filepath.Join(p.Data, "index"), log)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	var indexed library.Index = words
	if p.Index != nil {
		indexed = p.Index(words)
	}
	shelf := library.New(library.Config{
		Catalog: db, Index: indexed, Extract: ReadFile, Settings: set.Now, Now: now, Log: log, Private: []string{p.Data}, Opened: p.Opened,
	})
	models := llm.NewRegistry(func() []llm.Provider {
		if p.Providers == nil {
			return nil
		}
		return p.Providers()
	}, now)
	engine := answer.NewEngine(answer.Config{
		Settings: set.Now, Stores: answer.Stores{Journal: db, Records: db, Archive: db, Preferences: db, Traces: db, Consents: db},
		Shelf: shelf, Texts: db, Web: p.Web, Reader: p.Web, Models: named{models},
		Investigate: agent.Investigate, Research: research.New().Run, Checker: checker, Now: now, Log: log,
	})
	return &House{Settings: set, DB: db, Words: words, Library: shelf, Models: models, Engine: engine}, nil
}

// Close ends the rooms, the engine first.
func (h *House) Close(ctx context.Context) error {
	return errors.Join(h.Engine.Close(ctx), h.Library.Close(), h.Words.Close(), h.DB.Close())
}

// named is the registry in the engine's words.
type named struct{ *llm.Registry }

func (n named) Resolve(ctx context.Context, want string) (llm.ResolvedModel, error) {
	r, err := n.Registry.Resolve(ctx, want)
	return llm.ResolvedModel{Name: r.Name(), Model: r.Model, ID: r.ID, Ability: r.Ability, Provider: r.Provider.ID, Cloud: r.Model != nil && strings.HasSuffix(r.Provider.Origin, "cloud.example")}, err
}

// Provider is one that has a model, which it calls "m". An origin that ends in
// "cloud.example" is a cloud.
func Provider(model llm.Model, origin string) llm.Provider {
	return llm.Provider{ID: "test", Name: "Test", Kind: "openai", Local: true, Origin: origin, Model: model, Server: OneModel{}}
}

// OneModel is the server of a provider that has one model.
type OneModel struct{}

func (OneModel) List(context.Context) ([]llm.Ability, error) {
	return []llm.Ability{{Name: "m", Window: 8192, Tools: true}}, nil
}

func (OneModel) Probe(_ context.Context, model string) (llm.Ability, error) {
	if model != "m" {
		return llm.Ability{}, fault.New(fault.ModelMissing, "There is no model "+model+".", "Choose another.")
	}
	return llm.Ability{Name: "m", Window: 8192, Tools: true}, nil
}

// ReadFile reads a document in this process, however busy the machine is.
func ReadFile(ctx context.Context, path string) (evidence.Document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return evidence.Document{}, err
	}
	limits := extract.DefaultLimits()
	limits.Time = 10 * time.Minute
	return extract.Extract(ctx, extract.MediaType(path, data[:min(len(data), 512)]), filepath.Base(path), data, limits)
}

// Output may be read while it is written. The zero value is empty.
type Output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// Until waits for something that comes to pass by itself.
func Until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute: %s", what)
		}
	}
}
