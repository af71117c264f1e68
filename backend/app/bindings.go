package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/server"
	"footnote/backend/store"
)

// Bindings are the desktop mouth: every exported method is bound, takes and returns
// the wire's own shapes, and is one call of a verb. Streams go out as window
// events; nothing is streamed through the asset server.
type Bindings struct {
	verbs *server.Verbs
	ctx   context.Context // of the window; set before the page loads
	emit  func(name string, data any)
	agree func(question string) bool // asks the person in front of the window, not the page; nil before there is one

	mu       sync.Mutex
	follows  map[string]context.CancelFunc
	watching context.CancelFunc
	counting context.CancelFunc
}

// newBindings makes the mouth over a set of verbs. emit sends a named event to the
// page.
func newBindings(ctx context.Context, verbs *server.Verbs, emit func(string, any)) *Bindings {
	return &Bindings{verbs: verbs, ctx: ctx, emit: emit, follows: map[string]context.CancelFunc{}}
}

// open takes the window's context, before its page loads. What follows runs ends
// with the program.
func (b *Bindings) open(page context.Context) {
	ended := b.ctx
	ctx, cancel := context.WithCancel(page)
	context.AfterFunc(ended, cancel)
	b.ctx = ctx
	b.emit = func(name string, data any) { runtime.EventsEmit(ctx, name, data) }
	b.agree = func(question string) bool { return agreed(ctx, question) }
}

// Ask starts a run.
func (b *Bindings) Ask(q answer.Question) (server.Asked, error) { return b.verbs.Ask(b.ctx, q) }

// Run gives a run with its answer or what there is of it.
func (b *Bindings) Run(id string) (server.RunView, error) { return b.verbs.Run(b.ctx, id) }

// Follow sends the events of a run after a number on a channel of the page's
// making, replay first, until the run ends or the page leaves.
func (b *Bindings) Follow(run string, after int, channel string) error {
	ctx, cancel := context.WithCancel(b.ctx)
	b.mu.Lock()
	if b.follows[channel] != nil || len(b.follows) >= 64 {
		b.mu.Unlock()
		cancel()
		return fault.New(fault.Busy, "Too many answers are being followed.", "Close some of them.")
	}
	b.follows[channel] = cancel
	b.mu.Unlock()
	go func() {
		defer b.Unfollow(channel)
		for e, err := range b.verbs.Engine.Follow(ctx, answer.RunID(run), after) {
			switch {
			case errors.Is(err, context.Canceled):
				return
			case err != nil:
				b.emit("footnote:event:"+channel, map[string]any{"fault": server.FailureOf(err)})
				return
			}
			b.emit("footnote:event:"+channel, e)
		}
	}()
	return nil
}

// Unfollow ends a channel.
func (b *Bindings) Unfollow(channel string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel := b.follows[channel]; cancel != nil {
		cancel()
		delete(b.follows, channel)
	}
}

// Stop ends a run at once and keeps its text.
func (b *Bindings) Stop(id string) error { _, err := b.verbs.Stop(b.ctx, id); return err }

// AnswerNow ends the retrieval of a run.
func (b *Bindings) AnswerNow(id string) error { return b.verbs.AnswerNow(b.ctx, id) }

// Clarify replies to the question that a run asked back.
func (b *Bindings) Clarify(id, reply string) error { return b.verbs.Clarify(b.ctx, id, reply) }

// Plan changes the dimensions of deep research while they are shown.
func (b *Bindings) Plan(id string, dimensions []string, hold bool) error {
	return b.verbs.Plan(b.ctx, id, dimensions, hold)
}

// Retry asks the question of a run again.
func (b *Bindings) Retry(id, mode string, models answer.Models) (server.Asked, error) {
	return b.verbs.Retry(b.ctx, id, answer.Mode(mode), models)
}

// Ledger lists what a run sent and received.
func (b *Bindings) Ledger(id string) (server.Page[answer.LedgerEntry], error) {
	return b.verbs.Ledger(b.ctx, id)
}

// ThreadsQuery selects threads.
type ThreadsQuery struct {
	Q     string `json:"q"`
	Limit int    `json:"limit"`
	After string `json:"after"`
}

