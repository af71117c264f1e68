package app

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"footnote/backend/desktop"
)

// tray is the icon in the system's tray. It is a process of its own: the systems
// want the first thread for it, which the window has, and one icon a process.
type tray struct {
	command []string
	do      func(what string)
	log     *slog.Logger

	mu    sync.Mutex
	child *companion // nil while there is none
}

// show has the icon shown, and says how things stand.
func (t *tray) show(paused, private bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.child == nil {
		child, err := begin(t.command)
		if err != nil {
			return err
		}
		t.child = child
		go t.attend(child)
	}
	for what, on := range map[string]bool{"pause": paused, "private": private} {
		if err := t.child.wire.send(note{Do: what, On: on}); err != nil {
			return err
		}
	}
	return nil
}

func (t *tray) attend(child *companion) {
	if err := child.wire.receive(func(n note) { t.do(n.Do) }); err != nil {
		t.log.Warn("read what the tray says", "err", err)
	}
	if err := child.cmd.Wait(); err != nil {
		t.log.Warn("the tray ended", "err", err)
	}
	t.mu.Lock()
	if t.child == child {
		t.child = nil
	}
	t.mu.Unlock()
	close(child.gone)
}

func (t *tray) shown() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.child != nil
}

func (t *tray) end() {
	t.mu.Lock()
	child := t.child
	t.child = nil
	t.mu.Unlock()
	if child != nil {
		child.end()
	}
}

var trayTexts = desktop.Texts{Name: "Footnote", Open: "Open Footnote", Box: "Ask or find", Pause: "Pause reading", Private: "Forget questions", Quit: "Quit Footnote"}

// trayProcess is the process of the icon. It ends with the program.
func (p Program) trayProcess(context.Context, []string) error {
	name := "icons/touch.png"
	if runtime.GOOS == "windows" {
		name = "favicon.ico"
	}
	pages, err := p.pages()
	if err != nil {
		return err
	}
	image, err := fs.ReadFile(pages, name)
	if err != nil {
		return err
	}
	line := newWire(os.Stdin, os.Stdout)
	do := func(what string) {
		if line.send(note{Do: what}) != nil {
			os.Exit(0) // the program is gone
		}
	}
	desktop.RunTray(desktop.TrayIcon{Image: image, Text: trayTexts, Do: do}, func(icon *desktop.Tray) {
		stand := map[string]bool{}
		_ = line.receive(func(n note) { // a line that is cut means the same as its end
			stand[n.Do] = n.On
			icon.Show(stand["pause"], stand["private"])
		})
		os.Exit(0)
	})
	return nil
}
