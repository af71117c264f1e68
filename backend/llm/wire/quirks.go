package wire

import (
	"errors"
	"sync"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// Quirks remembers, by model, what a server turned out not to take. The zero Q
// means that nothing is known. The zero Quirks is ready; safe for concurrent use.
type Quirks[Q any] struct {
	mu sync.Mutex
	by map[string]Q
}

// Send sends a call in the form that its model is known to take. When the server
// refuses a part of it, and learn makes something of what it says, the call goes
// out again without that part, and later ones do so at once. ok is false when
// learn makes nothing of it.
func (k *Quirks[Q]) Send(model string, send func(q Q) (*Lines, error), learn func(q Q, refused *llm.StatusError) (learnt Q, ok bool)) (*Lines, error) {
	for {
		q := k.of(model)
		lines, err := send(q)
		var status *llm.StatusError
		if err == nil || !errors.As(err, &status) || fault.CodeOf(err) != fault.ModelRefused {
			return lines, err
		}
		learnt, ok := learn(q, status)
		if !ok {
			return nil, err
		}
		k.note(model, learnt)
	}
}

func (k *Quirks[Q]) of(model string) Q {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.by[model]
}

func (k *Quirks[Q]) note(model string, q Q) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]Q{}
	}
	k.by[model] = q
}
