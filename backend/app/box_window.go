package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/server"
)

const boxWidth, boxHeight = 720, 480

// BoxBindings are what the page of the box may call. What it asks of the program
// goes over the line to it.
type BoxBindings struct {
	wire  *wire
	page  context.Context
	ready chan struct{} // closed when the page is there

	mu      sync.Mutex
	last    int
	waiting map[int]chan note
}

// Call calls a route of the table, as the main window does.
func (b *BoxBindings) Call(pattern string, sent Sent, name string) (any, error) {
	return b.ask(note{Do: "call", Name: pattern, Sent: sent, Text: name})
}

// Follow sends what a route streams on a channel of the page's making.
func (b *BoxBindings) Follow(pattern string, sent Sent, channel string) error {
	_, err := b.ask(note{Do: "follow", Name: pattern, Sent: sent, Text: channel})
	return err
}

// Cancel ends a call or a stream by its name.
func (b *BoxBindings) Cancel(name string) error { return b.wire.send(note{Do: "cancel", Text: name}) }

// Open shows a place in the main window; the box goes.
func (b *BoxBindings) Open(place string) error {
	if err := b.Leave(false); err != nil {
		return err
	}
	return b.wire.send(note{Do: "open", Text: place})
}

// OpenExternal opens a web address in the system's browser.
func (b *BoxBindings) OpenExternal(address string) error { return openAddress(b.page, address) }

// Leave hides the box; back gives the focus to who had it.
func (b *BoxBindings) Leave(back bool) error {
	err := b.wire.send(note{Do: "left", On: back}) // first: the keys may be pressed as soon as it is gone
	runtime.WindowHide(b.page)
	return err
}

// Painted tells that what was to be shown is on the screen.
func (b *BoxBindings) Painted() error { return b.wire.send(note{Do: "painted"}) }

// ask sends a call and waits for its answer.
func (b *BoxBindings) ask(n note) (any, error) {
	answer := make(chan note, 1)
	b.mu.Lock()
	b.last++
	n.Number = b.last
	b.waiting[n.Number] = answer
	b.mu.Unlock()
	if err := b.wire.send(n); err != nil {
		return nil, err
	}
	select {
	case given := <-answer:
		if given.Text != "" {
			return nil, errors.New(given.Text)
		}
		return given.Value, nil
	case <-b.page.Done():
		return nil, b.page.Err()
	}
}

func (b *BoxBindings) take(n note) {
	<-b.ready
	switch n.Do {
	case "answer":
		b.mu.Lock()
		defer b.mu.Unlock()
		if answer := b.waiting[n.Number]; answer != nil {
			answer <- n
			delete(b.waiting, n.Number)
		}
	case "emit":
		runtime.EventsEmit(b.page, n.Name, n.Value)
	case "show":
		runtime.WindowShow(b.page)
		runtime.EventsEmit(b.page, "footnote:shown")
	case "hide":
		runtime.WindowHide(b.page)
	}
}

// boxPages are the pages with that of the box as the first.
type boxPages struct{ fs.FS }

// Open implements fs.FS.
func (p boxPages) Open(name string) (fs.File, error) {
	if name == "index.html" {
		name = "box.html"
	}
	return p.FS.Open(name)
}

// boxWindow is the process of the box. It ends when the program does, which
// closes its standard input.
func (p Program) boxWindow(context.Context, []string) error {
	pages, err := p.pages()
	if err != nil {
		return err
	}
	bound := &BoxBindings{wire: newWire(os.Stdin, os.Stdout), ready: make(chan struct{}), waiting: map[int]chan note{}}
	var once sync.Once
	var ended atomic.Bool
	return wails.Run(&options.App{
		Title: boxTitle, Width: boxWidth, Height: boxHeight, StartHidden: true, HideWindowOnClose: true, Frameless: true, AlwaysOnTop: true, EnableDefaultContextMenu: true,
		MinWidth: boxWidth, MinHeight: boxHeight, MaxWidth: boxWidth, MaxHeight: boxHeight,
		AssetServer: &assetserver.Options{Assets: server.Shell(boxPages{pages}, "box"), Middleware: policed},
		OnStartup: func(page context.Context) {
			bound.page = page
			go func() {
				_ = bound.wire.receive(bound.take) // a line that is cut means the same as its end
				ended.Store(true)
				runtime.Quit(page)
			}()
		},
		OnDomReady:     func(context.Context) { once.Do(func() { close(bound.ready) }) },
		OnBeforeClose:  func(context.Context) (stay bool) { return !ended.Load() },
		Bind:           []any{p.BindBox(bound)},
		ErrorFormatter: func(err error) any { return err.Error() },
		Linux:          &linux.Options{ProgramName: "footnote-box", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
}
