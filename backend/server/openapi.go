package server

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/server/openai"
)

// schemas makes the schema of each Go type once.
type schemas struct {
	known map[reflect.Type]*jsonschema.Schema
	named map[string]any // components of the description
}

func newSchemas() *schemas {
	return &schemas{known: map[reflect.Type]*jsonschema.Schema{}, named: map[string]any{}}
}

// special are types whose JSON is not what their fields say.
func special() map[reflect.Type]*jsonschema.Schema {
	names := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "array", Items: &jsonschema.Schema{Type: "string"}}, {Type: "null"}}}
	return map[reflect.Type]*jsonschema.Schema{
		// A question is given back as it was asked: what it left out is null.
		reflect.TypeFor[evidence.Scope]():    {Type: "object", Properties: map[string]*jsonschema.Schema{"files": names, "folders": names, "collections": names}},
		reflect.TypeFor[json.RawMessage]():   {},
		reflect.TypeFor[openai.Content]():    {Types: []string{"string", "array", "null"}},
		reflect.TypeFor[openai.Input]():      {Types: []string{"string", "array", "null"}},
		reflect.TypeFor[openai.List]():       {Types: []string{"string", "array", "null"}},
		reflect.TypeFor[openai.ToolChoice](): {Types: []string{"string", "object", "null"}},
		reflect.TypeFor[time.Duration]():     {Type: "integer"},
	}
}

// of gives the schema of a type. Further fields are always allowed: clients skip
// what they do not know. needs are the only fields that a request must have; nil
// is an answer, in which nothing is left out.
func (s *schemas) of(t reflect.Type, needs []string, request bool) (*jsonschema.Schema, error) {
	if known, ok := s.known[t]; ok && !request {
		return known, nil
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: special()})
	if err != nil {
		return nil, err
	}
	loosen(schema, request)
	if request {
		need(schema, needs)
	} else {
		s.known[t] = schema
	}
	return schema, nil
}

// loosen allows further fields everywhere, and in requests lets every field be
// left out or null.
func loosen(s *jsonschema.Schema, request bool) {
	if s == nil {
		return
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil // a struct, not a map
	}
	if !request && s.Items != nil && len(s.Types) > 0 {
		s.Type, s.Types = "array", nil // an empty list is [], never null
	}
	if request {
		s.Required = nil
		if s.Type != "" {
			s.Types, s.Type = []string{"null", s.Type}, ""
		}
	}
	for _, p := range s.Properties {
		loosen(p, request)
	}
	loosen(s.Items, request)
	loosen(s.AdditionalProperties, request)
}

// need makes a request of a schema: it is never null, and the fields that it must
// have hold something.
func need(s *jsonschema.Schema, fields []string) {
	filled(s)
	s.Required = fields
	for _, name := range fields {
		if p := s.Properties[name]; p != nil {
			filled(p)
			if slices.Contains(p.Types, "array") || p.Type == "array" {
				p.MinItems = jsonschema.Ptr(1)
			}
			if p.Items != nil {
				filled(p.Items)
			}
		}
	}
}

// filled lets a schema be neither null nor a text without a letter.
func filled(s *jsonschema.Schema) {
	s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	if s.Type == "string" {
		s.Pattern = `\S`
	}
}

