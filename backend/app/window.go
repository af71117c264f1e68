package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/desktop"
	"footnote/backend/fault"
	"footnote/backend/server"
	"footnote/backend/settings"
)

// window opens the desktop window. It returns when the window is closed or ctx
// ends.
func (p Program) window(ctx context.Context, h *command.House, o command.Opening) error {
	pages, err := p.pages()
	if err != nil {
		return err
	}
	icon, err := fs.ReadFile(pages, "icons/512.png")
	if err != nil {
		return fmt.Errorf("this program was built without its pages: %w", err)
	}
	home, err := server.HomeID(h.Settings.DataDir())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := h.Begin(ctx, h.Settings.Now().Library.Watch); err != nil {
		return err
	}
	if h.Settings.Now().Server.Enabled {
		stop, err := p.serveBeside(ctx, h)
		if err != nil {
			return err
		}
		defer stop()
	}
	w, err := p.pane(ctx, h, o)
	if err != nil {
		return err
	}
	defer w.around.end()
	return wails.Run(&options.App{
		Title: "Footnote", Width: w.left.Width, Height: w.left.Height, WindowStartState: w.left.state(), StartHidden: o.Hidden,
		MinWidth: leastWidth, MinHeight: leastHeight, EnableDefaultContextMenu: true, // in fields and on selected text: the runtime keeps it from all else
		AssetServer:    &assetserver.Options{Assets: server.Shell(pages, home), Handler: server.Media(w.bound.api), Middleware: policed},
		OnStartup:      w.start,
		OnDomReady:     w.ready,
		OnBeforeClose:  w.close,
		OnShutdown:     func(context.Context) { w.quiet(); w.bound.api.Jobs.StopAll(); cancel() }, // who is closing need not be told to close
		Bind:           []any{p.Bind(w.bound)},
		ErrorFormatter: rejection,
		DragAndDrop:    &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: false},
		Linux:          &linux.Options{ProgramName: "footnote", Icon: icon, WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
}

// pane is the window while it is open, or in the tray.
type pane struct {
	program Program
	ctx     context.Context // of the program
	house   *command.House
	opening command.Opening
	bound   *Bindings
	around  *anywhere
	left    frame
	quiet   func() bool // ends listening for the end of the program
	once    sync.Once   // the page is ready again whenever it is loaded anew
	quits   atomic.Bool // the program is being ended
	away    atomic.Bool // the window is closed, and the program goes on without it
}

func (p Program) pane(ctx context.Context, h *command.House, o command.Opening) (*pane, error) {
	rooms := p.rooms(h)
	rooms.FromWindow = true
	w := &pane{program: p, ctx: ctx, house: h, opening: o, bound: newBindings(ctx, rooms, nil), left: lastFrame(h.DB.Dir()), quiet: func() bool { return true }}
	w.away.Store(o.Hidden)
	var err error
	if w.around, err = p.anywhere(ctx, h, w.front, w.quit); err != nil {
		return nil, err
	}
	w.bound.around = w.around.wanting
	h.Settings.OnChange(w.around.changed)
	return w, nil
}

func (w *pane) start(page context.Context) {
	desktop.HoldKeys()
	w.bound.open(page)
	w.quiet = context.AfterFunc(w.ctx, func() { runtime.Quit(page) })
	w.house.Greet(w.ctx, func(ctx context.Context, _ *command.Env, more command.Opening) error {
		switch {
		case more.Box:
			w.around.box.toggle()
		case !more.Hidden:
			w.front(more.Place)
		}
		return w.program.addPaths(ctx, w.house, more.Paths)
	})
	if err := w.program.addPaths(w.ctx, w.house, w.opening.Paths); err != nil {
		w.house.Log.Warn("add what the window was opened with", "err", err)
	}
}

func (w *pane) ready(page context.Context) {
	runtime.WindowExecJS(page, comeBack)
	w.once.Do(func() {
		desktop.HandKeys()
		if err := w.left.place(page); err != nil {
			w.house.Log.Warn("put the window where it was", "err", err)
		}
		show(page, w.opening.Place)
		go w.around.apply() // the desktop may ask before it lends keys
	})
}

// close keeps the window's place. It reports whether the program stays, in the
// tray.
func (w *pane) close(page context.Context) (stays bool) {
	if !w.away.Load() {
		if err := keepFrame(page, w.house.DB.Dir()); err != nil {
			w.house.Log.Warn("keep the size of the window", "err", err)
		}
	}
	if w.quits.Load() || w.ctx.Err() != nil || !w.around.stays() {
		return false
	}
	w.away.Store(true)
	runtime.WindowHide(page)
	return true
}

// front brings the window to the front, at a place of its page.
func (w *pane) front(place string) {
	w.away.Store(false)
	runtime.WindowUnminimise(w.bound.ctx)
	runtime.WindowShow(w.bound.ctx)
	show(w.bound.ctx, place)
}

func (w *pane) quit() {
	w.quits.Store(true)
	runtime.Quit(w.bound.ctx)
}

// comeBack leaves a file that the web view opened in place of the page: it does
// so when something is dropped before the page could take it.
const comeBack = `if (location.protocol === "file:") history.back()`

// show takes the page to a place that a link named.
func show(page context.Context, place string) {
	if place == "" {
		return
	}
	address, err := json.Marshal(place)
	if err != nil {
		return // no text is without a JSON form
	}
	runtime.WindowExecJS(page, "location.assign("+string(address)+")")
}

// rejection is how a bound method's error reaches the page: the runtime makes an
// Error of it, whose message must be a text. So the text is JSON.
func rejection(err error) any {
	body, jsonErr := json.Marshal(api.FailureOf(err))
	if jsonErr != nil {
		return jsonErr.Error()
	}
	return string(body)
}

// serveBeside answers HTTP as long as the window is open, if the settings say
// so. The returned function waits for its end.
func (p Program) serveBeside(ctx context.Context, h *command.House) (wait func(), err error) {
	s, listener, err := p.listen(h, command.ServeOptions{}, p.rooms(h), nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	return func() {
		cancel()
		if err := <-served; err != nil {
			h.Log.Error("serve beside the window", "err", err)
		}
	}, nil
}

// policed gives the page its content policy. WebKitGTK knows no manifests, and
// calls it an error to be told of them.
func policed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		server.Police(h, r.URL.Path)
		if goruntime.GOOS == "linux" {
			h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "manifest-src 'self'; ", "", 1))
		}
		next.ServeHTTP(w, r)
	})
}

func (p Program) rooms(h *command.House) *api.Rooms {
	sample, err := fs.Sub(p.Assets, "build/library")
	if err != nil {
		panic(err) // the name is no path
	}
	return &api.Rooms{
		Engine: h.Engine, DB: h.DB, Library: h.Library, Settings: h.Settings, Keys: h.Keys, Models: h.Models, Refresher: h.Refresher, Tables: h.Tables, Updates: h.Updates,
		Outside: api.Outside{Engines: h.Engines, Warmer: h.Warmer, Pictures: h.Pictures, Pages: h.Pages, Aside: h.Aside},
		Sample:  sample, Version: p.Version, Began: time.Now(), Log: h.Log, OpenPath: openOutside,
	}
}

// openOutside opens an address or a file in the system's own program.
func openOutside(what string) error {
	name, args := "xdg-open", []string{what}
	switch goruntime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", what}
	}
	cmd := exec.Command(name, args...)
	cmd.Env = settings.WithoutKeys(os.Environ())
	if err := cmd.Start(); err != nil {
		return fault.Wrap(err, fault.NotAcceptable, "The system has no program to open this with.", "Open it yourself.")
	}
	go func() { _ = cmd.Wait() }() // its end is not ours to judge
	return nil
}
