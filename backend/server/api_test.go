package server

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// described is the description as tests hold answers against it.
type described struct {
	mux     *http.ServeMux // finds the operation of a request
	ops     map[string]operation
	schemas *schemas
	mu      sync.Mutex
	ready   map[reflect.Type]*jsonschema.Resolved
}

var theAPI = sync.OnceValue(func() *described {
	d := &described{mux: http.NewServeMux(), ops: map[string]operation{}, schemas: newSchemas(), ready: map[reflect.Type]*jsonschema.Resolved{}}
	for _, o := range operations() {
		d.ops[o.route] = o
		d.mux.HandleFunc(o.route, func(http.ResponseWriter, *http.Request) {})
	}
	return d
})

// conforms holds an answer against the description of its route; answers of
// addresses that are no routes are errors, and have their form.
func (d *described) conforms(r *http.Request, a answered) error {
	if r.Method == http.MethodHead {
		return nil
	}
	_, route := d.mux.Handler(r)
	o, known := d.ops[route]
	media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if a.status >= 400 {
		if media != "application/json" {
			return nil // pages for people
		}
		return d.fits(failureType(r.URL.Path), a.body)
	}
	if !known || a.status == http.StatusPartialContent || route == "GET /" {
		return nil
	}
	var wanted []string
	for _, g := range o.gives {
		wanted = append(wanted, fmt.Sprint(g.status, " ", g.media))
		if g.status != a.status || g.media != media && g.media != "*/*" {
			continue
		}
		if g.of == nil {
			return nil
		}
		return d.fits(g.of, a.body)
	}
	return fmt.Errorf("%s answers %d %s; described are %v", route, a.status, media, wanted)
}

func (d *described) resolved(t reflect.Type) (*jsonschema.Resolved, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ready, ok := d.ready[t]; ok {
		return ready, nil
	}
	schema, err := d.schemas.of(t, nil, false)
	if err != nil {
		return nil, err
	}
	d.ready[t], err = schema.Resolve(nil)
	return d.ready[t], err
}

func (d *described) fits(t reflect.Type, body []byte) error {
	ready, err := d.resolved(t)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	if err := ready.Validate(v); err != nil {
		return fmt.Errorf("%w in %.600s", err, body)
	}
	return nil
}

func TestEveryRouteIsDescribedAndEveryDescriptionIsARoute(t *testing.T) {
	h := open(t, nil)
	var routes, described []string
	for _, p := range h.patterns {
		if p == "/" { // refuses what is not GET itself
			p = "GET /"
		}
		routes = append(routes, p)
	}
	for _, o := range operations() {
		described = append(described, o.route)
	}
	slices.Sort(routes)
	slices.Sort(described)
	for _, r := range routes {
		if !slices.Contains(described, r) {
			t.Errorf("%s is not described: add it to the tables of api_*.go", r)
		}
	}
	for _, r := range described {
		if !slices.Contains(routes, r) {
			t.Errorf("%s is described, but is no route", r)
		}
	}
	if twice := slices.Compact(slices.Clone(described)); len(twice) != len(described) {
		t.Error("a route is described twice")
	}
}

func TestEveryDescribedRouteAnswers(t *testing.T) {
	h := open(t, shelved)
	for _, o := range operations() {
		method, path, _ := strings.Cut(o.route, " ")
		path = inPath.ReplaceAllString(strings.ReplaceAll(path, "...}", "}"), "run_aaaaaaaaaaaaaaaaaaaaaaaaaa")
		if strings.HasSuffix(path, "/events") && !strings.Contains(o.route, "{id}") {
			continue // it never ends
		}
		var body any
		if o.takes != nil {
			body = "{}"
		}
		a := h.send(t, method, path, body, nil)
		unrouted := a.status == http.StatusMethodNotAllowed || a.status == http.StatusNotFound && strings.Contains(string(a.body), "There is no such route.")
		if unrouted || a.status == http.StatusInternalServerError {
			t.Errorf("%s: %d %s", o.route, a.status, a.body)
		}
		if public := h.send(t, method, path, body, func(r *http.Request) { r.Header.Del("Authorization") }); o.free == (public.status == http.StatusUnauthorized) && path != "/launch" {
			t.Errorf("%s without a token: %d", o.route, public.status)
		}
	}
}

func TestSamplesAreWhatTheirSchemasSay(t *testing.T) {
	s := newSchemas()
	for _, o := range operations() {
		if o.takes == nil || o.takes.of == nil {
			continue
		}
		schema, err := s.of(o.takes.of, o.needs, true)
		if err != nil {
			t.Errorf("%s: %v", o.route, err)
			continue
		}
		ready := must[*jsonschema.Resolved](t)(schema.Resolve(nil))
		var sample any
		if err := json.Unmarshal([]byte(o.takes.example), &sample); err != nil {
			t.Errorf("%s: sample %q: %v", o.route, o.takes.example, err)
			continue
		}
		if err := ready.Validate(sample); err != nil {
			t.Errorf("%s: %v", o.route, err)
		}
		fields, _ := sample.(map[string]any)
		for _, name := range o.needs {
			less := map[string]any{}
			for k, v := range fields {
				if k != name {
					less[k] = v
				}
			}
			if schema.Properties[name] == nil || ready.Validate(less) == nil {
				t.Errorf("%s: %s is needed, and left out all the same", o.route, name)
			}
		}
		for name := range fields {
			if len(schema.Properties) > 0 && schema.Properties[name] == nil {
				t.Errorf("%s: the sample has %q, which nobody reads", o.route, name)
			}
		}
	}
}

func TestTheDescriptionIsServedWhole(t *testing.T) {
	h := open(t, nil)
	a := h.send(t, "GET", "/api/openapi.json", nil, nil)
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]struct{ OperationID string }
		Components struct{ Schemas map[string]any }
	}
	if a.into(t, &doc); a.status != 200 || doc.OpenAPI != "3.1.0" {
		t.Fatalf("%d %.200s", a.status, a.body)
	}
	ids := map[string]bool{}
	for _, methods := range doc.Paths {
		for _, o := range methods {
			if o.OperationID == "" || ids[o.OperationID] {
				t.Errorf("operation %q stands twice or is empty", o.OperationID)
			}
			ids[o.OperationID] = true
		}
	}
	if len(ids) != len(operations()) {
		t.Errorf("%d operations of %d", len(ids), len(operations()))
	}
	for _, ref := range strings.Split(string(a.body), `"$ref":"#/components/schemas/`)[1:] {
		if name, _, _ := strings.Cut(ref, `"`); doc.Components.Schemas[name] == nil {
			t.Errorf("there is no schema %s", name)
		}
	}
}
