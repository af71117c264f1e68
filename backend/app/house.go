package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/agent"
	"footnote/backend/api"
	"footnote/backend/cite"
	"footnote/backend/collector"
	"footnote/backend/command"
	"footnote/backend/extract"
	"footnote/backend/fault"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/refresh"
	"footnote/backend/research"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/store/sqlite"
	"footnote/backend/table"
	"footnote/backend/update"
)

// openHouse builds every room over the data folder.
func (p Program) openHouse(ctx context.Context, flags command.Flags) (*command.House, error) {
	debug.SetGCPercent(70) // a large library is in memory, and should not take twice of that
	set, err := settings.Load(settings.LoadOptions{DataDir: flags.Data, ConfigFile: flags.Config, Env: os.Environ(), Set: flags.Set, AnyOwner: flags.AnyOwner})
	if err != nil {
		return nil, err
	}
	b := &builder{settings: set, now: time.Now, gates: newGates(), updates: update.Config{Origin: p.Updates, Version: p.Version}}
	if err := b.build(ctx, flags); err != nil {
		b.close(context.WithoutCancel(ctx))
		return nil, err
	}
	if p.raised > 0 {
		b.log.Warn("GOMEMLIMIT is lower than Footnote works in, and is not held to", "bytes", p.raised, "instead", collector.Enough)
	}
	h := b.house
	h.Close = b.close
	return &h, nil
}

// builder holds what is built so far, and takes it down in reverse order.
type builder struct {
	settings *settings.Store
	now      func() time.Time
	log      *slog.Logger
	keys     *settings.Keys
	db       *store.DB
	gates    *gates
	models   *clients // of model servers
	aside    *privacy.Aside
	updates  update.Config
	house    command.House
	closers  []func(context.Context) error
}

func (b *builder) defer_(close func(context.Context) error) { b.closers = append(b.closers, close) }

func (b *builder) close(ctx context.Context) error {
	var errs []error
	for _, c := range slices.Backward(b.closers) {
		errs = append(errs, c(ctx))
	}
	b.closers = nil
	return errors.Join(errs...)
}

func (b *builder) build(ctx context.Context, flags command.Flags) error {
	var err error
	dir := b.settings.DataDir()
	b.log, err = b.openLog(dir, flags.Log)
	logged := err
	if err != nil && fault.CodeOf(err) != fault.DiskFull {
		return err
	}
	slog.SetDefault(b.log) // what libraries say of themselves is no part of what commands print
	b.keys = settings.NewKeys(settings.KeysConfig{DataDir: dir, Env: os.Environ(), Keychain: func() bool { return b.settings.Now().Privacy.Keychain },
		Address: func(name string) string { return b.settings.Now().Address(name) }, Told: b.settings.AddressTold})
	if err := b.openStore(ctx, dir, logged); err != nil {
		return err
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return err
	}
	providers := b.providers()
	embedding, err := b.embedding(ctx, providers)
	if err != nil {
		return err
	}
	self, err := thisProgram()
	if err != nil {
		return err
	}
	if err := ensureTemporary(dir); err != nil {
		b.log.Warn("no folder for temporary files", "err", err)
	}
	pool := extract.NewPool([]string{self, "extract-worker"}, runtime.NumCPU(), func() extract.Limits { return b.extractLimits(dir) })
	b.defer_(func(context.Context) error { pool.Close(); return nil })
	shelf, err := b.library(ctx, self, dir, pool, embedding)
	if err != nil {
		return err
	}
	pictures := extract.NewPool([]string{self, "extract-worker"}, picturesAtOnce, pictureLimits)
	b.defer_(func(context.Context) error { pictures.Close(); return nil })
	outside := b.web(dir, pool, pictures)
	models := llm.NewRegistry(providers, b.now)
	models.Remember(knownModels{filepath.Join(dir, "cache", "models.json"), b.log})
	warmer := b.warmer(outside, models)
	researcher := research.New()
	researcher.Vectors = embedding.sentences
	asking := answer.Config{
		Settings: b.settings.Now, Stores: answer.Stores{Journal: b.db, Records: b.db, Archive: b.db, Preferences: b.db, Traces: b.db, Studies: b.db, Consents: b.db}, Shelf: shelf, Texts: b.db, Web: outside.searcher, Reader: outside.reader, Pictures: outside.pictures,
		Models: modelSource{models, b.settings.Now}, Embedder: embedding.index, Meaning: embedding.answer, Computer: b.computer(), Checker: checker, Likelihood: b.likelihood, Now: b.now, Log: b.log,
		Investigate: agent.Investigate, Research: researcher.Run, TakeOpened: warmer.TakeOpened, AtRest: b.giveBack,
	}
	engine := answer.NewEngine(asking)
	b.defer_(engine.Close)
	refresher := refresh.New(refresh.Config{
		Engine: engine, Store: b.db, Renew: shelf.Renew, Stirs: func(ctx context.Context) iter.Seq[struct{}] { return library.Stirs(ctx, shelf) }, Tell: func(n refresh.News) { shelf.Publish(n) }, Now: b.now, Log: b.log,
	})
	b.defer_(refresher.Close)
	tables := table.New(table.Config{Asker: engine, Store: b.db, Base: engine.Defaults, Unread: shelf.Unread, Now: b.now, Log: b.log})
	b.defer_(tables.Close)
	b.house = command.House{Settings: b.settings, Keys: b.keys, DB: b.db, Library: shelf, Engine: engine, Models: models, Engines: outside.engines, Warmer: warmer, Pictures: outside.pictures, Pages: outside.pages, Refresher: refresher, Tables: tables, Updates: b.checker(dir, outside.client), Aside: b.aside, Confined: pictures.Gaps, Log: b.log}
	b.house.With = func(other command.Stores) (*answer.Engine, *library.Library) {
		return b.with(asking, other, pool, embedding)
	}
	return nil
}

