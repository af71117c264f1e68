package ollama

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// event is one line of a chat stream.
type event struct {
	Message    said   `json:"message"`
	Done       bool   `json:"done"`
	DoneReason string `json:"done_reason"`
	Prompt     int    `json:"prompt_eval_count"`
	Completion int    `json:"eval_count"`
}

type said struct {
	Content  string       `json:"content"`
	Thinking string       `json:"thinking"`
	Calls    []calledTool `json:"tool_calls"`
}

type calledTool struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

var (
	errCut     = errors.New("stream ended without done")
	errNothing = errors.New("no event of a chat stream")
)

// decoder reads one reply.
type decoder struct {
	server *wire.Server
	model  string
	lines  *wire.Lines
	turn   *wire.Turn
	seen   bool // an event of the protocol has come
	noise  bool // something else has come
}

// run reads to the event that is done; nothing after it counts.
func (d *decoder) run() error {
	for d.turn.Finish == "" {
		line, err := d.lines.Next()
		switch {
		case errors.Is(err, io.EOF) && d.noise && !d.seen:
			return d.server.Nonsense(errNothing)
		case errors.Is(err, io.EOF):
			return d.server.Dropped(errCut)
		case err != nil:
			return err
		}
		if err := cmp.Or(d.line(bytes.TrimSpace(line)), d.lines.Within(d.turn)); err != nil {
			return err
		}
	}
	return nil
}

// line handles one event. One that is broken is passed over: the text around it
// is whole.
func (d *decoder) line(line []byte) error {
	if len(line) == 0 {
		return nil // a keep-alive
	}
	if !json.Valid(line) || line[0] != '{' {
		d.noise = true
		return nil
	}
	if refused := d.server.ErrorIn(d.model, line); refused != nil {
		return refused
	}
	var e event
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(line, &e); err != nil && !errors.As(err, &kind) {
		d.noise = true
		return nil
	}
	return d.event(e)
}

func (d *decoder) event(e event) error {
	d.seen = true
	m := e.Message
	d.lines.Progress(m.Content != "" || m.Thinking != "" || len(m.Calls) > 0)
	d.turn.Echo += m.Thinking
	if err := d.turn.Think(m.Thinking); err != nil {
		return err
	}
	if err := d.turn.Text(m.Content); err != nil {
		return err
	}
	for _, c := range m.Calls {
		d.turn.Hold(wire.HeldCall + len(c.Function.Arguments))
		if c.Function.Name != "" {
			d.turn.Calls = append(d.turn.Calls, llm.ToolCall{ID: c.ID, Name: c.Function.Name, Input: input(c.Function.Arguments)})
		}
	}
	if !e.Done {
		return nil
	}
	if e.Prompt > 0 || e.Completion > 0 {
		d.turn.Usage = &llm.Usage{Prompt: e.Prompt, Completion: e.Completion}
	}
	if d.turn.Finish = wire.FinishOf(e.DoneReason); d.turn.Finish == "" {
		d.turn.Finish = llm.Stop
	}
	return nil
}

// input is an object here; a string that holds one is unpacked.
func input(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return text
	}
	return string(raw)
}
