package app

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/server"
)

// Bindings are the transport of the window: its page calls any route of the table
// by name, and follows streams as window events; nothing is streamed through the
// asset server. Beside the table there is only what a window alone can do.
type Bindings struct {
	api    *api.Services
	routes map[string]api.Route
	ctx    context.Context // of the window; set before the page loads
	emit   func(name string, data any)
	agree  func(question string) bool // asks the person in front of the window, not the page; nil before there is one
	around func() []string            // nil where it is not the window that asks

	mu   sync.Mutex
	ends map[string]context.CancelFunc // of calls and streams, by the page's name for them
}

// newBindings makes the transport over the rooms. emit sends a named event to the
// page.
func newBindings(ctx context.Context, rooms *api.Rooms, emit func(string, any)) *Bindings {
	services := api.New(rooms)
	routes := map[string]api.Route{}
	for _, r := range services.Table() {
		if r.Others {
			continue
		}
		if media := r.Gives[0].Media; r.Follow != nil || r.Do != nil && (media == "" || media == "application/json") { // bytes come by the asset server
			routes[r.Pattern] = r
		}
	}
	return &Bindings{api: services, routes: routes, ctx: ctx, emit: emit, ends: map[string]context.CancelFunc{}}
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

// Sent is what the page sends for a route.
type Sent struct {
	Path  map[string]string `json:"path"`
	Query map[string]string `json:"query"`
	After int               `json:"after"`
	Body  json.RawMessage   `json:"body"`
}

func (s Sent) input() api.Input {
	query := url.Values{}
	for name, value := range s.Query {
		query.Set(name, value)
	}
	return api.Input{
		Path: func(name string) string { return s.Path[name] }, Query: query, After: func() (int, error) { return s.After, nil },
		Body: func(into any) error { return api.DecodeJSON(s.Body, into) },
	}
}

// Call calls a route of the table. Cancel with the same name gives it up; none is
// needed.
func (b *Bindings) Call(pattern string, sent Sent, name string) (any, error) {
	route := b.routes[pattern]
	if route.Do == nil {
		return nil, unknown(pattern)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	if name != "" {
		if err := b.begin(name, cancel); err != nil {
			return nil, err
		}
		defer b.Cancel(name)
	}
	given, err := route.Do(ctx, sent.input())
	if fault.CodeOf(err) == fault.ConfirmNeeded && b.agree != nil && b.agree(fault.Of(err).Message+" Read it all the same?") {
		return route.Do(library.WithConfirmed(ctx), sent.input())
	}
	return given, err
}

// Follow sends what a route streams on a channel of the page's making, replay
// first, until it ends, the page leaves or Cancel names the channel.
func (b *Bindings) Follow(pattern string, sent Sent, channel string) error {
	route := b.routes[pattern]
	if route.Follow == nil {
		return unknown(pattern)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	stream, err := route.Follow(ctx, sent.input())
	if err == nil {
		err = b.begin(channel, cancel)
	}
	if err != nil {
		cancel()
		return err
	}
	go func() {
		defer cancel()
		b.tell(ctx, stream, channel)
	}()
	return nil
}

func (b *Bindings) tell(ctx context.Context, stream api.Stream, channel string) {
	defer b.Cancel(channel)
	for e, err := range stream(ctx) {
		switch {
		case errors.Is(err, context.Canceled):
			return
		case err != nil:
			b.emit("footnote:event:"+channel, map[string]any{"fault": api.FailureOf(err)})
			return
		}
		b.emit("footnote:event:"+channel, e.What)
	}
}

func unknown(pattern string) error {
	return fault.New(fault.NotFound, fmt.Sprintf("The window has no %q.", pattern), "Update Footnote.")
}

// begin takes in the end of a call or a stream.
func (b *Bindings) begin(name string, end context.CancelFunc) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ends[name] != nil || len(b.ends) >= 64 {
		return fault.New(fault.Busy, "Too many answers are being followed.", "Close some of them.")
	}
	b.ends[name] = end
	return nil
}

// Cancel ends a call or a stream by its name.
func (b *Bindings) Cancel(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if end := b.ends[name]; end != nil {
		end()
		delete(b.ends, name)
	}
}

// cancelAll ends all calls and streams.
func (b *Bindings) cancelAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, end := range b.ends {
		end()
		delete(b.ends, name)
	}
}

// Around says what keeps the program from being reached from elsewhere as the
// settings wish.
func (b *Bindings) Around() []string { return b.around() }

// ExportThread asks where to and saves a thread, or one run of it.
func (b *Bindings) ExportThread(id, format, run string) error {
	return b.save(b.api.Exports.Write(b.ctx, api.ExportThread{ID: id, Format: format, Run: run}))
}

// ExportTable asks where to and saves an evidence table.
func (b *Bindings) ExportTable(id, format string) error {
	return b.save(b.api.Tables.Export(b.ctx, api.ExportTable{ID: id, Format: format}))
}

// SaveCopy asks where to and saves a changed copy of a source's file, given in
// base64. The original is never written over.
func (b *Bindings) SaveCopy(source, name, content string) error {
	src, err := b.api.Sources.Get(b.ctx, api.ID{ID: source})
	if err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return fault.Wrap(err, fault.InvalidJSON, "The copy did not arrive whole.", "Try it again.")
	}
	path, err := runtime.SaveFileDialog(b.ctx, runtime.SaveDialogOptions{DefaultFilename: name})
	if err != nil || path == "" {
		return err
	}
	if sameFile(path, src.Path) {
		return fault.New(fault.PathNotAllowed, "This is the original, which stays as it is.", "Choose another name for the copy.")
	}
	return server.SaveFile(path, data)
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false // it is made
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func (b *Bindings) save(file api.File, err error) error {
	if err != nil {
		return err
	}
	path, err := runtime.SaveFileDialog(b.ctx, runtime.SaveDialogOptions{DefaultFilename: file.Name})
	if err != nil || path == "" {
		return err
	}
	return server.SaveFile(path, file.Body)
}

// OpenSource opens a file in its program, or a page in the browser.
func (b *Bindings) OpenSource(id string) error {
	src, err := b.api.Sources.Get(b.ctx, api.ID{ID: id})
	if err != nil {
		return err
	}
	if src.URL != "" {
		return b.OpenExternal(src.URL)
	}
	_, err = b.api.Sources.Open(b.ctx, api.ID{ID: id})
	return err
}

// OpenExternal opens a web address in the system's browser.
func (b *Bindings) OpenExternal(address string) error { return openAddress(b.ctx, address) }

func openAddress(window context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fault.Wrap(err, fault.InvalidRequest, "Only web addresses are opened outside.", "Copy the address instead.")
	}
	runtime.BrowserOpenURL(window, plainURL(u.String()))
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
