package app

import (
	"cmp"
	"context"
	"os"
	"sync"
	"time"

	"footnote/backend/command"
	"footnote/backend/desktop"
	"footnote/backend/fault"
)

// anywhere is how the program is reached from outside its window, as the settings
// say: keys that open the box, an icon in the tray, a start with the session.
type anywhere struct {
	house *command.House
	box   *box
	tray  *tray
	begun desktop.Autostart
	front func(place string) // brings the window to the front
	quit  func()             // ends the program

	mu       sync.Mutex
	keys     string           // what is taken, as the settings write it
	release  func()           // lets the keys go; nil while none are taken
	problems map[string]error // why a wish is not fulfilled, by its setting
	ended    bool
}

func (p Program) anywhere(ctx context.Context, h *command.House, front func(place string), quit func()) (*anywhere, error) {
	self, err := thisProgram()
	if err != nil {
		return nil, err
	}
	serve := func(emit func(string, any)) *Bindings { return newBindings(ctx, p.rooms(h), emit) }
	a := &anywhere{
		house: h, box: &box{command: []string{self, "box-window"}, serve: serve, open: front, log: h.Log}, front: front, quit: quit, problems: map[string]error{},
		begun: desktop.Autostart{Program: cmp.Or(os.Getenv("APPIMAGE"), self), Data: h.Settings.DataDir()}, // what runs of an AppImage is gone afterwards
	}
	a.tray = &tray{command: []string{self, "tray-icon"}, do: func(what string) { go a.do(what) }, log: h.Log}
	return a, nil
}

// do is what a line of the tray's menu does.
func (a *anywhere) do(what string) {
	now, change := a.house.Settings.Now(), map[string]any{}
	switch what {
	case "open":
		a.front("")
	case "box":
		a.box.toggle()
	case "pause":
		change["library.paused"] = !now.Library.Paused
	case "private":
		change["store.private_default"] = !now.Store.PrivateDefault
	case "quit":
		a.quit()
	}
	if len(change) > 0 {
		if err := a.house.Settings.Put(change); err != nil {
			a.house.Log.Error("keep what was chosen in the tray", "err", err)
		}
	}
}

// apply does what the settings say now.
func (a *anywhere) apply() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	now := a.house.Settings.Now()
	a.note("ui.tray", a.applyTray(now.UI.Tray, now.Library.Paused, now.Store.PrivateDefault))
	a.note("ui.autostart", a.begun.Set(now.UI.Autostart))
	if now.UI.HotKey != a.keys || a.problems["ui.hotkey"] != nil {
		a.note("ui.hotkey", a.applyKeys(now.UI.HotKey))
	}
}

func (a *anywhere) note(setting string, problem error) {
	if problem != nil {
		a.house.Log.Warn("reach the program from elsewhere", "setting", setting, "err", problem)
	}
	a.problems[setting] = problem
}

func (a *anywhere) applyTray(wish, paused, private bool) error {
	if !wish {
		a.tray.end()
		return nil
	}
	return a.tray.show(paused, private)
}

func (a *anywhere) applyKeys(wish string) error {
	a.letGo()
	if a.keys = wish; wish == "" {
		return nil
	}
	return a.take(wish)
}

// stays reports whether the program can be reached when its window is closed, and
// so goes on.
func (a *anywhere) stays() bool { return a.tray.shown() && desktop.TrayProblem() == nil }

func (a *anywhere) take(wish string) error {
	keys, err := desktop.ParseKeys(wish)
	if err != nil {
		return err
	}
	if a.release, err = desktop.Take(keys, a.box.toggle); err != nil {
		return err
	}
	return a.box.ready()
}

func (a *anywhere) letGo() {
	if a.release != nil {
		a.release()
	}
	a.release = nil
}

// changed does what the settings say after a change; it does not wait for a person
// whom the desktop asks.
func (a *anywhere) changed() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.apply()
	}()
	select {
	case <-done:
	case <-time.After(applyTime):
	}
}

const applyTime = time.Second

// wanting says what the settings wish for and the desktop does not give.
func (a *anywhere) wanting() []string {
	if !a.mu.TryLock() {
		return []string{"The desktop has not said yet whether it lends these keys."}
	}
	defer a.mu.Unlock()
	problems := []error{a.problems["ui.hotkey"], a.problems["ui.tray"], a.problems["ui.autostart"]}
	if a.tray.shown() {
		problems = append(problems, desktop.TrayProblem()) // trays come and go
	}
	said := []string{}
	for _, problem := range problems {
		if problem != nil {
			f := fault.Of(problem)
			said = append(said, f.Message+" "+f.Hint)
		}
	}
	return said
}

func (a *anywhere) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.letGo()
	a.box.end()
	a.tray.end()
}