// Threads lists conversations.
func (b *Bindings) Threads(q ThreadsQuery) (server.Page[store.ThreadInfo], error) {
	return b.verbs.Threads(b.ctx, store.ThreadQuery{Q: q.Q, Limit: q.Limit, After: q.After})
}

// Thread gives a conversation.
func (b *Bindings) Thread(id string) (server.ThreadView, error) { return b.verbs.Thread(b.ctx, id) }

// RenameThread gives a thread another title.
func (b *Bindings) RenameThread(id, title string) error {
	return b.verbs.ChangeThread(b.ctx, id, server.ThreadChange{Title: &title})
}

// PinThread keeps a thread at the top.
func (b *Bindings) PinThread(id string, pinned bool) error {
	return b.verbs.ChangeThread(b.ctx, id, server.ThreadChange{Pinned: &pinned})
}

// DeleteThread deletes a thread; what it cites stays readable in others.
func (b *Bindings) DeleteThread(id string) error { return b.verbs.DeleteThread(b.ctx, id, false) }

// ExportThread asks where to and saves a thread, or one run of it.
func (b *Bindings) ExportThread(id, format, run string) error {
	file, err := b.verbs.Export(b.ctx, id, format, run, "")
	if err != nil {
		return err
	}
	path, err := runtime.SaveFileDialog(b.ctx, runtime.SaveDialogOptions{DefaultFilename: file.Name})
	if err != nil || path == "" {
		return err
	}
	return server.SaveFile(path, file.Body)
}

// Library tells what the library holds.
func (b *Bindings) Library() (server.LibraryView, error) { return b.verbs.LibraryStatus(b.ctx) }

// Files lists files.
func (b *Bindings) Files(q server.FilesQuery) (server.Page[server.FileView], error) {
	return b.verbs.Files(b.ctx, q)
}

// File gives one file.
func (b *Bindings) File(id string) (server.FileView, error) { return b.verbs.File(b.ctx, id) }

// AddPaths adds files and folders, read in place.
func (b *Bindings) AddPaths(paths []string, watch bool) (server.AddView, error) {
	return b.add(server.AddRequest{Paths: paths, Watch: &watch})
}

// Rescan looks through the roots again.
func (b *Bindings) Rescan(ids []string) error { return b.verbs.Rescan(b.ctx, ids) }

// RemoveFile forgets a file or a root; the file itself stays.
func (b *Bindings) RemoveFile(id string) error { return b.verbs.RemoveFile(b.ctx, id) }

// SearchLibrary finds passages while the reader types.
func (b *Bindings) SearchLibrary(q string, limit int) (server.SearchView, error) {
	return b.verbs.SearchLibrary(b.ctx, q, limit)
}

// WhyFound tells how a file fares in a search for a question.
func (b *Bindings) WhyFound(file, question string) (server.WhyView, error) {
	return b.verbs.WhyFound(b.ctx, file, question)
}

// CountFiles counts the files that mention words and phrases exactly.
func (b *Bindings) CountFiles(q, by string) (server.CountView, error) {
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	b.count(cancel)
	return b.verbs.CountFiles(ctx, q, by)
}

// StopCounting ends the count that is going on: the page asks for another, or for none.
func (b *Bindings) StopCounting() { b.count(nil) }

// count takes in the end of a count, and ends the one before it.
func (b *Bindings) count(cancel context.CancelFunc) {
	b.mu.Lock()
	before := b.counting
	b.counting = cancel
	b.mu.Unlock()
	if before != nil {
		before()
	}
}

// WatchLibrary sends library events to the page, or stops to.
func (b *Bindings) WatchLibrary(on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watching != nil {
		b.watching()
		b.watching = nil
	}
	if !on {
		return
	}
	ctx, cancel := context.WithCancel(b.ctx)
	b.watching = cancel
	go func() {
		for e := range b.verbs.LibraryEvents(ctx, 0) {
			b.emit("footnote:library", e)
		}
	}()
}

// Source gives a source.
func (b *Bindings) Source(id string) (server.SourceView, error) { return b.verbs.Source(b.ctx, id) }

