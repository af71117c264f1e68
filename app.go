package main

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

// App is the desktop mouth: every exported method is bound, takes and returns
// the wire's own shapes, and is one call of a verb. Streams go out as window
// events; nothing is streamed through the asset server.
type App struct {
	verbs *server.Verbs
	ctx   context.Context // of the window; set before the page loads
	emit  func(name string, data any)

	mu       sync.Mutex
	follows  map[string]context.CancelFunc
	watching context.CancelFunc
	counting context.CancelFunc
}

// newApp makes the mouth over a set of verbs. emit sends a named event to the
// page.
func newApp(ctx context.Context, verbs *server.Verbs, emit func(string, any)) *App {
	return &App{verbs: verbs, ctx: ctx, emit: emit, follows: map[string]context.CancelFunc{}}
}

// open takes the window's context, before its page loads. What follows runs ends
// with the program.
func (a *App) open(page context.Context) {
	ended := a.ctx
	ctx, cancel := context.WithCancel(page)
	context.AfterFunc(ended, cancel)
	a.ctx = ctx
	a.emit = func(name string, data any) { runtime.EventsEmit(ctx, name, data) }
}

// Ask starts a run.
func (a *App) Ask(q answer.Question) (server.Asked, error) { return a.verbs.Ask(a.ctx, q) }

// Run gives a run with its answer or what there is of it.
func (a *App) Run(id string) (server.RunView, error) { return a.verbs.Run(a.ctx, id) }

// Follow sends the events of a run after a number on a channel of the page's
// making, replay first, until the run ends or the page leaves.
func (a *App) Follow(run string, after int, channel string) error {
	ctx, cancel := context.WithCancel(a.ctx)
	a.mu.Lock()
	if a.follows[channel] != nil || len(a.follows) >= 64 {
		a.mu.Unlock()
		cancel()
		return fault.New(fault.Busy, "Too many answers are being followed.", "Close some of them.")
	}
	a.follows[channel] = cancel
	a.mu.Unlock()
	go func() {
		defer a.Unfollow(channel)
		for e, err := range a.verbs.Engine.Follow(ctx, answer.RunID(run), after) {
			switch {
			case errors.Is(err, context.Canceled):
				return
			case err != nil:
				a.emit("footnote:event:"+channel, map[string]any{"fault": server.FailureOf(err)})
				return
			}
			a.emit("footnote:event:"+channel, e)
		}
	}()
	return nil
}

// Unfollow ends a channel.
func (a *App) Unfollow(channel string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if cancel := a.follows[channel]; cancel != nil {
		cancel()
		delete(a.follows, channel)
	}
}

// Stop ends a run at once and keeps its text.
func (a *App) Stop(id string) error { _, err := a.verbs.Stop(a.ctx, id); return err }

// AnswerNow ends the retrieval of a run.
func (a *App) AnswerNow(id string) error { return a.verbs.AnswerNow(a.ctx, id) }

// Clarify replies to the question that a run asked back.
func (a *App) Clarify(id, reply string) error { return a.verbs.Clarify(a.ctx, id, reply) }

// Plan changes the dimensions of deep research while they are shown.
func (a *App) Plan(id string, dimensions []string, hold bool) error {
	return a.verbs.Plan(a.ctx, id, dimensions, hold)
}

// Retry asks the question of a run again.
func (a *App) Retry(id, mode string, models answer.Models) (server.Asked, error) {
	return a.verbs.Retry(a.ctx, id, answer.Mode(mode), models)
}

// Ledger lists what a run sent and received.
func (a *App) Ledger(id string) (server.Page[answer.LedgerEntry], error) {
	return a.verbs.Ledger(a.ctx, id)
}

// ThreadsQuery selects threads.
type ThreadsQuery struct {
	Q     string `json:"q"`
	Limit int    `json:"limit"`
	After string `json:"after"`
}

