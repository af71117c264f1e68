package typescript

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Module is one file of declarations. A type is declared when it is first used,
// and everything that it is made of with it.
type Module struct {
	source   *source
	names    map[string]reflect.Type // declared, by name
	bodies   map[string]string
	chosen   map[reflect.Type]string
	fixed    map[reflect.Type]string
	nullable map[reflect.Type]bool
	errs     []error
}

// New makes a module of the Go module at root, whose comments and constants it
// reads.
func New(root string) *Module {
	return &Module{
		source: newSource(root), names: map[string]reflect.Type{}, bodies: map[string]string{},
		chosen: map[reflect.Type]string{}, fixed: builtin(), nullable: map[reflect.Type]bool{},
	}
}

// Name chooses the name of a type, where its own is taken or private.
func (m *Module) Name(t reflect.Type, name string) { m.chosen[t] = name }

// As has a type written as it is said here, like "string".
func (m *Module) As(t reflect.Type, text string) { m.fixed[t] = text }

// NullLists says that lists of these types may be null.
func (m *Module) NullLists(types ...reflect.Type) {
	for _, t := range types {
		m.nullable[t] = true
	}
}

// Declare adds a declaration by name: what no Go type says.
func (m *Module) Declare(name, text string) {
	if _, taken := m.bodies[name]; taken {
		m.errs = append(m.errs, fmt.Errorf("%s is declared twice", name))
	}
	m.bodies[name] = text
}

// Request adds a type that is only sent: fields but the needed ones may be left out.
func (m *Module) Request(t reflect.Type, needs []string) string {
	if t.Kind() != reflect.Struct || t.Name() == "" {
		return m.Of(t)
	}
	if name := m.nameOf(t); m.names[name] == t {
		return partial(name, needs)
	}
	return m.declared(t, func(f field) bool { return !slices.Contains(needs, f.name) })
}

// partial is a type of answers that is sent too.
func partial(name string, needs []string) string {
	if len(needs) == 0 {
		return "Partial<" + name + ">"
	}
	return fmt.Sprintf("Partial<%s> & Pick<%s, %s>", name, name, quoted(needs))
}

// String is the text of the module, in the order of names.
func (m *Module) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m.bodies)) {
		b.WriteString("\n" + m.bodies[name] + "\n")
	}
	return b.String()
}

// Err tells what could not be said.
func (m *Module) Err() error { return errors.Join(append(m.errs, m.source.err)...) }

// quoted writes a union of texts.
func quoted(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = "'" + strings.ReplaceAll(v, "'", `\'`) + "'"
	}
	return strings.Join(out, " | ")
}
