package web

import (
	"errors"
	"strings"
	"time"

	"footnote/backend/bounded"
)

// Fields is a JSON object as an engine wrote it. Reading from it never fails: a
// field that is missing, null or of another type is the zero value, because
// engines put anything into their answers.
type Fields map[string]any

// Object reads an answer that is a JSON object.
func Object(body []byte) (Fields, error) {
	var f Fields
	if err := bounded.Unmarshal(body, bounded.Usual, &f); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errors.New("the answer is null")
	}
	return f, nil
}

// Text is the first of the fields that is a text with something in it.
func (f Fields) Text(names ...string) string {
	for _, name := range names {
		if s, ok := f[name].(string); ok && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// Number is a field that is a number.
func (f Fields) Number(name string) float64 {
	n, _ := f[name].(float64)
	return n
}

// At is the object at the end of a path.
func (f Fields) At(path ...string) Fields {
	for _, name := range path {
		next, _ := f[name].(map[string]any)
		f = next
	}
	return f
}

// List is a field's objects; what is no object is passed over.
func (f Fields) List(name string) []Fields {
	items, _ := f[name].([]any)
	var out []Fields
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// Has reports whether a field is a list, empty or not.
func (f Fields) Has(name string) bool {
	_, ok := f[name].([]any)
	return ok
}

// Texts is a field's texts.
func (f Fields) Texts(name string) []string {
	items, _ := f[name].([]any)
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Time is the first of the fields that holds a date.
func (f Fields) Time(names ...string) time.Time {
	for _, name := range names {
		if t := ParseDate(f.Text(name)); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// ErrShape says that an answer has not the parts it should have.
var ErrShape = errors.New("the answer lacks its results")

// ListIn reads an answer that is a JSON object with a list of results at the end
// of a path, for Adapter.Read. hit makes one of them a hit; place counts from 0. A
// hit without title or address is passed over later on.
func ListIn(hit func(place int, r Fields) Hit, path ...string) func(body []byte) ([]Hit, error) {
	return func(body []byte) ([]Hit, error) {
		f, err := Object(body)
		if err != nil {
			return nil, err
		}
		last := len(path) - 1
		if f = f.At(path[:last]...); !f.Has(path[last]) {
			return nil, ErrShape
		}
		items := f.List(path[last])
		hits := make([]Hit, len(items))
		for i, r := range items {
			hits[i] = hit(i, r)
		}
		return hits, nil
	}
}