// checker looks for newer versions through the guarded client.
func (b *builder) checker(dir string, client *http.Client) *update.Checker {
	config := b.updates
	config.On, config.Client, config.Now, config.Log = func() bool { return b.settings.Now().Privacy.UpdateCheck }, client, b.now, b.log
	config.File = filepath.Join(dir, "cache", "update.json")
	return update.New(config)
}

// openStore opens the store; where the data folder takes no file, which the log
// may have shown, what was kept can still be read.
func (b *builder) openStore(ctx context.Context, dir string, logged error) (err error) {
	if err = logged; err == nil {
		b.db, err = store.Open(ctx, dir, b.log, b.now)
	}
	if fault.CodeOf(err) == fault.DiskFull {
		var none error
		if b.db, none = store.OpenReading(ctx, dir, err, b.log, b.now); fault.CodeOf(none) == fault.DataLocked {
			return none
		} else if none != nil {
			return errors.Join(err, none)
		}
		fmt.Fprintln(os.Stderr, fault.Of(err).Message+" What was kept can be read; nothing new is stored.")
		err = nil
	}
	if err != nil {
		return err
	}
	b.defer_(func(context.Context) error { return b.db.Close() })
	b.aside = privacy.NewAside(entries{b.db, "aside"}, b.log)
	b.defer_(func(context.Context) error { b.aside.Close(); return nil })
	if b.db.Reading() {
		return nil
	}
	b.db.SecureDelete(func() bool { return b.settings.Now().Store.SecureDelete })
	b.keepBackups()
	if told := b.db.Mended(); told != "" {
		fmt.Fprintln(os.Stderr, told)
	}
	_, err = b.db.CloseOpen(ctx)
	return err
}

// openLog writes to the data folder; --log adds standard error. Without a file
// the log goes to standard error alone, or nowhere.
func (b *builder) openLog(dir, level string) (*slog.Logger, error) {
	var chosen slog.Level
	if err := chosen.UnmarshalText([]byte(cmp.Or(level, b.settings.Now().Debug.Level))); err != nil {
		return nil, err
	}
	file, err := b.logFile(dir)
	out := io.Discard
	if err == nil {
		out = file
	}
	if level != "" {
		out = io.MultiWriter(out, os.Stderr)
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: chosen})), err
}