// Threads lists conversations.
func (a *App) Threads(q ThreadsQuery) (server.Page[store.ThreadInfo], error) {
	return a.verbs.Threads(a.ctx, store.ThreadQuery{Q: q.Q, Limit: q.Limit, After: q.After})
}

// Thread gives a conversation.
func (a *App) Thread(id string) (server.ThreadView, error) { return a.verbs.Thread(a.ctx, id) }

// RenameThread gives a thread another title.
func (a *App) RenameThread(id, title string) error {
	return a.verbs.ChangeThread(a.ctx, id, server.ThreadChange{Title: &title})
}

// PinThread keeps a thread at the top.
func (a *App) PinThread(id string, pinned bool) error {
	return a.verbs.ChangeThread(a.ctx, id, server.ThreadChange{Pinned: &pinned})
}

// DeleteThread deletes a thread; what it cites stays readable in others.
func (a *App) DeleteThread(id string) error { return a.verbs.DeleteThread(a.ctx, id, false) }

// ExportThread asks where to and saves a thread, or one run of it.
func (a *App) ExportThread(id, format, run string) error {
	file, err := a.verbs.Export(a.ctx, id, format, run, "")
	if err != nil {
		return err
	}
	path, err := runtime.SaveFileDialog(a.ctx, runtime.SaveDialogOptions{DefaultFilename: file.Name})
	if err != nil || path == "" {
		return err
	}
	return server.SaveFile(path, file.Body)
}

// Library tells what the library holds.
func (a *App) Library() (server.LibraryView, error) { return a.verbs.LibraryStatus(a.ctx) }

// Files lists files.
func (a *App) Files(q server.FilesQuery) (server.Page[server.FileView], error) {
	return a.verbs.Files(a.ctx, q)
}

// File gives one file.
func (a *App) File(id string) (server.FileView, error) { return a.verbs.File(a.ctx, id) }

// AddPaths adds files and folders, read in place.
func (a *App) AddPaths(paths []string, watch bool) (server.AddView, error) {
	return a.verbs.AddPaths(a.ctx, server.AddRequest{Paths: paths, Watch: &watch})
}

// Rescan looks through the roots again.
func (a *App) Rescan(ids []string) error { return a.verbs.Rescan(a.ctx, ids) }

// RemoveFile forgets a file or a root; the file itself stays.
func (a *App) RemoveFile(id string) error { return a.verbs.RemoveFile(a.ctx, id) }

// SearchLibrary finds passages while the reader types.
func (a *App) SearchLibrary(q string, limit int) (server.SearchView, error) {
	return a.verbs.SearchLibrary(a.ctx, q, limit)
}

// WhyFound tells how a file fares in a search for a question.
func (a *App) WhyFound(file, question string) (server.WhyView, error) {
	return a.verbs.WhyFound(a.ctx, file, question)
}

// CountFiles counts the files that mention words and phrases exactly.
func (a *App) CountFiles(q, by string) (server.CountView, error) {
	ctx, cancel := context.WithCancel(a.ctx)
	defer cancel()
	a.count(cancel)
	return a.verbs.CountFiles(ctx, q, by)
}

// StopCounting ends the count that is going on: the page asks for another, or for none.
func (a *App) StopCounting() { a.count(nil) }

// count takes in the end of a count, and ends the one before it.
func (a *App) count(cancel context.CancelFunc) {
	a.mu.Lock()
	before := a.counting
	a.counting = cancel
	a.mu.Unlock()
	if before != nil {
		before()
	}
}

