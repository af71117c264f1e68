package typescript

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

type colour string

const (
	red  colour = "red"
	blue colour = "blue"
)

type base struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type page[E any] struct {
	Items []E     `json:"items"`
	Next  *string `json:"next"`
}

type thing struct {
	base
	Name   int               `json:"name"` // hides the inner one
	At     time.Time         `json:"at"`
	End    *time.Time        `json:"end,omitempty"`
	Note   string            `json:"note,omitempty"`
	Marks  [][2]int          `json:"marks"`
	Counts map[colour]int    `json:"counts"`
	Any    any               `json:"any"`
	Raw    json.RawMessage   `json:"raw"`
	Of     *page[base]       `json:"of"`
	Hidden string            `json:"-"`
	Extra  map[string]string `json:"extra"`
}

func TestATypeIsWrittenAsItsJSON(t *testing.T) {
	m := New("../..")
	m.consts("colour", string(red), string(blue))
	if got := m.Of(reflect.TypeFor[thing]()); got != "Thing" {
		t.Fatal(got)
	}
	want := `export interface Thing {
  id: string;
  name: number;
  at: string;
  end?: string;
  note?: string;
  marks: [number, number][];
  counts: Partial<Record<Colour, number>>;
  any: unknown;
  raw: unknown;
  of: Page<Base> | null;
  extra: Record<string, string>;
}`
	for _, text := range []string{want, "export type Colour = 'red' | 'blue';", "export interface Page<T> {\n  items: T[];\n  next: string | null;\n}"} {
		if !strings.Contains(m.String(), text) {
			t.Errorf("want %s\nin %s", text, m)
		}
	}
	if err := m.Err(); err != nil {
		t.Error(err)
	}
}

// consts says which values a type has: the comments and constants of tests are not read.
func (m *Module) consts(name string, values ...string) {
	pkg := reflect.TypeFor[thing]().PkgPath()
	m.source.read(pkg)
	m.source.consts[pkg+"."+name] = values
}

func TestABodyMayLeaveOutWhatIsNotNeeded(t *testing.T) {
	m := New("../..")
	m.Request(reflect.TypeFor[base](), []string{"id"})
	if want := "  id: string;\n  name?: string;"; !strings.Contains(m.String(), want) {
		t.Errorf("want %s in %s", want, m)
	}
	if got := m.Request(reflect.TypeFor[map[string]any](), nil); got != "Record<string, unknown>" {
		t.Error(got)
	}
}

func TestATypeOfAnswersThatIsSentTooIsPartial(t *testing.T) {
	m := New("../..")
	m.Of(reflect.TypeFor[base]())
	if got, want := m.Request(reflect.TypeFor[base](), []string{"id"}), "Partial<Base> & Pick<Base, 'id'>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestListsOfSomeTypesMayBeNull(t *testing.T) {
	m := New("../..")
	m.NullLists(reflect.TypeFor[page[base]]())
	m.Of(reflect.TypeFor[page[base]]())
	if want := "items: T[] | null;"; !strings.Contains(m.String(), want) {
		t.Errorf("want %s in %s", want, m)
	}
}

func TestTwoTypesWithOneNameAreRefused(t *testing.T) {
	m := New("../..")
	m.Name(reflect.TypeFor[base](), "Thing")
	m.Of(reflect.TypeFor[thing]())
	if m.Err() == nil {
		t.Error("a name stands for two types")
	}
	m = New("../..")
	if m.Of(reflect.TypeFor[chan int]()); m.Err() == nil {
		t.Error("a channel was written")
	}
}

func TestCommentsAndConstantsAreReadFromTheSource(t *testing.T) {
	m := New("../..")
	m.Of(reflect.TypeFor[Module]())
	if want := "/** One file of declarations."; !strings.Contains(m.String(), want) {
		t.Errorf("want %s in %s", want, m)
	}
}
