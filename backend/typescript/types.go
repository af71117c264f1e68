package typescript

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

func builtin() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[time.Time]():       "string",
		reflect.TypeFor[json.RawMessage](): "unknown",
		reflect.TypeFor[[]byte]():          "string",
		reflect.TypeFor[struct{}]():        "Record<string, never>",
	}
}

// Of gives the text of a type where it is used.
func (m *Module) Of(t reflect.Type) string {
	if text, ok := m.fixed[t]; ok {
		return text
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.Of(t.Elem()) + " | null"
	case reflect.String:
		return m.text(t)
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "unknown"
	case reflect.Struct:
		return m.structure(t)
	case reflect.Slice:
		return grouped(m.Of(t.Elem())) + "[]"
	case reflect.Array:
		return "[" + strings.Join(repeated(m.Of(t.Elem()), t.Len()), ", ") + "]"
	case reflect.Map:
		return m.mapping(t)
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64 {
		return "number"
	}
	m.errs = append(m.errs, fmt.Errorf("%s has no form in JSON", t))
	return "never"
}

func grouped(text string) string {
	if strings.ContainsAny(text, "|&") && !strings.HasPrefix(text, "{") {
		return "(" + text + ")"
	}
	return text
}

func repeated(text string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = text
	}
	return out
}

// text is a string, or one of the values that it has constants for.
func (m *Module) text(t reflect.Type) string {
	values := m.source.values(t)
	if len(values) == 0 {
		return "string"
	}
	return m.declaredAs(t, func(name string) string {
		return m.doc(t) + "export type " + name + " = " + quoted(values) + ";"
	})
}

func (m *Module) mapping(t reflect.Type) string {
	key := m.Of(t.Key())
	out := "Record<" + key + ", " + m.Of(t.Elem()) + ">"
	if key != "string" && key != "number" {
		return "Partial<" + out + ">"
	}
	return out
}

func (m *Module) structure(t reflect.Type) string {
	if t.Name() == "" {
		return "{ " + strings.Join(m.members(t, nil), " ") + " }"
	}
	if base, _, generic := strings.Cut(t.Name(), "["); generic {
		return m.generic(t, strings.ToUpper(base[:1])+base[1:])
	}
	return m.declared(t, nil)
}

// generic is a type with one parameter, of which it has a list.
func (m *Module) generic(t reflect.Type, base string) string {
	for f := range t.Fields() {
		if f.Type.Kind() != reflect.Slice {
			continue
		}
		item := f.Type.Elem()
		if _, known := m.bodies[base]; !known {
			m.bodies[base] = "" // its members are told with the parameter's name
			before, had := m.fixed[item]
			m.fixed[item] = "T"
			m.bodies[base] = m.doc(t) + body("export interface "+base+"<T>", m.members(t, nil))
			delete(m.fixed, item)
			if had {
				m.fixed[item] = before
			}
		}
		return base + "<" + m.Of(item) + ">"
	}
	m.errs = append(m.errs, fmt.Errorf("%s is generic in a way that is not known", t))
	return "never"
}

func (m *Module) declared(t reflect.Type, optional func(field) bool) string {
	return m.declaredAs(t, func(name string) string {
		return m.doc(t) + body("export interface "+name, m.members(t, optional))
	})
}

func body(head string, members []string) string {
	if len(members) == 0 {
		return head + " {}"
	}
	return head + " {\n  " + strings.Join(members, "\n  ") + "\n}"
}

// declaredAs declares a type once; of two with a name the second is an error.
func (m *Module) declaredAs(t reflect.Type, text func(string) string) string {
	name := m.nameOf(t)
	if other, ok := m.names[name]; ok {
		if other != t {
			m.errs = append(m.errs, fmt.Errorf("%s and %s are both %s: choose another name for one", t, other, name))
		}
		return name
	}
	m.names[name] = t
	m.bodies[name] = text(name)
	return name
}

func (m *Module) nameOf(t reflect.Type) string {
	if name, ok := m.chosen[t]; ok {
		return name
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

func (m *Module) doc(t reflect.Type) string { return comment(m.source.doc(t), "") }
