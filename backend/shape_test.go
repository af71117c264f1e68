package backend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// Sizes at which a file, a function, a struct, a type or a room holds more than one
// idea, whatever its name says.
const (
	mostLinesOfRoom     = 3500
	slackOfRoom         = 100 // that a large room may have lost before its number goes down
	mostLinesOfFile     = 450
	mostLinesOfFunction = 76
	mostFields          = 20
	mostMethods         = 25 // exported ones of an exported type
)

// wide are types that have more than most, as far as they may, each with the reason.
// The numbers only go down: what would raise one belongs in a type of its own.
var wide = map[string]struct {
	fields, methods int
	why             string
}{
	"backend/answer/contract.Question": {fields: 29, why: "one flat object on the wire (ADR 37)"},
	"backend/answer/contract.Answer":   {fields: 22, why: "one flat object on the wire (ADR 37)"},
	"backend/settings.WebSettings":     {fields: 29, why: "a section of defaults.toml, a field a key (ADR 38)"},
	"backend/settings.DeepSettings":    {fields: 23, why: "a section of defaults.toml, a field a key (ADR 38)"},
	"backend/store.DB":                 {methods: 111, why: "one file, locked, mended and backed up as one, behind a dozen ports"},
	"backend/postgres.Own":             {methods: 54, why: "the conversations of one person, behind the same ports"},
	"backend/postgres.View":            {methods: 31, why: "library.Catalog and library.Index of one person"},
	"backend/postgres.DB":              {methods: 30, why: "one pool of connections, behind the ports of a team"},
	"backend/library.Library":          {methods: 41, why: "all that a reader may do with files"},
	"backend/answer/journal.Live":      {methods: 30, why: "all that may happen to a run, under one lock"},
	"backend/lang.Code":                {methods: 27, why: "a table each, which has nothing but its language in common with the others"},
}

// large are rooms that have more lines than most, as far as they may, each with the reason.
// The numbers only go down: what would raise one belongs in a room of its own.
var large = map[string]struct {
	lines int
	why   string
}{
	"backend/api":      {4910, "the contract: a service a noun, a row a route"},
	"backend/cite":     {5600, "one verdict, which each part of the checker can change"},
	"backend/command":  {5900, "a file a command, which share nothing but their words"},
	"backend/eval":     {4750, "a file a measure, over one run of questions"},
	"backend/library":  {5750, "one library under one lock: files on their way in and out"},
	"backend/postgres": {3720, "the same ports as store and index, for several people"},
	"backend/server":   {4080, "one table of routes with what other programs expect of it"},
	"backend/store":    {5950, "one file, locked, mended and backed up as one"},
	"build":            {4250, "a file a task of building, checking and releasing"},
	"backend/web":      {5200, "the only way out: everything that dials strangers"},
}

// shape is what a walk over the syntax of all rooms counts.
type shape struct {
	lines   map[string]int // of a room
	methods map[string]int // of a type, exported ones
	fields  map[string]int
	long    map[string]int // files and functions over their most
}

func newShape() *shape {
	return &shape{lines: map[string]int{}, methods: map[string]int{}, fields: map[string]int{}, long: map[string]int{}}
}

func (s *shape) take(f goFile) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, f.path, f.source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := strings.Count(f.source, "\n")
	s.lines[f.room] += lines
	if lines > mostLinesOfFile {
		s.long[f.path] = lines
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.function(set, f, d)
		case *ast.GenDecl:
			s.types(f, d)
		}
	}
	return nil
}

func (s *shape) function(set *token.FileSet, f goFile, d *ast.FuncDecl) {
	if lines := set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1; lines > mostLinesOfFunction {
		s.long[f.path+" "+d.Name.Name] = lines
	}
	if d.Recv == nil || !d.Name.IsExported() {
		return
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	if name, ok := of.(*ast.Ident); ok && name.IsExported() {
		s.methods[f.room+"."+name.Name]++
	}
}

func (s *shape) types(f goFile, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		named, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		if fields, ok := named.Type.(*ast.StructType); ok {
			n := 0
			for _, field := range fields.Fields.List {
				n += max(1, len(field.Names))
			}
			s.fields[f.room+"."+named.Name.Name] = n
		}
	}
}

// TestNothingOutgrowsItsIdea holds the sizes outside tests, test houses among them.
func TestNothingOutgrowsItsIdea(t *testing.T) {
	s := newShape()
	for _, f := range goFiles(t) {
		if f.test || strings.HasSuffix(f.room, "test") {
			continue
		}
		if err := s.take(f); err != nil {
			t.Fatal(err)
		}
	}
	for what, lines := range s.long {
		t.Errorf("%s has %d lines: divide it by what it does", what, lines)
	}
	for room, lines := range s.lines {
		if most := max(mostLinesOfRoom, large[room].lines); lines > most {
			t.Errorf("%s has %d lines, and may have %d: find the ideas in it", room, lines, most)
		}
	}
	for name, n := range s.fields {
		if most := max(mostFields, wide[name].fields); n > most {
			t.Errorf("%s has %d fields, and may have %d: nest them by idea", name, n, most)
		}
	}
	for name, n := range s.methods {
		if most := max(mostMethods, wide[name].methods); n > most {
			t.Errorf("%s has %d exported methods, and may have %d: give some a type of their own", name, n, most)
		}
	}
	for room, l := range large {
		if l.lines > s.lines[room]+slackOfRoom {
			t.Errorf("%s has %d lines now: it may have no more from now on", room, s.lines[room])
		}
	}
	for name, w := range wide {
		if w.fields > s.fields[name] || w.methods > s.methods[name] {
			t.Errorf("%s has %d fields and %d exported methods now: it may have no more from now on", name, s.fields[name], s.methods[name])
		}
	}
}

// TestWhatOutgrowsIsSeen holds the walk itself.
func TestWhatOutgrowsIsSeen(t *testing.T) {
	s := newShape()
	source := "package a\n\ntype T[P any] struct {\n\ta, b int\n\tU\n}\n\nfunc (t *T[P]) Do() {" + strings.Repeat("\n\tdo()", mostLinesOfFunction) + "\n}\n\nfunc (T[P]) done() {}\n" + strings.Repeat("\n", mostLinesOfFile)
	if err := s.take(goFile{room: "a", path: "a/a.go", source: source}); err != nil {
		t.Fatal(err)
	}
	if s.fields["a.T"] != 3 || s.methods["a.T"] != 1 || s.long["a/a.go Do"] != mostLinesOfFunction+2 || s.long["a/a.go"] == 0 || s.lines["a"] <= mostLinesOfFile {
		t.Errorf("%+v", s)
	}
}
