package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// line is one message of a call that is answered in another process.
type line struct {
	Step  *Step  `json:"step,omitempty"`
	Reply *Reply `json:"reply,omitempty"`
}

// Answer answers a call that was written as JSON, in lines: steps, then the reply.
func (r Rooms) Answer(ctx context.Context, call []byte, out io.Writer) error {
	var c Call
	if err := json.Unmarshal(call, &c); err != nil {
		return fmt.Errorf("read a call: %w", err)
	}
	var mu sync.Mutex
	enc := json.NewEncoder(out)
	say := func(l line) error {
		mu.Lock()
		defer mu.Unlock()
		return enc.Encode(l)
	}
	reply, err := r.Call(ctx, c, func(s Step) {
		_ = say(line{Step: &s}) // who cannot be told any more ends the call by its context
	})
	if err != nil {
		return err
	}
	return say(line{Reply: &reply})
}

// Handed is a Caller whose calls are answered by Rooms.Answer elsewhere: the
// function hands a call over and gives each line of the answer.
type Handed func(ctx context.Context, call []byte, each func(line []byte)) error

// Call implements Caller.
func (h Handed) Call(ctx context.Context, c Call, tell func(Step)) (Reply, error) {
	call, err := json.Marshal(c)
	if err != nil {
		return Reply{}, fmt.Errorf("write a call: %w", err)
	}
	var reply *Reply
	var broken error
	err = h(ctx, call, func(text []byte) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			broken = fmt.Errorf("read the answer of a call: %w", err)
		}
		if l.Step != nil {
			tell(*l.Step)
		}
		if l.Reply != nil {
			reply = l.Reply
		}
	})
	switch {
	case reply != nil:
		return *reply, nil
	case err == nil && broken == nil:
		err = errors.New("the call has no answer")
	}
	return Reply{}, errors.Join(err, broken)
}
