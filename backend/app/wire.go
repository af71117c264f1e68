package app

import (
	"encoding/json"
	"io"
	"sync"
)

// wire is one end of the line between the program and a window or an icon that
// it keeps in a process of its own: a JSON object a line.
type wire struct {
	mu  sync.Mutex
	out *json.Encoder
	in  *json.Decoder
}

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{out: json.NewEncoder(out), in: json.NewDecoder(in)}
}

// note is what one end tells the other. A call has a number and an answer with
// the same; the rest is told once.
type note struct {
	Do     string          `json:"do"`
	Number int             `json:"number,omitempty"`
	Sent   Sent            `json:"sent,omitzero"`
	Name   string          `json:"name,omitempty"`
	Text   string          `json:"text,omitempty"`
	On     bool            `json:"on,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
}

func (w *wire) send(n note) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Encode(n)
}

// receive gives what the other end says until it ends.
func (w *wire) receive(take func(note)) error {
	for {
		var n note
		if err := w.in.Decode(&n); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		take(n)
	}
}
