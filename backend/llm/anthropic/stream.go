package anthropic

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// event is one event of a stream, or a whole message.
type event struct {
	Type    string    `json:"type"`
	Index   int       `json:"index"`
	Message *ending   `json:"message"`       // of message_start
	Block   *content  `json:"content_block"` // of content_block_start
	Delta   delta     `json:"delta"`
	Usage   *usage    `json:"usage"`
	Content []content `json:"content"`     // of a whole message
	Reason  string    `json:"stop_reason"` // of a whole message
}

type ending struct {
	Usage *usage `json:"usage"`
}

// content is one block of a reply.
type content struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	Signed   string          `json:"signature"`
	Data     string          `json:"data"` // of a thought that is not shown
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
}

type delta struct {
	Text     string `json:"text"`
	Thinking string `json:"thinking"`
	Signed   string `json:"signature"`
	Input    string `json:"partial_json"`
	Reason   string `json:"stop_reason"`
}

// usage counts what was read in three parts; what a server does not name is
// left as it was.
type usage struct {
	Input   *int `json:"input_tokens"`
	Written *int `json:"cache_creation_input_tokens"`
	Read    *int `json:"cache_read_input_tokens"`
	Output  *int `json:"output_tokens"`
}

// toolUse is a call that is being put together.
type toolUse struct {
	index    int
	id, name string
	input    strings.Builder
	closed   bool
}

// thought is a block of thoughts as it goes back.
type thought struct {
	index  int
	Type   string  `json:"type"`
	Text   *string `json:"thinking,omitempty"`
	Signed string  `json:"signature,omitempty"`
	Data   string  `json:"data,omitempty"`
}

// decoder reads one reply.
type decoder struct {
	call  llm.Call
	lines *wire.Lines
	turn  *wire.Turn
	form  schemaForm
	used  usage
	uses  []*toolUse

	thoughts []*thought
}

// run reads to the end of the message.
func (d *decoder) run() error {
	err := d.lines.Events(d.call.Model, d.turn, d.event)
	if d.form != freeText && d.turn.Finish == llm.UseTools && len(d.uses) == 0 {
		d.turn.Finish = llm.Stop // the tool was the form of the reply
	}
	if len(d.thoughts) > 0 {
		if echo, err := json.Marshal(d.thoughts); err == nil { // texts alone: it cannot fail
			d.turn.Echo = string(echo)
		}
	}
	for _, u := range d.uses {
		d.turn.Calls = append(d.turn.Calls, llm.ToolCall{ID: u.id, Name: u.name, Input: u.input.String()})
	}
	return err
}

// event handles the JSON of one event. A field of an odd type does not spoil the
// others.
func (d *decoder) event(data []byte) (known bool, err error) {
	var e event
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &e); err != nil && (!errors.As(err, &kind) || kind.Field == "") {
		return false, nil
	}
	switch e.Type {
	case "message_start":
		d.begin(e.Message)
	case "content_block_start":
		err = d.start(e.Index, e.Block)
	case "content_block_delta":
		err = d.delta(e.Index, e.Delta)
	case "content_block_stop":
		for _, u := range d.uses {
			u.closed = u.closed || u.index == e.Index
		}
		d.lines.Progress(false)
	case "message_delta":
		d.count(e.Usage)
		d.finish(e.Delta.Reason)
	case "message_stop":
		err = wire.ErrEnd
	case "message":
		err = d.whole(e)
	case "ping":
	default:
		return false, nil
	}
	return true, err
}

// begin starts a message. When a server starts another in the middle, calls that
// the first left open are dropped.
func (d *decoder) begin(m *ending) {
	d.uses = slices.DeleteFunc(d.uses, func(u *toolUse) bool { return !u.closed })
	for _, u := range d.uses {
		u.index = -1
	}
	if m != nil {
		d.count(m.Usage)
	}
	d.lines.Progress(false)
}

// start begins a block. Blocks of tools that the server itself runs say nothing.
func (d *decoder) start(index int, b *content) error {
	if b == nil {
		return nil
	}
	d.lines.Progress(b.Text != "" || b.Thinking != "" || b.Type == "tool_use")
	d.turn.Hold(wire.HeldCall + len(b.Input) + len(b.Signed) + len(b.Data))
	if err := d.turn.Think(b.Thinking); err != nil {
		return err
	}
	switch b.Type {
	case "text":
		return d.turn.Text(b.Text)
	case "thinking", "redacted_thinking":
		t := &thought{index: index, Type: b.Type, Signed: b.Signed, Data: b.Data}
		if b.Type == "thinking" {
			t.Text = &b.Thinking
		}
		d.thoughts = append(d.thoughts, t)
	case "tool_use":
		return d.startTool(index, b)
	}
	return nil
}

func (d *decoder) startTool(index int, b *content) error {
	input := string(b.Input)
	if input == "{}" || input == "null" {
		input = "" // the pieces follow
	}
	if d.form != freeText && b.Name == replyTool {
		return d.turn.Text(input)
	}
	if b.Name == "" {
		return nil
	}
	u := &toolUse{index: index, id: b.ID, name: b.Name}
	u.input.WriteString(input)
	d.uses = append(d.uses, u)
	return nil
}

func (d *decoder) delta(index int, piece delta) error {
	d.lines.Progress(piece.Text != "" || piece.Thinking != "" || piece.Input != "")
	d.turn.Hold(len(piece.Input) + len(piece.Signed))
	if err := d.turn.Think(piece.Thinking); err != nil {
		return err
	}
	for _, t := range d.thoughts {
		if t.index == index && t.Text != nil {
			*t.Text += piece.Thinking
			t.Signed += piece.Signed
		}
	}
	if err := d.turn.Text(piece.Text); err != nil || piece.Input == "" {
		return err
	}
	for _, u := range slices.Backward(d.uses) {
		if u.index == index && !u.closed {
			u.input.WriteString(piece.Input)
			return nil
		}
	}
	if d.form != freeText {
		return d.turn.Text(piece.Input) // of the reply's own tool
	}
	return nil
}

// count takes the tokens that an event names; the later one holds.
func (d *decoder) count(u *usage) {
	if u == nil {
		return
	}
	for _, pair := range []struct{ to, from **int }{{&d.used.Input, &u.Input}, {&d.used.Written, &u.Written}, {&d.used.Read, &u.Read}, {&d.used.Output, &u.Output}} {
		if *pair.from != nil {
			*pair.to = *pair.from
		}
	}
	n := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	d.turn.Usage = &llm.Usage{Prompt: n(d.used.Input) + n(d.used.Written) + n(d.used.Read), Completion: n(d.used.Output)}
}

func (d *decoder) finish(reason string) {
	if finish := wire.FinishOf(reason); finish != "" {
		d.turn.Finish = finish
		d.lines.Complete()
	}
}

// whole handles a message that came in one piece.
func (d *decoder) whole(e event) error {
	d.count(e.Usage)
	for i, b := range e.Content {
		if err := d.start(i, &b); err != nil {
			return err
		}
	}
	d.finish(e.Reason)
	return wire.ErrEnd
}
