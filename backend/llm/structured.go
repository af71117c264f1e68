package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
)

// ErrNotStructured is in the chain of an error when a model gave no value of the
// wanted form twice. The caller falls back to its rules.
var ErrNotStructured = errors.New("reply does not fit the schema")

// Structured asks a model for a JSON value of a schema and decodes it into the
// pointer into, which is changed only on success. The server is asked to hold
// the schema; what comes is repaired tolerantly (fences, single quotes, trailing
// text, a cut end); after a reply that does not fit the model is told once. Other
// errors are those of the model.
func Structured(ctx context.Context, model Model, call Call, schema json.RawMessage, into any) error {
	call.Schema = schema
	model = SplitThinking(model)
	reply, err := Collect(model.Stream(ctx, call))
	if err != nil {
		return err
	}
	first := decodeReply(reply.Text, schema, into)
	if first == nil {
		return nil
	}
	call.Messages = append(slices.Clip(call.Messages),
		Message{Author: Assistant, Text: cut(reply.Text, 2000)},
		Message{Author: User, Text: "That cannot be read. Answer again with one JSON value only, without any other words, that fits this JSON schema:\n" + string(schema)})
	reply, err = Collect(model.Stream(ctx, call))
	if err != nil {
		return err
	}
	if err := decodeReply(reply.Text, schema, into); err != nil {
		return fmt.Errorf("%w: %w", ErrNotStructured, err)
	}
	return nil
}

func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n])
	}
	if text == "" {
		return "(nothing)"
	}
	return text
}

// decodeReply finds the first value in a text that fits.
func decodeReply(text string, schema json.RawMessage, into any) error {
	err := errors.New("no JSON in it")
	for value := range Values(text) {
		if err = decodeValue(value, schema, into); err == nil {
			return nil
		}
	}
	return err
}

func decodeValue(value string, schema json.RawMessage, into any) error {
	if err := hasRequired(value, schema); err != nil {
		return err
	}
	target := reflect.ValueOf(into).Elem()
	fresh := reflect.New(target.Type())
	if err := json.Unmarshal([]byte(value), fresh.Interface()); err != nil {
		return err
	}
	target.Set(fresh.Elem())
	return nil
}

// hasRequired holds a value against the kind and the required keys of the
// schema's root. Deeper rules are the server's and the caller's business.
func hasRequired(value string, schema json.RawMessage) error {
	var root struct {
		Type     any      `json:"type"`
		Required []string `json:"required"`
	}
	if len(schema) > 0 {
		if err := json.Unmarshal(schema, &root); err != nil {
			return fmt.Errorf("read schema: %w", err)
		}
	}
	kind := map[byte]string{'{': "object", '[': "array"}[value[0]]
	if want, ok := root.Type.(string); ok && want != kind && (want == "object" || want == "array") {
		return fmt.Errorf("an %s instead of an %s", kind, want)
	}
	if len(root.Required) == 0 {
		return nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(value), &keys); err != nil {
		return err
	}
	for _, key := range root.Required {
		if _, ok := keys[key]; !ok {
			return fmt.Errorf("%q is missing", key)
		}
	}
	return nil
}

const maxValues = 16

// Values yields the JSON objects and arrays in a model's text, mended where
// that is safe, at most sixteen. Every value yielded is valid JSON.
func Values(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for found, at := 0, 0; at < len(text) && found < maxValues; {
			if text[at] != '{' && text[at] != '[' {
				at++
				continue
			}
			found++
			value, used := mend(text[at:])
			if value != "" && !yield(value) {
				return
			}
			if value == "" {
				used = 1
			}
			at += used
		}
	}
}
