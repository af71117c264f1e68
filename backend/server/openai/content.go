package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"footnote/backend/fault"
)

// Content is a text, or parts of text.
type Content string

var textParts = []string{"text", "input_text", "output_text", "refusal"}

// UnmarshalJSON reads both forms; a part that is no text is a fault.
func (c *Content) UnmarshalJSON(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] != '[' {
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var text []string
	for _, p := range parts {
		if !slices.Contains(textParts, p.Type) {
			return About("messages", fault.New(fault.InvalidRequest, "A message holds something other than text.", "Send text; add files to the library."))
		}
		text = append(text, p.Text+p.Refusal)
	}
	*c = Content(strings.Join(text, "\n"))
	return nil
}

// About names the parameter that an error is about.
func About(param string, err error) error {
	if f := fault.Of(err); f != nil {
		return f.With("param", param)
	}
	return nil
}

// refuse is the error of a request that cannot be fulfilled.
func refuse(param, message, hint string) error {
	return About(param, fault.New(fault.InvalidRequest, message, hint))
}

// List is a list of texts; clients send one text without a list around it.
type List []string

// UnmarshalJSON reads both forms.
func (l *List) UnmarshalJSON(data []byte) error {
	var one *string
	if json.Unmarshal(data, &one) == nil {
		*l = nil
		if one != nil {
			*l = List{*one}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}