// SourceText gives the text around a place.
func (b *Bindings) SourceText(id string, at server.TextAt) (server.TextView, error) {
	return b.verbs.SourceText(b.ctx, id, at)
}

// Passage gives a passage.
func (b *Bindings) Passage(id string) (server.PassageView, error) { return b.verbs.Passage(b.ctx, id) }

// OpenSource opens a file in its program, or a page in the browser.
func (b *Bindings) OpenSource(id string) error {
	src, err := b.verbs.Source(b.ctx, id)
	if err != nil {
		return err
	}
	if src.URL != "" {
		return b.OpenExternal(src.URL)
	}
	return b.verbs.OpenSource(b.ctx, id)
}

// Models lists providers, models and roles.
func (b *Bindings) Models() (server.ModelsView, error) { return b.verbs.ModelList(b.ctx) }

// TestModel makes a short round trip with provider/model.
func (b *Bindings) TestModel(model string) (server.TestView, error) {
	return b.verbs.TestModel(b.ctx, model)
}

// ListModels asks one provider which models it has, also one of the net.
func (b *Bindings) ListModels(provider string) (server.ProviderView, error) {
	return b.verbs.ListModels(b.ctx, provider)
}

// PullModel begins to fetch provider/model. The page hears the job's events as
// footnote:job.
func (b *Bindings) PullModel(model string) (server.JobStarted, error) {
	job, err := b.verbs.PullModel(b.ctx, model)
	if err != nil {
		return job, err
	}
	events, err := b.verbs.JobEvents(b.ctx, job.Job, 0)
	if err != nil {
		return job, err
	}
	go func() {
		for e := range events {
			b.emit("footnote:job", e)
		}
	}()
	return job, nil
}

// StopJob ends a job.
func (b *Bindings) StopJob(id string) error { return b.verbs.StopJob(b.ctx, id) }

// SetRoles stores which model does what.
func (b *Bindings) SetRoles(c server.RolesChange) (server.Roles, error) {
	return b.verbs.SetRoles(b.ctx, c)
}

// Engines lists search engines.
func (b *Bindings) Engines() (any, error) { return b.verbs.EngineList(b.ctx) }

// TestEngine asks one engine a harmless question.
func (b *Bindings) TestEngine(name string) (server.TestView, error) {
	return b.verbs.TestEngine(b.ctx, name)
}

// Settings lists settings.
func (b *Bindings) Settings() (server.SettingsView, error) { return b.verbs.SettingList(b.ctx) }

// PutSettings changes settings, all or nothing.
func (b *Bindings) PutSettings(changes map[string]any) error {
	return b.verbs.PutSettings(b.ctx, changes)
}

// SetKey stores a key; it can never be read back.
func (b *Bindings) SetKey(name, value string) error { return b.verbs.SetKey(b.ctx, name, value) }

// RemoveKey forgets a key.
func (b *Bindings) RemoveKey(name string) error { return b.verbs.RemoveKey(b.ctx, name) }

// Health tells how the program stands.
func (b *Bindings) Health() (server.HealthView, error) { return b.verbs.Health(b.ctx) }

// OpenExternal opens a web address in the system's browser.
func (b *Bindings) OpenExternal(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault.Wrap(err, fault.InvalidRequest, "Only web addresses are opened outside.", "Copy the address instead.")
	}
	runtime.BrowserOpenURL(b.ctx, plainURL(u.String()))
	return nil
}

// plainURL percent-encodes what the system's opener refuses.
func plainURL(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; strings.IndexByte("()[]{}!~*|$; '\"<>`\\^", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ChooseFolder asks for a folder; none when the reader changed their mind.
func (b *Bindings) ChooseFolder() ([]string, error) {
	path, err := runtime.OpenDirectoryDialog(b.ctx, runtime.OpenDialogOptions{Title: "Add a folder"})
	if err != nil || path == "" {
		return []string{}, err
	}
	return []string{path}, nil
}

// ChooseFiles asks for files.
func (b *Bindings) ChooseFiles() ([]string, error) {
	paths, err := runtime.OpenMultipleFilesDialog(b.ctx, runtime.OpenDialogOptions{Title: "Add files"})
	if paths == nil {
		paths = []string{}
	}
	return paths, err
}
