package settings

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// Ring is a keychain of the system. Get and Delete of a missing secret return
// keyring.ErrNotFound.
type Ring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// systemRing is the keychain of this desktop.
type systemRing struct{}

func (systemRing) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (systemRing) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (systemRing) Delete(service, user string) error        { return keyring.Delete(service, user) }

var errNoKeychain = errors.New("keychain does not answer")

// guard bounds each call of a ring. A ring that hangs once, as a Secret Service
// without a desktop does, is not asked again in this process.
type guard struct {
	ring Ring
	wait time.Duration

	mu   sync.Mutex
	dead bool
}

type ringAnswer struct {
	secret string
	err    error
}

func (g *guard) call(do func() (string, error)) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.dead {
		return "", errNoKeychain
	}
	done := make(chan ringAnswer, 1)
	go func() {
		secret, err := do()
		done <- ringAnswer{secret, err}
	}()
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case a := <-done:
		return a.secret, a.err
	case <-timer.C:
		g.dead = true
		return "", errNoKeychain
	}
}

func (g *guard) get(name string) (string, error) {
	return g.call(func() (string, error) { return g.ring.Get(service, name) })
}

func (g *guard) set(name, secret string) error {
	_, err := g.call(func() (string, error) { return "", g.ring.Set(service, name, secret) })
	return err
}

func (g *guard) remove(name string) error {
	_, err := g.call(func() (string, error) { return "", g.ring.Delete(service, name) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("remove key from keychain: %w", err)
	}
	return nil
}
