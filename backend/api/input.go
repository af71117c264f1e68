package api

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strconv"

	"footnote/backend/fault"
)

// Input is what a transport was sent for a route. The fields of a request say
// where they come from: path:"name", query:"name" (with needed:"true" where the
// method refuses a request without it), after:"" for the number of
// the last event that was seen; a field named Body is the body. A request of which
// no field says so is the body itself.
type Input struct {
	Path  func(name string) string
	Query url.Values
	After func() (int, error)
	Body  func(into any) error
}

// ID is the request of a route that needs no more than an id.
type ID struct {
	ID string `path:"id"`
}

// None is the request of a route that needs nothing.
type None struct{}

// Nothing is the answer of a route that says no more than that it is done.
type Nothing struct{}

// Limit is how many items a page of a list has; 0 is the list's own number.
type Limit int

// Paging is which page of a list is wanted.
type Paging struct {
	Limit Limit  `query:"limit" says:"How many, 1 to 200."`
	After string `query:"after" says:"The cursor that the page before gave as next."`
}

// Page is one slice of a list.
type Page[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next"`
}

// PageOf is a page of a list, with the cursor of the next one, if there is any.
func PageOf[T any](items []T, next string) Page[T] {
	if items == nil {
		items = []T{}
	}
	p := Page[T]{Items: items}
	if next != "" {
		p.Next = &next
	}
	return p
}

// isBody reports whether a request is a body and nothing else: no field of it says
// that it comes from elsewhere.
func isBody(request reflect.Type) bool {
	if request.Kind() != reflect.Struct {
		return true
	}
	for f := range request.Fields() {
		if f.Tag.Get("json") == "" {
			return false
		}
	}
	return request.NumField() > 0
}

// fill reads a request, in the order of its fields.
func (in Input) fill(request reflect.Value) error {
	if isBody(request.Type()) {
		return in.Body(request.Addr().Interface())
	}
	for f, v := range request.Fields() {
		if err := in.field(f, v); err != nil {
			return err
		}
	}
	return nil
}

func (in Input) field(f reflect.StructField, v reflect.Value) error {
	if name, ok := f.Tag.Lookup("path"); ok {
		return in.named(name, v)
	}
	if name, ok := f.Tag.Lookup("query"); ok {
		return in.asked(name, v)
	}
	if _, ok := f.Tag.Lookup("after"); ok {
		n, err := in.After()
		v.SetInt(int64(n))
		return err
	}
	if f.Anonymous {
		return in.fill(v)
	}
	return in.Body(v.Addr().Interface())
}

var idForm = regexp.MustCompile(`^[a-z]{3}_[0-9a-z]{10,64}$`)

// named reads a name out of the path; an id that is none is not found.
func (in Input) named(name string, v reflect.Value) error {
	text := in.Path(name)
	v.SetString(text)
	if name != "id" {
		return nil
	}
	return CheckID(text)
}

// CheckID refuses what has not the form of an id: there is nothing of that name.
func CheckID(text string) error {
	if !idForm.MatchString(text) {
		return fault.New(fault.NotFound, "There is nothing of this name.", "Look it up in a list.")
	}
	return nil
}

// asked reads a parameter of the query.
func (in Input) asked(name string, v reflect.Value) error {
	text := in.Query.Get(name)
	if in.Query.Has(name) && text == "" && v.Kind() != reflect.String {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("%s is empty.", name), "Leave it out, or give it a value.")
	}
	switch {
	case v.Kind() == reflect.Bool:
		on, err := Flag(in.Query, name)
		v.SetBool(on)
		return err
	case v.Type() == reflect.TypeFor[Limit]():
		n, err := number(name, text)
		if err != nil || n > 200 || n == 0 && in.Query.Has(name) {
			return fault.New(fault.InvalidRequest, "limit is a number from 1 to 200.", "Page with after.")
		}
		v.SetInt(int64(n))
	case v.CanInt():
		n, err := number(name, text)
		v.SetInt(int64(n))
		return err
	default:
		v.SetString(text)
	}
	return nil
}

// Flag reads a parameter of the query that is true or false; without it, it is false.
func Flag(query url.Values, name string) (bool, error) {
	text := query.Get(name)
	if query.Has(name) && text != "true" && text != "false" {
		return false, fault.New(fault.InvalidRequest, fmt.Sprintf("%s is neither true nor false.", name), "Send true or false.")
	}
	return text == "true", nil
}

func number(name, text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fault.New(fault.InvalidRequest, fmt.Sprintf("%s is not a number.", name), "Send a whole number from 0.")
	}
	return n, nil
}
