package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// chunk is one event of a stream, or a whole answer.
type chunk struct {
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
	Groq    struct {
		Usage *usage `json:"usage"`
	} `json:"x_groq"`
}

type choice struct {
	Delta        *piece `json:"delta"`
	Message      *piece `json:"message"` // of a whole answer
	FinishReason string `json:"finish_reason"`
}

type piece struct {
	Content   text              `json:"content"`
	Reasoning text              `json:"reasoning_content"`
	Thoughts  text              `json:"reasoning"` // the same under another name
	Details   []json.RawMessage `json:"reasoning_details"`
	Refusal   text              `json:"refusal"`
	ToolCalls []toolPart        `json:"tool_calls"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// text is a string, null, or a list of parts.
type text struct{ said, thought string }

// UnmarshalJSON takes what is understood and leaves the rest out.
func (t *text) UnmarshalJSON(data []byte) error {
	if n := len(data); n > 1 && data[0] == '"' {
		if bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) { // stands as it is
			t.said = string(data[1 : n-1])
			return nil
		}
		return json.Unmarshal(data, &t.said)
	}
	var parts []struct {
		Type, Text string
		Thinking   []struct{ Text string }
	}
	if json.Unmarshal(data, &parts) != nil {
		return nil // null, or something no server is known to send
	}
	for _, p := range parts {
		t.said += p.Text
		for _, thought := range p.Thinking {
			t.thought += thought.Text
		}
	}
	return nil
}

// decoder reads one reply.
type decoder struct {
	call  llm.Call
	lines *wire.Lines
	turn  *wire.Turn
	tools assembler
	echo  reasoning
}

// run reads to the end.
func (d *decoder) run() error {
	err := d.lines.Events(d.call.Model, d.turn, d.event)
	d.turn.Calls, d.turn.Echo = d.tools.whole(), d.echo.written()
	return err
}

// event handles the JSON of one event. A field of an odd type does not spoil the
// others.
func (d *decoder) event(data []byte) (known bool, err error) {
	var c chunk
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &c); err != nil && (!errors.As(err, &kind) || kind.Field == "") {
		return false, nil
	}
	return c.Usage != nil || len(c.Choices) > 0, d.chunk(c)
}

func (d *decoder) chunk(c chunk) error {
	if used := cmp.Or(c.Usage, c.Groq.Usage); used != nil {
		d.turn.Usage = &llm.Usage{Prompt: used.Prompt, Completion: used.Completion}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	first := c.Choices[0]
	heard := false
	for _, p := range []*piece{first.Delta, first.Message} {
		if p == nil {
			continue
		}
		token, err := d.piece(p)
		if err != nil {
			return err
		}
		heard = heard || token
	}
	d.lines.Progress(heard)
	if finish := wire.FinishOf(first.FinishReason); finish != "" {
		d.turn.Finish = finish
		d.lines.Complete()
	}
	return nil
}

// piece passes on what an event brought and tells whether it was anything.
func (d *decoder) piece(p *piece) (token bool, err error) {
	d.echo.add(p)
	thought := p.Reasoning.said
	if thought == "" {
		thought = p.Thoughts.said
	}
	thought += p.Content.thought
	said := p.Content.said + p.Refusal.said
	if err = d.turn.Think(thought); err == nil {
		err = d.turn.Text(said)
	}
	for _, part := range p.ToolCalls {
		d.turn.Hold(len(part.Function.Arguments) + len(part.Extra) + 1)
		if d.tools.add(part) {
			d.turn.Hold(wire.HeldCall)
		}
	}
	for _, detail := range p.Details {
		d.turn.Hold(len(detail))
	}
	return thought != "" || said != "" || len(p.ToolCalls) > 0, err
}
