package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"footnote/backend/answer/contract"
)

// ResponseRequest is a question as the Responses API has it.
type ResponseRequest struct {
	Common
	Input        Input          `json:"input"`
	Instructions string         `json:"instructions"`
	Previous     string         `json:"previous_response_id"`
	MaxTokens    *int           `json:"max_output_tokens"`
	Text         *ResponseText  `json:"text"`
	Background   bool           `json:"background"`
	Top          *int           `json:"top_logprobs"`
	Conversation any            `json:"conversation"`
	Prompt       map[string]any `json:"prompt"`
}

// ResponseText says in which form the text shall be.
type ResponseText struct {
	Format *ResponseFormat `json:"format"`
}

// ResponseFormat is a form; its schema stands beside its name.
type ResponseFormat struct {
	Type string `json:"type"`
	NamedShape
}

// Input is a text, or items of a conversation.
type Input []ChatMessage

// UnmarshalJSON reads both forms. Items that are no messages are left out: tools
// are not called here, and thoughts are not gone on from.
func (in *Input) UnmarshalJSON(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] != '[' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*in = Input{{Role: "user", Content: Content(text)}}
		return nil
	}
	var items []struct {
		Type string `json:"type"`
		ChatMessage
	}
	if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	*in = nil
	for _, item := range items {
		if item.Type == "" || item.Type == "message" {
			*in = append(*in, item.ChatMessage)
		}
	}
	return nil
}

// Request puts a request into our words, over the defaults.
func (in ResponseRequest) Request(q contract.Question, room Room) (Request, error) {
	r := Request{Question: q, Model: in.Model, Messages: in.Input}
	if in.Instructions != "" {
		r.Messages = append([]ChatMessage{{Role: "system", Content: Content(in.Instructions)}}, r.Messages...)
	}
	if err := in.check(); err != nil {
		return r, err
	}
	if in.MaxTokens != nil {
		r.Limits.Tokens = cmp.Or(*in.MaxTokens, -1)
	}
	err := r.Limits.check("max_output_tokens")
	if err == nil {
		r.Shape, err = in.shape()
	}
	if err != nil {
		return r, err
	}
	r.Question.Private = r.Question.Private || in.Store != nil && !*in.Store
	return r, in.Common.fill(&r, room)
}

func (in ResponseRequest) check() error {
	switch {
	case in.Background:
		return refuse("background", "Answers are not made in the background here.", "Leave background out, or begin a run with POST /api/runs.")
	case in.Top != nil && *in.Top != 0:
		return refuse("top_logprobs", "An answer with footnotes has no probabilities of tokens.", "Leave top_logprobs out.")
	case in.Conversation != nil:
		return refuse("conversation", "There are no conversations of this API here.", "Use previous_response_id.")
	case in.Prompt != nil:
		return refuse("prompt", "There are no stored prompts here.", "Send instructions and input.")
	}
	return nil
}

func (in ResponseRequest) shape() (*Shape, error) {
	if in.Text == nil || in.Text.Format == nil {
		return in.called(), nil
	}
	return formOf("text.format", in.Text.Format.Type, in.Text.Format.NamedShape, in.called())
}

const responsePrefix = "resp_"

// RunOf is the run that a response answered; false for a name that is none.
func RunOf(response string) (contract.RunID, bool) {
	id, ok := strings.CutPrefix(response, responsePrefix)
	return contract.RunID(id), ok && id != ""
}
