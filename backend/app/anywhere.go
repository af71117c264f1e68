package app

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"footnote/backend/command"
	"footnote/backend/desktop"
	"footnote/backend/fault"
)

// anywhere is how the program is reached from outside its window, as the settings
// say: keys that open the box.
type anywhere struct {
	house *command.House
	box   *box

	mu      sync.Mutex
	keys    string // what is taken, as the settings write it
	release func() // lets the keys go; nil while none are taken
	problem error  // why the keys that are wished for are not taken
	ended   bool
}

func (p Program) anywhere(ctx context.Context, h *command.House, open func(place string)) (*anywhere, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	serve := func(emit func(string, any)) *Bindings { return newBindings(ctx, p.rooms(h), emit) }
	return &anywhere{house: h, box: &box{command: []string{self, "box-window"}, serve: serve, open: open, log: h.Log}}, nil
}

// apply does what the settings say now.
func (a *anywhere) apply() {
	a.mu.Lock()
	defer a.mu.Unlock()
	wish := a.house.Settings.Now().UI.HotKey
	if a.ended || wish == a.keys && a.problem == nil {
		return
	}
	a.letGo()
	a.keys = wish
	if wish == "" {
		return
	}
	if a.problem = a.take(wish); a.problem != nil {
		a.house.Log.Warn("take keys", "keys", wish, "err", a.problem)
	}
}

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
	a.release, a.problem = nil, nil
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
	said := []string{}
	if a.problem != nil {
		f := fault.Of(a.problem)
		said = append(said, f.Message+" "+f.Hint)
	}
	return said
}

func (a *anywhere) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.letGo()
	a.box.end()
}
