package api

import (
	"context"
	"iter"
	"net/http"
	"os"
	"reflect"
)

// Route is a row of the table: how a method is called from outside, and what is
// to be said of it.
type Route struct {
	Pattern string // method and path
	Says    string
	Takes   *Shape
	Needs   []string // fields that the body must have
	Gives   []Given
	Asks    []Parameter // of the query
	Free    bool        // needs no token
	Host    bool        // is for whoever runs the program: it reads or changes the computer itself
	Others  bool        // is for other programs alone: the page has no use for it

	// Do calls the method. It is nil where a transport serves the route by itself.
	Do func(context.Context, Input) (any, error)
	// Follow begins a stream; nil where there is none.
	Follow func(context.Context, Input) (Stream, error)
}

// Shape is a body: JSON of a Go type, or bytes of a media type.
type Shape struct {
	Of     reflect.Type
	Media  string
	Sample string // JSON
}

// Given is an answer with its status.
type Given struct {
	Status int
	Shape
}

// Parameter is a parameter of the query: what it says, the type it is read as,
// and whether there must be one with something in it.
type Parameter struct {
	Name, Says string
	Of         reflect.Type
	Needed     bool
}

// Stream is what is told until it or its context ends.
type Stream func(context.Context) iter.Seq2[Told, error]

// Told is one numbered event of a stream.
type Told struct {
	Seq  int
	Kind string
	What any // the whole event, as it is sent
}

// File is an answer that is kept as a file.
type File struct {
	Name, MediaType string
	Body            []byte
}

// Picture is an answer that is shown: a JPEG.
type Picture []byte

// Original is an open file of the reader's. It is the caller's to close.
type Original struct {
	*os.File
	Info os.FileInfo
}

// Detail adds to a row what the types of its method do not say.
type Detail func(*Route)

// Sample gives a body as an example, and names the fields that it must have.
func Sample(json string, needs ...string) Detail {
	return func(r *Route) { r.Takes.Sample, r.Needs = json, needs }
}

// Also is another answer of a route.
func Also[T any](status int) Detail {
	return func(r *Route) { r.Gives = append(r.Gives, Given{status, jsonOf(reflect.TypeFor[T]())}) }
}

// Bytes is an answer that is no JSON; an empty media type is no body at all.
func Bytes(status int, media string) Detail {
	return func(r *Route) { r.Gives = append(r.Gives, Given{status, Shape{Media: media}}) }
}

// Streams is an answer of server-sent events.
func Streams() Detail { return Bytes(http.StatusOK, "text/event-stream") }

// Parts is a body of several parts.
func Parts() Detail { return func(r *Route) { r.Takes = &Shape{Media: "multipart/form-data"} } }

// Ask names a parameter of the query.
func Ask(name, says string) Detail {
	return func(r *Route) {
		r.Asks = append(r.Asks, Parameter{Name: name, Says: says, Of: reflect.TypeFor[string]()})
	}
}

// Taking is a body of JSON.
func Taking[T any](sample string, needs ...string) Detail {
	return func(r *Route) {
		shape := jsonOf(reflect.TypeFor[T]())
		shape.Sample = sample
		r.Takes, r.Needs = &shape, needs
	}
}

// Free says that a route needs no token.
func Free() Detail { return func(r *Route) { r.Free = true } }

// OfHost says that a route is for whoever runs the program.
func OfHost() Detail { return func(r *Route) { r.Host = true } }

// ForOthers says that a route is for other programs, and that no page calls it.
func ForOthers() Detail { return func(r *Route) { r.Others = true } }

func jsonOf(t reflect.Type) Shape { return Shape{Of: t, Media: "application/json"} }

// Row is a route that a transport serves by itself.
func Row(pattern, says string, details ...Detail) Route {
	r := Route{Pattern: pattern, Says: says}
	for _, d := range details {
		d(&r)
	}
	return r
}

// row is the route of a method: what it takes and gives is in its types.
func row[In, Out any](pattern string, status int, says string, do func(context.Context, In) (Out, error), details ...Detail) Route {
	return from(pattern, status, says, func() (in In) { return in }, do, details...)
}

// from is a row whose request has defaults.
func from[In, Out any](pattern string, status int, says string, defaults func() In, do func(context.Context, In) (Out, error), details ...Detail) Route {
	r := Row(pattern, says)
	r.takes(reflect.TypeFor[In]())
	r.Gives = []Given{given(status, reflect.TypeFor[Out]())}
	for _, d := range details {
		d(&r)
	}
	r.Do = func(ctx context.Context, in Input) (any, error) {
		request := defaults()
		if err := in.fill(reflect.ValueOf(&request).Elem()); err != nil {
			return nil, err
		}
		return do(ctx, request)
	}
	return r
}

// stream is the route of events.
func stream[In any](pattern, says string, follow func(context.Context, In) (Stream, error), details ...Detail) Route {
	r := Row(pattern, says)
	r.takes(reflect.TypeFor[In]())
	Streams()(&r)
	for _, d := range details {
		d(&r)
	}
	r.Follow = func(ctx context.Context, in Input) (Stream, error) {
		var request In
		if err := in.fill(reflect.ValueOf(&request).Elem()); err != nil {
			return nil, err
		}
		return follow(ctx, request)
	}
	return r
}

// takes reads off a request what the query asks and what the body is. A write
// without a body takes an empty object.
func (r *Route) takes(t reflect.Type) {
	if method := r.Pattern[:3]; method != "GET" && method != "DEL" && r.Takes == nil {
		r.Takes = &Shape{Of: reflect.TypeFor[struct{}](), Media: "application/json", Sample: "{}"}
	}
	if isBody(t) {
		body := jsonOf(t)
		r.Takes = &body
		return
	}
	for f := range t.Fields() {
		name, asked := f.Tag.Lookup("query")
		_, after := f.Tag.Lookup("after")
		switch {
		case asked:
			r.Asks = append(r.Asks, Parameter{name, f.Tag.Get("says"), f.Type, f.Tag.Get("needed") == "true"})
		case after:
			r.Asks = append(r.Asks, Parameter{Name: "after", Says: "The number of the last event that was seen", Of: f.Type})
		case f.Anonymous:
			r.takes(f.Type)
		case f.Name == "Body":
			body := jsonOf(f.Type)
			r.Takes = &body
		}
	}
}

func given(status int, t reflect.Type) Given {
	switch t {
	case reflect.TypeFor[Nothing]():
		return Given{status, Shape{}}
	case reflect.TypeFor[File]():
		return Given{status, Shape{Media: "*/*"}}
	case reflect.TypeFor[Picture]():
		return Given{status, Shape{Media: "image/jpeg"}}
	case reflect.TypeFor[Original]():
		return Given{status, Shape{Media: "application/octet-stream"}}
	}
	return Given{status, jsonOf(t)}
}
