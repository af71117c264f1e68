package command_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/refresh"
	"footnote/backend/settings"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

const bridge = "# The Lorne bridge\n\nThe bridge over the Lorne was opened on 3 May 1932. It cost 4.2 million pounds.\n\nEight years of work went before it, and eleven workers died.\n"

// desk is where commands are typed: a data folder, a current folder with
// documents, and a program whose model and web are under the test's hand.
type desk struct {
	t       *testing.T
	data    string
	dir     string
	set     []string
	stdin   string
	term    bool
	model   *llmtest.Scripted // nil: there is none
	web     *webtest.Frozen
	mcp     command.MCP
	halts   int64    // how often the index cannot be written at first
	gaps    []string // of the process that reads files
	untried error    // why that was not found out
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
	out, errs := &housetest.Output{}, &housetest.Output{}
	return d.finish(command.Execute(ctx, d.env(out, errs, args...)), out, errs)
}

func (d *desk) finish(code int, out, errs *housetest.Output) said {
	return said{code, out.String(), errs.String()}
}

func (d *desk) env(out, errs io.Writer, args ...string) *command.Env {
	return &command.Env{
		Args: append([]string{"--data", d.data}, args...), Stdin: strings.NewReader(d.stdin), Stdout: out, Stderr: errs, Dir: d.dir,
		Terminal: d.term, Version: "1.2.3", Open: d.open, MCP: d.mcp,
	}
}

// open composes the program as it is, but for what is outside of it.
func (d *desk) open(ctx context.Context, flags command.Flags) (*command.House, error) {
	log := slog.New(slog.DiscardHandler)
	h, err := housetest.Open(ctx, housetest.Plan{Data: flags.Data, Config: flags.Config, Set: append(slices.Clone(d.set), flags.Set...), Web: d.web, Providers: d.providers, Index: d.halting})
	if err != nil {
		return nil, err
	}
	refresher := refresh.New(refresh.Config{Engine: h.Engine, Store: h.DB, Renew: h.Library.Renew, Stirs: func(ctx context.Context) iter.Seq[struct{}] { return library.Stirs(ctx, h.Library) }, Now: time.Now, Log: log})
	engines := web.NewEngineRegistry(nil, h.Settings.Now, nil, time.Now)
	return &command.House{
		Settings: h.Settings, DB: h.DB, Library: h.Library, Engine: h.Engine, Models: h.Models, Engines: engines, Refresher: refresher, Log: log,
		Confined: func(context.Context) ([]string, string, error) { return d.gaps, "This system is old.", d.untried },
		Keys:     settings.NewKeys(settings.KeysConfig{DataDir: flags.Data, Keychain: func() bool { return false }}),
		Close: func(ctx context.Context) error {
			return errors.Join(refresher.Close(ctx), h.Close(ctx))
		},
	}, nil
}

func (d *desk) providers() []llm.Provider {
	if d.model == nil {
		return []llm.Provider{{ID: "away", Name: "Away", Kind: "openai", Origin: "http://127.0.0.1:1", Model: llmtest.NewScripted(), Server: awayServer{}}}
	}
	return []llm.Provider{housetest.Provider(d.model, "")}
}

// awayServer does not answer.
type awayServer struct{}

func (awayServer) List(context.Context) ([]llm.Ability, error) {
	return nil, fault.New(fault.ModelUnreachable, "Away does not answer.", "Start it.")
}

func (awayServer) Probe(context.Context, string) (llm.Ability, error) {
	return llm.Ability{}, fault.New(fault.ModelUnreachable, "Away does not answer.", "Start it.")
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
