package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"footnote/backend/fault"
)

const depthLimit = 32

// DecodeJSON decodes a body into v. Unknown fields are ignored; a body that is too
// deep, not UTF-8, not one JSON value or with a name twice is refused. None is an
// empty object.
func DecodeJSON(body []byte, v any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	if err := checkJSON(body); err != nil {
		return err
	}
	if string(bytes.TrimSpace(body)) == "null" { // which the decoder would take for anything
		return fault.New(fault.InvalidRequest, "The request is null.", "Send an object, even if it is empty.")
	}
	if err := json.Unmarshal(body, v); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return wrongType(wrong)
		}
		var f *fault.Fault
		if errors.As(err, &f) {
			return err
		}
		return fault.Wrap(err, fault.InvalidJSON, "The request is not valid JSON.", "Check quotes, commas and brackets.")
	}
	return nil
}

func wrongType(err *json.UnmarshalTypeError) error {
	if err.Field == "" {
		return fault.Wrap(err, fault.InvalidRequest, "The request is not a JSON object.", "Send an object, even if it is empty.")
	}
	return fault.Wrap(err, fault.InvalidRequest, "The field \""+err.Field+"\" has the wrong type.", "See the API description.")
}

// checkJSON walks the tokens: depth, one value, no name twice in an object. Names
// that differ in case alone are the same to the decoder, and so they are here.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) {
		return fault.New(fault.InvalidJSON, "The request is not UTF-8 text.", "Send JSON in UTF-8.")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	type level struct {
		names map[string]bool // of an object; nil in an array
		value bool            // the next token is a value
	}
	var open []level
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) && len(open) == 0 {
			return nil
		}
		if err != nil {
			return fault.Wrap(err, fault.InvalidJSON, "The request is not valid JSON.", "Check quotes, commas and brackets.")
		}
		text, isText := tok.(string)
		if strings.ContainsRune(text, 0) {
			return fault.New(fault.InvalidJSON, "A text in the request holds a zero character.", "Leave it out.")
		}
		if len(open) > 0 {
			top := &open[len(open)-1]
			if isText && top.names != nil && !top.value {
				name := strings.ToLower(strings.ToUpper(text))
				if top.names[name] {
					return fault.New(fault.InvalidJSON, "The field \""+text+"\" stands twice.", "Send each field once.")
				}
				top.names[name], top.value = true, true
				continue
			}
			top.value = false
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			if len(open) == depthLimit {
				return fault.New(fault.InvalidJSON, "The request is nested too deeply.", "Send a flatter object.")
			}
			next := level{}
			if tok == json.Delim('{') {
				next.names = map[string]bool{}
			}
			open = append(open, next)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if len(open) == 0 && dec.More() {
			return fault.New(fault.InvalidJSON, "The request holds more than one JSON value.", "Send one object.")
		}
	}
}