func (b *builder) logFile(dir string) (io.Writer, error) {
	logs := filepath.Join(dir, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, sqlite.CannotWrite(dir, err)
	}
	path := filepath.Join(logs, "footnote.log")
	if info, err := os.Stat(path); err == nil && info.Size() > 10<<20 {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, sqlite.CannotWrite(dir, err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, sqlite.CannotWrite(dir, err)
	}
	b.defer_(func(context.Context) error { return file.Close() })
	return file, nil
}

func (b *builder) extractLimits(dir string) extract.Limits {
	limits := extract.DefaultLimits()
	s := b.settings.Now().Library
	limits.Time = time.Duration(s.ParseTimeoutS) * time.Second
	limits.Cache = filepath.Join(dir, "cache", "code")
	if s.OCR != "off" {
		limits.OCR = extract.RecognitionTime
	}
	return limits
}

const picturesAtOnce = 2

// pictureLimits are those of a preview: it is small, and nobody waits long for it.
func pictureLimits() extract.Limits {
	limits := extract.DefaultLimits()
	limits.File, limits.Memory, limits.Time, limits.Jobs = 8<<20, 256<<20, 5*time.Second, 64
	return limits
}

func (b *builder) library(ctx context.Context, self, dir string, pool *extract.Pool, e embedding) (*library.Library, error) {
	words, err := b.openIndex(ctx, self, filepath.Join(dir, "index"))
	if err != nil {
		return nil, err
	}
	b.defer_(func(context.Context) error { return words.Close() })
	config := b.shelving(dir, pool, e)
	config.Catalog, config.Index, config.Meaning, config.Mended = b.db, words, e.shelf, b.db.Mended()
	shelf := library.New(config)
	b.db.OnRequeued(shelf.ReadWaiting)
	b.defer_(func(context.Context) error { return shelf.Close() })
	return shelf, nil
}

// shelving is what all libraries of a house share.
func (b *builder) shelving(dir string, pool *extract.Pool, e embedding) library.Config {
	return library.Config{
		Embedder: e.index, Extract: pool.Extract, Settings: b.settings.Now, Now: b.now, Log: b.log,
		Ability: func(ctx context.Context) string { return extract.Ability(ctx, b.extractLimits(dir)) }, Private: private(dir), Opened: api.ReadableIn(dir),
	}
}

// with makes an engine and a library over other stores. Answers are not kept for
// being asked again: whether they may be given then is for the stores to say.
func (b *builder) with(asking answer.Config, other command.Stores, pool *extract.Pool, e embedding) (*answer.Engine, *library.Library) {
	config := b.shelving(b.settings.DataDir(), pool, e)
	config.Catalog, config.Index, config.Resting = other.Catalog, other.Index, other.Resting
	if e.reranker != nil {
		reranker := e.reranker()
		config.Meaning, asking.Meaning = reranker, reranker
	}
	shelf := library.New(config)
	asking.Stores, asking.Texts, asking.Shelf, asking.TakeOpened, asking.AtRest = other.Stores, other.Texts, shelf, nil, nil
	asking.Settings = func() settings.Settings {
		s := b.settings.Now()
		s.Ask.CacheMinutes = 0
		return s
	}
	return answer.NewEngine(asking), shelf
}

// private is the data folder as paths in the library would name it: it is never
// read, even inside a folder that is.
func private(dir string) []string {
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		return []string{dir, real}
	}
	return []string{dir}
}

const probeTime = 20 * time.Second

// openIndex opens the index; after an unclean end it is opened and searched in
// a child process first, since damage may end a process that no recover can
// save. A damaged one is thrown away: the library fills it again.
func (b *builder) openIndex(ctx context.Context, self, dir string) (*index.Index, error) {
	if b.db.Reading() {
		return index.OpenReading(ctx, dir, b.log)
	}
	damaged := error(nil)
	if b.db.Unclean() {
		timed, cancel := context.WithTimeout(ctx, probeTime)
		probe := exec.CommandContext(timed, self, "index-probe", dir)
		probe.Env = settings.WithoutKeys(os.Environ())
		probe.Stdin, probe.Stdout, probe.Stderr = strings.NewReader(""), io.Discard, io.Discard // no device is needed
		damaged = probe.Run()
		cancel()
		if started := (*exec.ExitError)(nil); damaged != nil && !errors.As(damaged, &started) && timed.Err() == nil {
			b.log.Warn("the search index could not be tried in a process of its own", "err", damaged)
			damaged = nil // which says nothing of the index
		}
	}
	if damaged == nil {
		words, err := index.Open(ctx, dir, b.log)
		if err == nil || errors.Is(err, index.ErrInUse) || ctx.Err() != nil {
			return words, err
		}
		damaged = err
	}
	why := "was damaged"
	if errors.Is(damaged, index.ErrLayout) {
		why = "is of another version of Footnote"
	}
	b.log.Warn("the search index is built anew from the store", "err", damaged)
	fmt.Fprintln(os.Stderr, "The search index "+why+"; it is being built anew. Your files and answers are untouched.")
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("remove damaged index: %w", err)
	}
	return index.Open(ctx, dir, b.log)
}
