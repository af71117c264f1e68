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
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/server"
	"footnote/backend/settings"
)

// window opens the desktop window. It returns when the window is closed or ctx
// ends.
func (p Program) window(ctx context.Context, h *command.House, o command.Opening) error {
	pages, err := fs.Sub(p.Assets, "frontend/dist")
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
	rooms := p.rooms(h)
	rooms.FromWindow = true
	bound := newBindings(ctx, rooms, nil)
	around, err := p.anywhere(ctx, h, bound.front)
	if err != nil {
		return err
	}
	bound.around = around.wanting
	h.Settings.OnChange(around.changed)
	defer around.end()
	quiet := func() bool { return true }
	var once sync.Once // the page is ready again whenever it is loaded anew
	left := lastFrame(h.DB.Dir())
	return wails.Run(&options.App{
		Title: "Footnote", Width: left.Width, Height: left.Height, WindowStartState: left.state(), MinWidth: leastWidth, MinHeight: leastHeight,
		AssetServer: &assetserver.Options{Assets: server.Shell(pages, home), Handler: server.Media(bound.api), Middleware: policed},
		OnStartup: func(page context.Context) {
			bound.open(page)
			quiet = context.AfterFunc(ctx, func() { runtime.Quit(page) })
			h.Greet(ctx, func(ctx context.Context, _ *command.Env, more command.Opening) error {
				if more.Box {
					around.box.toggle()
					return nil
				}
				bound.front(more.Place)
				return p.addPaths(ctx, h, more.Paths)
			})
			if err := p.addPaths(ctx, h, o.Paths); err != nil {
				h.Log.Warn("add what the window was opened with", "err", err)
			}
		},
		OnDomReady: func(page context.Context) {
			runtime.WindowExecJS(page, comeBack)
			once.Do(func() {
				if err := left.place(page); err != nil {
					h.Log.Warn("put the window where it was", "err", err)
				}
				show(page, o.Place)
				go around.apply() // the desktop may ask before it lends keys
			})
		},
		OnBeforeClose: func(page context.Context) (stay bool) {
			if err := keepFrame(page, h.DB.Dir()); err != nil {
				h.Log.Warn("keep the size of the window", "err", err)
			}
			return false
		},
		OnShutdown:     func(context.Context) { quiet(); bound.api.Jobs.StopAll(); cancel() }, // who is closing need not be told to close
		Bind:           []any{p.Bind(bound)},
		ErrorFormatter: rejection,
		DragAndDrop:    &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: false},
		Linux:          &linux.Options{ProgramName: "footnote", Icon: icon, WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
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
	s, listener, err := p.listen(h, command.ServeOptions{})
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
		Engine: h.Engine, DB: h.DB, Library: h.Library, Settings: h.Settings, Keys: h.Keys, Models: h.Models, Engines: h.Engines, Warmer: h.Warmer, Pictures: h.Pictures, Refresher: h.Refresher, Tables: h.Tables,
		Sample: sample, Version: p.Version, Began: time.Now(), Log: h.Log, OpenPath: openOutside,
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
