package app

import (
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"footnote/backend/desktop"
)

const boxTitle = "Footnote box"

// box is the small window that stands over other programs. It is a process of its
// own, kept ready and hidden, whose page asks here for all it shows.
type box struct {
	command []string // what starts it
	serve   func(emit func(string, any)) *Bindings
	open    func(place string) // shows a place in the main window
	log     *slog.Logger

	mu     sync.Mutex
	child  *companion // nil while there is none
	shown  bool
	began  time.Time // when the keys were pressed
	screen desktop.Screen
}

// ready starts the box, hidden, if there is none yet.
func (b *box) ready() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.child != nil {
		return nil
	}
	child, err := begin(b.command)
	if err != nil {
		return err
	}
	b.child, b.shown = child, false
	if b.screen == nil {
		b.screen = desktop.NewScreen()
	}
	go b.attend(child)
	return nil
}

// attend answers a box as long as it lives.
func (b *box) attend(child *companion) {
	bound := b.serve(func(name string, data any) {
		if value, err := json.Marshal(data); err == nil {
			b.tell(child, note{Do: "emit", Name: name, Value: value})
		}
	})
	if err := child.wire.receive(func(n note) { b.take(child, bound, n) }); err != nil {
		b.log.Warn("read what the box asks", "err", err)
	}
	bound.cancelAll()
	if err := child.cmd.Wait(); err != nil {
		b.log.Warn("the box ended", "err", err)
	}
	b.mu.Lock()
	if b.child == child {
		b.child, b.shown = nil, false
	}
	b.mu.Unlock()
	close(child.gone)
}

func (b *box) tell(child *companion, n note) {
	if err := child.wire.send(n); err != nil {
		b.log.Warn("tell the box", "what", n.Do, "err", err)
	}
}

func (b *box) take(child *companion, bound *Bindings, n note) {
	switch n.Do {
	case "call":
		go func() { b.answer(child, n.Number, func() (any, error) { return bound.Call(n.Name, n.Sent, n.Text) }) }()
	case "follow":
		go func() {
			b.answer(child, n.Number, func() (any, error) { return nil, bound.Follow(n.Name, n.Sent, n.Text) })
		}()
	case "cancel":
		bound.Cancel(n.Text)
	case "open":
		if strings.HasPrefix(n.Text, "/#/") {
			b.open(n.Text)
		}
	case "left": // by Esc the focus goes back; when it went elsewhere it stays there
		b.left(n.On)
	case "painted":
		b.mu.Lock()
		b.log.Debug("the box is painted", "after", time.Since(b.began))
		b.mu.Unlock()
	}
}

func (b *box) answer(child *companion, number int, call func() (any, error)) {
	value, err := call()
	n := note{Do: "answer", Number: number}
	if err == nil {
		n.Value, err = json.Marshal(value)
	}
	if err != nil {
		n.Text = rejection(err).(string)
	}
	b.tell(child, n)
}

// toggle shows the box, or hides it.
func (b *box) toggle() {
	began := time.Now()
	if err := b.ready(); err != nil {
		b.log.Error("start the box", "err", err)
		return
	}
	if screen, process := b.turn(began); screen != nil {
		screen.Raise(process, boxTitle)
	}
}

// turn has the box shown, or hidden; where it is to be raised, it gives the
// screen and the process.
func (b *box) turn(began time.Time) (desktop.Screen, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.child == nil {
		return nil, 0 // it has just ended
	}
	process := b.child.cmd.Process.Pid
	b.began, b.shown = began, !b.shown
	if !b.shown {
		b.tell(b.child, note{Do: "hide"})
		b.screen.Return()
		return nil, 0
	}
	b.screen.Note(process)
	b.tell(b.child, note{Do: "show"})
	return b.screen, process
}

func (b *box) left(back bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown && back {
		b.screen.Return()
	}
	b.shown = false
}

// end closes the box and waits for its process.
func (b *box) end() {
	b.mu.Lock()
	child, screen := b.child, b.screen
	b.child, b.screen, b.shown = nil, nil, false
	b.mu.Unlock()
	if screen != nil {
		screen.Close()
	}
	if child == nil {
		return
	}
	child.end()
}