// WatchLibrary sends library events to the page, or stops to.
func (a *App) WatchLibrary(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.watching != nil {
		a.watching()
		a.watching = nil
	}
	if !on {
		return
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.watching = cancel
	go func() {
		for e := range a.verbs.LibraryEvents(ctx, 0) {
			a.emit("footnote:library", e)
		}
	}()
}

// Source gives a source.
func (a *App) Source(id string) (server.SourceView, error) { return a.verbs.Source(a.ctx, id) }

// SourceText gives the text around a place.
func (a *App) SourceText(id string, at server.TextAt) (server.TextView, error) {
	return a.verbs.SourceText(a.ctx, id, at)
}

// Passage gives a passage.
func (a *App) Passage(id string) (server.PassageView, error) { return a.verbs.Passage(a.ctx, id) }

// OpenSource opens a file in its program, or a page in the browser.
func (a *App) OpenSource(id string) error {
	src, err := a.verbs.Source(a.ctx, id)
	if err != nil {
		return err
	}
	if src.URL != "" {
		return a.OpenExternal(src.URL)
	}
	return a.verbs.OpenSource(a.ctx, id)
}

// Models lists providers, models and roles.
func (a *App) Models() (server.ModelsView, error) { return a.verbs.ModelList(a.ctx) }

// TestModel makes a short round trip with provider/model.
func (a *App) TestModel(model string) (server.TestView, error) {
	return a.verbs.TestModel(a.ctx, model)
}

// ListModels asks one provider which models it has, also one of the net.
func (a *App) ListModels(provider string) (server.ProviderView, error) {
	return a.verbs.ListModels(a.ctx, provider)
}

// PullModel begins to fetch provider/model. The page hears the job's events as
// footnote:job.
func (a *App) PullModel(model string) (server.JobStarted, error) {
	job, err := a.verbs.PullModel(a.ctx, model)
	if err != nil {
		return job, err
	}
	events, err := a.verbs.JobEvents(a.ctx, job.Job, 0)
	if err != nil {
		return job, err
	}
	go func() {
		for e := range events {
			a.emit("footnote:job", e)
		}
	}()
	return job, nil
}

// StopJob ends a job.
func (a *App) StopJob(id string) error { return a.verbs.StopJob(a.ctx, id) }

// SetRoles stores which model does what.
func (a *App) SetRoles(c server.RolesChange) (server.Roles, error) { return a.verbs.SetRoles(a.ctx, c) }

// Engines lists search engines.
func (a *App) Engines() (any, error) { return a.verbs.EngineList(a.ctx) }

// TestEngine asks one engine a harmless question.
func (a *App) TestEngine(name string) (server.TestView, error) {
	return a.verbs.TestEngine(a.ctx, name)
}

// Settings lists settings.
func (a *App) Settings() (server.SettingsView, error) { return a.verbs.SettingList(a.ctx) }

// PutSettings changes settings, all or nothing.
func (a *App) PutSettings(changes map[string]any) error { return a.verbs.PutSettings(a.ctx, changes) }

// SetKey stores a key; it can never be read back.
func (a *App) SetKey(name, value string) error { return a.verbs.SetKey(a.ctx, name, value) }

// RemoveKey forgets a key.
func (a *App) RemoveKey(name string) error { return a.verbs.RemoveKey(a.ctx, name) }

// Health tells how the program stands.
func (a *App) Health() (server.HealthView, error) { return a.verbs.Health(a.ctx) }

// OpenExternal opens a web address in the system's browser.
func (a *App) OpenExternal(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault.Wrap(err, fault.InvalidRequest, "Only web addresses are opened outside.", "Copy the address instead.")
	}
	runtime.BrowserOpenURL(a.ctx, plainURL(u.String()))
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
func (a *App) ChooseFolder() ([]string, error) {
	path, err := runtime.OpenDirectoryDialog(a.ctx, runtime.OpenDialogOptions{Title: "Add a folder"})
	if err != nil || path == "" {
		return []string{}, err
	}
	return []string{path}, nil
}

// ChooseFiles asks for files.
func (a *App) ChooseFiles() ([]string, error) {
	paths, err := runtime.OpenMultipleFilesDialog(a.ctx, runtime.OpenDialogOptions{Title: "Add files"})
	if paths == nil {
		paths = []string{}
	}
	return paths, err
}
