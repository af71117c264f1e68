package gemini

import (
	"bytes"
	"encoding/json"
	"errors"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// event is one event of a stream, or a whole answer.
type event struct {
	Candidates []candidate `json:"candidates"`
	Prompt     struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *usage `json:"usageMetadata"`
}

type candidate struct {
	Content content `json:"content"`
	Reason  string  `json:"finishReason"`
}

// usage counts thoughts apart from the answer; both are paid for as completion.
type usage struct {
	Prompt   int `json:"promptTokenCount"`
	Tools    int `json:"toolUsePromptTokenCount"`
	Answer   int `json:"candidatesTokenCount"`
	Thoughts int `json:"thoughtsTokenCount"`
}

// decoder reads one reply.
type decoder struct {
	call  llm.Call
	lines *wire.Lines
	turn  *wire.Turn
}

// event handles the JSON of one event, or the list of events that a server
// gives which does not stream.
func (d *decoder) event(data []byte) (known bool, err error) {
	if !bytes.HasPrefix(data, []byte("[")) {
		return d.one(data)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return false, nil
	}
	for _, item := range list {
		k, err := d.one(item)
		if err != nil {
			return true, err
		}
		known = known || k
	}
	return known, nil
}

func (d *decoder) one(data []byte) (known bool, err error) {
	var e event
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &e); err != nil && (!errors.As(err, &kind) || kind.Field == "") {
		return false, nil
	}
	if u := e.Usage; u != nil {
		d.turn.Usage = &llm.Usage{Prompt: u.Prompt + u.Tools, Completion: u.Answer + u.Thoughts}
	}
	if e.Prompt.Blocked != "" {
		d.turn.Finish = llm.Filtered
		return true, wire.ErrEnd
	}
	if len(e.Candidates) == 0 {
		return e.Usage != nil, nil
	}
	return true, d.candidate(e.Candidates[0])
}

// candidate passes on what an event brought. Some models name a reason for the
// end in every event: it is the end only when nothing follows.
func (d *decoder) candidate(c candidate) error {
	heard := false
	for _, p := range c.Content.Parts {
		heard = heard || p.Text != "" || p.Call != nil
		if err := d.part(p); err != nil {
			return err
		}
	}
	d.lines.Progress(heard)
	if finish := wire.FinishOf(c.Reason); finish != "" {
		d.turn.Finish = finish
		d.lines.Complete()
	}
	return nil
}

func (d *decoder) part(p part) error {
	switch {
	case p.Call != nil && p.Call.Name != "":
		input := string(p.Call.Args)
		if input == "" || input == "null" {
			input = "{}"
		}
		d.turn.Hold(wire.HeldCall + len(input) + len(p.Signature))
		d.turn.Calls = append(d.turn.Calls, llm.ToolCall{ID: p.Call.ID, Name: p.Call.Name, Input: input, Echo: p.Signature})
		return nil
	case p.Thought:
		return d.turn.Think(p.Text)
	}
	return d.turn.Text(p.Text)
}
