package server

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"footnote/backend/api"
)

// documented is the description as tests hold answers against it.
type documented struct {
	mux     *http.ServeMux // finds the operation of a request
	ops     map[string]api.Route
	schemas *schemas
	mu      sync.Mutex
	ready   map[reflect.Type]*jsonschema.Resolved
}

// allRoutes is the table.
func allRoutes() []api.Route {
	return described((&Server{api: api.New(&api.Rooms{}), door: newDoor(Options{})}).table())
}

var theAPI = sync.OnceValue(func() *documented {
	d := &documented{mux: http.NewServeMux(), ops: map[string]api.Route{}, schemas: newSchemas(), ready: map[reflect.Type]*jsonschema.Resolved{}}
	for _, o := range allRoutes() {
		d.ops[o.Pattern] = o
		d.mux.HandleFunc(o.Pattern, func(http.ResponseWriter, *http.Request) {})
	}
	return d
})

// conforms holds an answer against the description of its route; answers of
// addresses that are no routes are errors, and have their form.
func (d *documented) conforms(r *http.Request, a answered) error {
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
	for _, g := range o.Gives {
		wanted = append(wanted, fmt.Sprint(g.Status, " ", g.Media))
		if g.Status != a.status || g.Media != media && g.Media != "*/*" {
			continue
		}
		if g.Of == nil {
			return nil
		}
		return d.fits(g.Of, a.body)
	}
	return fmt.Errorf("%s answers %d %s; described are %v", route, a.status, media, wanted)
}

func (d *documented) resolved(t reflect.Type) (*jsonschema.Resolved, error) {
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

func (d *documented) fits(t reflect.Type, body []byte) error {
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

func TestEveryDescribedRouteAnswers(t *testing.T) {
	h := open(t, shelved)
	for _, o := range allRoutes() {
		method, path, _ := strings.Cut(o.Pattern, " ")
		path = inPath.ReplaceAllString(strings.ReplaceAll(path, "...}", "}"), "run_aaaaaaaaaaaaaaaaaaaaaaaaaa")
		if strings.HasSuffix(path, "/events") && !strings.Contains(o.Pattern, "{id}") {
			continue // it never ends
		}
		var body any
		if o.Takes != nil {
			body = "{}"
		}
		a := h.send(t, method, path, body, nil)
		unrouted := a.status == http.StatusMethodNotAllowed || a.status == http.StatusNotFound && strings.Contains(string(a.body), "There is no such route.")
		if unrouted || a.status == http.StatusInternalServerError {
			t.Errorf("%s: %d %s", o.Pattern, a.status, a.body)
		}
		if public := h.send(t, method, path, body, func(r *http.Request) { r.Header.Del("Authorization") }); o.Free == (public.status == http.StatusUnauthorized) && path != "/launch" {
			t.Errorf("%s without a token: %d", o.Pattern, public.status)
		}
	}
}

func TestSamplesAreWhatTheirSchemasSay(t *testing.T) {
	s := newSchemas()
	for _, o := range allRoutes() {
		if o.Takes == nil || o.Takes.Of == nil {
			continue
		}
		schema, err := s.of(o.Takes.Of, o.Needs, true)
		if err != nil {
			t.Errorf("%s: %v", o.Pattern, err)
			continue
		}
		ready := must[*jsonschema.Resolved](t)(schema.Resolve(nil))
		var sample any
		if err := json.Unmarshal([]byte(o.Takes.Sample), &sample); err != nil {
			t.Errorf("%s: sample %q: %v", o.Pattern, o.Takes.Sample, err)
			continue
		}
		if err := ready.Validate(sample); err != nil {
			t.Errorf("%s: %v", o.Pattern, err)
		}
		fields, _ := sample.(map[string]any)
		for _, name := range o.Needs {
			less := map[string]any{}
			for k, v := range fields {
				if k != name {
					less[k] = v
				}
			}
			if schema.Properties[name] == nil || ready.Validate(less) == nil {
				t.Errorf("%s: %s is needed, and left out all the same", o.Pattern, name)
			}
		}
		for name := range fields {
			if len(schema.Properties) > 0 && schema.Properties[name] == nil {
				t.Errorf("%s: the sample has %q, which nobody reads", o.Pattern, name)
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
	if len(ids) != len(allRoutes()) {
		t.Errorf("%d operations of %d", len(ids), len(allRoutes()))
	}
	for _, ref := range strings.Split(string(a.body), `"$ref":"#/components/schemas/`)[1:] {
		if name, _, _ := strings.Cut(ref, `"`); doc.Components.Schemas[name] == nil {
			t.Errorf("there is no schema %s", name)
		}
	}
}
