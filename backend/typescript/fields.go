package typescript

import (
	"reflect"
	"slices"
	"strings"
)

// field is one name of an object.
type field struct {
	name  string
	of    reflect.Type
	omits bool // it is left out when it is empty
	doc   string
}

// members are the lines of an object.
func (m *Module) members(t reflect.Type, optional func(field) bool) []string {
	var lines []string
	for _, f := range m.fields(t) {
		mark, text := "", ""
		switch {
		case f.omits && f.of.Kind() == reflect.Pointer:
			mark, text = "?", m.Of(f.of.Elem())
		default:
			text = m.Of(f.of)
		}
		if optional != nil && f.of.Kind() == reflect.Struct { // of a body, what is in it may be left out too
			text = "Partial<" + text + ">"
		}
		if f.omits || optional != nil && optional(f) {
			mark = "?"
		}
		if m.nullable[t] && f.of.Kind() == reflect.Slice && !f.omits {
			text += " | null"
		}
		lines = append(lines, comment(f.doc, "  ")+f.name+mark+": "+text+";")
	}
	return lines
}

// fields are what encoding/json writes of a struct: an embedded one gives its
// fields, and a name of the outer one hides theirs.
func (m *Module) fields(t reflect.Type) []field {
	var own, inner []field
	order := map[string]int{}
	for f := range t.Fields() {
		name, omits, ok := tagOf(f)
		if !ok {
			continue
		}
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			inner = append(inner, m.fields(f.Type)...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		order[name] = len(own)
		own = append(own, field{name, f.Type, omits, m.source.field(t, f.Name)})
	}
	inner = slices.DeleteFunc(inner, func(f field) bool { _, hidden := order[f.name]; return hidden })
	return append(inner, own...)
}

// tagOf reads how a field is written; ok is false when it is not.
func tagOf(f reflect.StructField) (name string, omits, ok bool) {
	tag := f.Tag.Get("json")
	if tag == "-" || !f.IsExported() && !f.Anonymous {
		return "", false, false
	}
	parts := strings.Split(tag, ",")
	return parts[0], slices.Contains(parts[1:], "omitempty") || slices.Contains(parts[1:], "omitzero"), true
}
