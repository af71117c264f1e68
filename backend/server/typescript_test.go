package server

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/export"
	"footnote/backend/fault"
	"footnote/backend/library"
	search "footnote/backend/library/asked"
	"footnote/backend/refresh"
	"footnote/backend/registry"
	"footnote/backend/table"
	"footnote/backend/typescript"
	"footnote/backend/web"
)

var update = flag.Bool("update", false, "write the page's types anew")

const generatedTypes = "../../frontend/src/api/generated.ts"

const generatedHead = `// Generated from the Go types and routes: do not edit. Write it anew with  go run ./build types

/* eslint-disable */
`

func TestThePageHasTheTypesOfTheRoutes(t *testing.T) {
	m := typescript.New("../..")
	wordsOfThePage(m)
	routesOf(m)
	m.Declare("RunEvent", unionOf(m, "RunEvent", "run: string; seq: number; at: string", contract.Bodies(), func(b contract.Body) string { return string(b.Kind()) }))
	libraryBodies := append(library.Bodies(), refresh.News{})
	m.Declare("LibraryEvent", unionOf(m, "LibraryEvent", "seq: number; at: string", libraryBodies, library.EventBody.Kind))
	m.Declare("JobEvent", jobEventOf(m))
	m.Of(reflect.TypeFor[api.TableEvent]())
	m.Declare("engineLabels", labelsOf(append(registry.Engines(), registry.Computer())))
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	text := generatedHead + m.String()
	if *update {
		if err := os.WriteFile(generatedTypes, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	before, err := os.ReadFile(filepath.FromSlash(generatedTypes))
	if err != nil || strings.ReplaceAll(string(before), "\r\n", "\n") != text {
		t.Errorf("frontend/src/api/generated.ts is not what the Go types say (%v): write it anew with  go run ./build types", err)
	}
}

// wordsOfThePage are the names and forms that the types alone do not give.
func wordsOfThePage(m *typescript.Module) {
	m.Name(reflect.TypeFor[evidence.Kind](), "SourceKind")
	m.Name(reflect.TypeFor[web.Standing](), "EngineStanding")
	m.Name(reflect.TypeFor[export.Replayed](), "BundleReplayed")
	m.As(reflect.TypeFor[fault.Code](), "string") // the page has codes of its own
	m.As(reflect.TypeFor[contract.Event](), "RunEvent")
	m.Name(reflect.TypeFor[library.Noticed](), "LibraryNotice")
	m.Name(reflect.TypeFor[search.Search](), "Understood")
	m.Name(reflect.TypeFor[api.Failure](), "ErrorBody")
	m.Name(reflect.TypeFor[table.File](), "TableFile")
	m.Name(reflect.TypeFor[table.Cell](), "TableCell")
	m.Name(reflect.TypeFor[table.State](), "CellState")
	m.NullLists(
		reflect.TypeFor[evidence.Scope](), reflect.TypeFor[contract.Scoped](), reflect.TypeFor[contract.Finding](), reflect.TypeFor[contract.Evaluation](),
		reflect.TypeFor[contract.ClarifyAsked](), reflect.TypeFor[trace.Span](), reflect.TypeFor[trace.Ranking](), reflect.TypeFor[trace.Replayed](),
		reflect.TypeFor[library.Counted](), reflect.TypeFor[api.TraceView](), reflect.TypeFor[api.SentFile](),
	)
}

// routesOf declares what each route of the native API takes and gives.
func routesOf(m *typescript.Module) {
	var rows []string
	native := api.New(&api.Rooms{}).Table()
	for _, o := range native { // answers first: what is only sent may leave fields out
		for _, g := range o.Gives {
			if g.Of != nil {
				m.Of(g.Of)
			}
		}
	}
	for _, o := range native {
		row := "gives: " + givenIn(m, o)
		if o.Takes != nil && o.Takes.Of != nil {
			row = "takes: " + m.Request(o.Takes.Of, alwaysNeeded(native, o.Takes.Of)) + "; " + row
		}
		if names := askedBy(o); names != "" {
			row = "asks: " + names + "; " + row
		}
		rows = append(rows, fmt.Sprintf("  /** %s */\n  '%s': { %s };", o.Says, o.Pattern, row))
	}
	m.Declare("Routes", "/** Every route of the native API: parameters of its query, its body and its answer. */\nexport interface Routes {\n"+strings.Join(rows, "\n")+"\n}")
}

// alwaysNeeded are the fields of a body that every route needs which takes it.
func alwaysNeeded(all []api.Route, body reflect.Type) (needs []string) {
	first := true
	for _, o := range all {
		switch {
		case o.Takes == nil || o.Takes.Of != body:
		case first:
			needs, first = slices.Clone(o.Needs), false
		default:
			needs = slices.DeleteFunc(needs, func(name string) bool { return !slices.Contains(o.Needs, name) })
		}
	}
	return needs
}

// givenIn is the answer of a route that a page reads.
func givenIn(m *typescript.Module, o api.Route) string {
	for _, g := range o.Gives {
		switch {
		case g.Of != nil:
			return m.Of(g.Of)
		case g.Status == http.StatusNoContent:
			return "void"
		}
	}
	return "Response"
}

func askedBy(o api.Route) string {
	names := make([]string, len(o.Asks))
	for i, q := range o.Asks {
		names[i] = "'" + q.Name + "'"
	}
	return strings.Join(names, " | ")
}

// unionOf is a sum of events, told apart by their kind.
func unionOf[B any](m *typescript.Module, name, envelope string, bodies []B, kind func(B) string) string {
	var kinds []string
	for _, b := range bodies {
		kinds = append(kinds, "  "+kind(b)+": "+m.Of(reflect.TypeOf(b))+";")
	}
	table := name + "Bodies"
	return "export interface " + table + " {\n" + strings.Join(kinds, "\n") + "\n}\n\n" +
		"/** One numbered fact; a client skips kinds that it does not know. */\nexport type " + name + " = {\n  [K in keyof " + table + "]: { " + envelope + "; kind: K; body: " + table + "[K] };\n}[keyof " + table + "];"
}

// jobEventOf are those of a job: how it stands, and its end.
func jobEventOf(m *typescript.Module) string {
	return fmt.Sprintf("/** A job that outlasts the request that began it; the last two kinds end it. */\n"+
		"export type JobEvent = { job: string; seq: number; at: string } & (\n"+
		"  | { kind: 'pulling'; body: %s }\n  | { kind: 'done'; body: unknown }\n  | { kind: 'failed'; body: %s }\n);",
		m.Of(reflect.TypeFor[api.PullStep]()), m.Of(reflect.TypeFor[api.Failure]()))
}

// labelsOf are engines by the names people know.
func labelsOf(engines []registry.Engine) string {
	var rows strings.Builder
	for _, e := range engines {
		fmt.Fprintf(&rows, "  %s: '%s',\n", e.Name, e.Label)
	}
	return "/** Search engines by the names people know. */\nexport const engineLabels = {\n" + rows.String() + "};"
}
