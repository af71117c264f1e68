package command_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/agent"
	"footnote/backend/cite"
	"footnote/backend/command"
	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/fault"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/refresh"
	"footnote/backend/research"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

const bridge = "# The Lorne bridge\n\nThe bridge over the Lorne was opened on 3 May 1932. It cost 4.2 million pounds.\n\nEight years of work went before it, and eleven workers died.\n"

// desk is where commands are typed: a data folder, a current folder with
// documents, and a program whose model and web are under the test's hand.
type desk struct {
	t     *testing.T
	data  string
	dir   string
	set   []string
	stdin string
	term  bool
	model *llmtest.Scripted // nil: there is none
	web   *webtest.Frozen
	mcp   command.MCP
	halts int64    // how often the index cannot be written at first
	gaps  []string // of the process that reads files
}

func sit(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, data: t.TempDir(), dir: t.TempDir(), web: &webtest.Frozen{Seen: time.Now()}}
	d.write("bridge.md", bridge)
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// said is what a command printed and ended with.
type said struct {
	code      int
	out, errs string
}

// run types a command and waits for its end.
func (d *desk) run(args ...string) said {
	d.t.Helper()
	return d.runUntil(d.t.Context(), args...)
}

func (d *desk) runUntil(ctx context.Context, args ...string) said {
	out, errs := &printed{}, &printed{}
	return d.finish(command.Execute(ctx, d.env(out, errs, args...)), out, errs)
}

func (d *desk) finish(code int, out, errs *printed) said {
	return said{code, out.String(), errs.String()}
}

func (d *desk) env(out, errs io.Writer, args ...string) *command.Env {
	return &command.Env{
		Args: append([]string{"--data", d.data}, args...), Stdin: strings.NewReader(d.stdin), Stdout: out, Stderr: errs, Dir: d.dir,
		Terminal: d.term, Version: "1.2.3", Open: d.open, MCP: d.mcp,
	}
}

// printed is an output that may be read while it is written.
type printed struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

// open composes the program as it is, but for what is outside of it.
func (d *desk) open(ctx context.Context, flags command.Flags) (*command.House, error) {
	log := slog.New(slog.DiscardHandler)
	set, err := settings.Load(settings.LoadOptions{DataDir: flags.Data, ConfigFile: flags.Config, Set: append(append([]string{"models.embedding=none"}, d.set...), flags.Set...)})
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, flags.Data, log, time.Now)
	if err != nil {
		return nil, err
	}
	words, err := index.Open(ctx, filepath.Join(flags.Data, "index"), log)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return nil, err
	}
	shelf := library.New(library.Config{Catalog: db, Index: d.halting(words), Extract: readFile, Settings: set.Now, Now: time.Now, Log: log, Private: []string{flags.Data}})
	models := llm.NewRegistry(d.providers, time.Now)
	engine := answer.NewEngine(answer.Config{
		Settings: set.Now, Stores: answer.Stores{Journal: db, Records: db, Archive: db}, Shelf: shelf, Texts: db, Web: d.web, Reader: d.web, Models: named{models}, Checker: checker, Investigate: agent.Investigate, Research: research.New().Run, Now: time.Now, Log: log,
	})
	refresher := refresh.New(refresh.Config{Engine: engine, Store: db, Renew: shelf.Renew, Stirs: shelf.Stirs, Now: time.Now, Log: log})
	desk := web.NewDesk(nil, set.Now, nil, time.Now)
	return &command.House{
		Settings: set, DB: db, Library: shelf, Engine: engine, Models: models, Engines: desk, Refresher: refresher, Log: log,
		Confined: func(context.Context) ([]string, string, error) { return d.gaps, "This system is old.", nil },
		Keys:     settings.NewKeys(settings.KeysConfig{DataDir: flags.Data, Keychain: func() bool { return false }}),
		Close: func(ctx context.Context) error {
			return errors.Join(refresher.Close(ctx), engine.Close(ctx), shelf.Close(), words.Close(), db.Close())
		},
	}, nil
}

func (d *desk) providers() []llm.Provider {
	if d.model == nil {
		return []llm.Provider{{ID: "away", Name: "Away", Kind: "openai", Origin: "http://127.0.0.1:1", Model: llmtest.NewScripted(), Server: awayServer{}}}
	}
	return []llm.Provider{{ID: "test", Name: "Test", Kind: "openai", Local: true, Model: d.model, Server: oneModel{}}}
}

// oneModel is the server of a provider that has one model.
type oneModel struct{}

func (oneModel) List(context.Context) ([]llm.Ability, error) {
	return []llm.Ability{{Name: "m", Window: 8192}}, nil
}

func (oneModel) Probe(_ context.Context, model string) (llm.Ability, error) {
	if model != "m" {
		return llm.Ability{}, fault.New(fault.ModelMissing, "There is no model "+model+".", "Choose another.")
	}
	return llm.Ability{Name: "m", Window: 8192}, nil
}

// awayServer does not answer.
type awayServer struct{}

func (awayServer) List(context.Context) ([]llm.Ability, error) {
	return nil, fault.New(fault.ModelUnreachable, "Away does not answer.", "Start it.")
}

func (awayServer) Probe(context.Context, string) (llm.Ability, error) {
	return llm.Ability{}, fault.New(fault.ModelUnreachable, "Away does not answer.", "Start it.")
}

// named is the registry in the engine's words.
type named struct{ *llm.Registry }

func (n named) Resolve(ctx context.Context, want string) (llm.ResolvedModel, error) {
	r, err := n.Registry.Resolve(ctx, want)
	return llm.ResolvedModel{Name: r.Name(), Model: r.Model, ID: r.ID, Ability: r.Ability}, err
}

// readFile reads a document in this process.
func readFile(ctx context.Context, path string) (evidence.Document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return evidence.Document{}, err
	}
	return extract.Extract(ctx, extract.MediaType(path, data[:min(len(data), 512)]), filepath.Base(path), data, unhurried())
}

// unhurried are limits that a busy machine does not reach.
func unhurried() extract.Limits {
	limits := extract.DefaultLimits()
	limits.Time = 10 * time.Minute
	return limits
}

// haltingIndex cannot be written at first, as on a full disk.
type haltingIndex struct {
	*index.Index
	left atomic.Int64
}

func (x *haltingIndex) Put(ctx context.Context, entries []library.Entry) error {
	if x.left.Add(-1) >= 0 {
		return fault.New(fault.DiskFull, "The disk with Footnote's data is full.", "Free some space.")
	}
	return x.Index.Put(ctx, entries)
}

func (d *desk) halting(words *index.Index) library.Index {
	x := &haltingIndex{Index: words}
	x.left.Store(d.halts)
	return x
}

// until waits for something that comes to pass by itself.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute: %s", what)
		}
	}
}