// parameter is the schema of a parameter of the query.
func parameter(q api.Parameter) map[string]any {
	schema := map[string]any{"type": "string"}
	switch {
	case q.Of == reflect.TypeFor[api.Limit]():
		schema = map[string]any{"type": "integer", "minimum": 1, "maximum": 200}
	case q.Of.Kind() == reflect.Bool:
		schema = map[string]any{"type": "boolean"}
	case q.Of.Kind() == reflect.Int:
		schema = map[string]any{"type": "integer", "minimum": 0}
	case q.Needed:
		schema["pattern"] = `\S`
	}
	return map[string]any{"name": q.Name, "in": "query", "description": q.Says, "required": q.Needed, "schema": schema}
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// reference names the schema of a type among the components; a type without a
// name stands where it is used.
func (s *schemas) reference(t reflect.Type, schema *jsonschema.Schema, request bool) any {
	name := strings.ReplaceAll(t.Name(), "backend/api.", "backend/server.") // clients have made types of these names
	name = notInNames.ReplaceAllString(regexp.MustCompile(`[A-Za-z0-9/.-]*/`).ReplaceAllString(name, ""), "_")
	if name == "" {
		return schema
	}
	name = strings.ToUpper(name[:1]) + strings.Trim(name[1:], "_")
	if request {
		name += "_request"
	}
	s.named[name] = schema
	return map[string]string{"$ref": "#/components/schemas/" + name}
}

func (s *schemas) content(b api.Shape, needs []string, request bool) (map[string]any, error) {
	if b.Media == "" {
		return nil, nil
	}
	if b.Of == nil {
		return map[string]any{b.Media: map[string]any{}}, nil
	}
	schema, err := s.of(b.Of, needs, request)
	if err != nil {
		return nil, err
	}
	media := map[string]any{"schema": s.reference(b.Of, schema, request)}
	if b.Sample != "" {
		media["example"] = json.RawMessage(b.Sample)
	}
	return map[string]any{b.Media: media}, nil
}

// description is the API in the terms of OpenAPI 3.1.
func description(version string, routes []api.Route) (map[string]any, error) {
	s := newSchemas()
	paths := map[string]map[string]any{}
	for _, o := range routes {
		method, path, _ := strings.Cut(o.Pattern, " ")
		path = strings.ReplaceAll(path, "...}", "}")
		described, err := s.operation(o, method, path)
		if err != nil {
			return nil, err
		}
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(method)] = described
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]string{"title": "Footnote", "version": version, "description": "Answers from your files and the web, each sentence with a footnote that opens at its passage."},
		"servers": []map[string]string{{"url": "/"}}, "security": []map[string][]string{{"token": {}}, {"session": {}}},
		"paths": paths,
		"components": map[string]any{"schemas": s.named, "securitySchemes": map[string]any{
			"token":   map[string]string{"type": "http", "scheme": "bearer", "description": "The token in the data folder, new at each start."},
			"session": map[string]string{"type": "apiKey", "in": "cookie", "name": cookieName, "description": "Of a browser that opened the one-time address."},
		}},
	}, nil
}

var inPath = regexp.MustCompile(`{(\w+)}`)

func (s *schemas) operation(o api.Route, method, path string) (map[string]any, error) {
	params := []map[string]any{}
	text := map[string]string{"type": "string"}
	for _, name := range inPath.FindAllStringSubmatch(path, -1) {
		params = append(params, map[string]any{"name": name[1], "in": "path", "required": true, "schema": text})
	}
	for _, q := range o.Asks {
		params = append(params, parameter(q))
	}
	responses := map[string]any{}
	for _, g := range o.Gives {
		content, err := s.content(g.Shape, nil, false)
		if err != nil {
			return nil, err
		}
		key := strconv.Itoa(g.Status)
		if before, ok := responses[key].(map[string]any); ok { // the same status in another form
			for media, v := range content {
				before["content"].(map[string]any)[media] = v
			}
			continue
		}
		response := map[string]any{"description": http.StatusText(g.Status)}
		if content != nil {
			response["content"] = content
		}
		responses[key] = response
	}
	failed, err := s.content(api.Shape{Of: failureType(path), Media: "application/json"}, nil, false)
	if err != nil {
		return nil, err
	}
	responses["default"] = map[string]any{"description": "What went wrong", "content": failed}
	out := map[string]any{
		"operationId": operationID(method, path), "summary": o.Says, "tags": []string{tagOf(path)}, "parameters": params, "responses": responses,
	}
	if o.Free {
		out["security"] = []map[string][]string{{}}
	}
	if o.Takes != nil {
		content, err := s.content(*o.Takes, o.Needs, true)
		if err != nil {
			return nil, err
		}
		out["requestBody"] = map[string]any{"required": len(o.Needs) > 0, "content": content}
	}
	return out, nil
}

// failureType is the form of errors on a path.
func failureType(path string) reflect.Type {
	return reflect.TypeOf(failureFor(path, 0, api.Failure{}))
}

func operationID(method, path string) string {
	words := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/{}.-", r) })
	return strings.ToLower(method) + "_" + cmp.Or(strings.Join(words, "_"), "shell")
}

func tagOf(path string) string {
	words := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, "/"), "api/"), "/")
	return cmp.Or(words[0], "shell")
}

// describe gives the description.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request) {
	s.document.once.Do(func() { s.document.doc, s.document.err = description(s.rooms.Version, described(s.table())) })
	reply(w, http.StatusOK, s.document.doc, s.document.err)
}
