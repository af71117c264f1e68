package backend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"footnote/backend/settings"
)

// TestEverySettingIsRead walks the syntax of every room but settings: a key that
// nobody reads does nothing, and is a lie to whoever sets it. What is passed on as
// a whole, such as a map or a struct given to a function, counts as read.
func TestEverySettingIsRead(t *testing.T) {
	w := newSettingsWalk()
	rooms := parseRooms(t)
	for _, pkg := range rooms {
		w.share(pkg)
	}
	for _, pkg := range rooms {
		w.walk(pkg)
	}
	for field, method := range map[string]string{ // of settings themselves, by which they are read
		"LibrarySettings.ChunkChars": "LibrarySettings.Split", "LibrarySettings.ChunkOverlap": "LibrarySettings.Split", "LibrarySettings.WholeChars": "LibrarySettings.Split",
		"OllamaProvider.URL": "ProvidersSettings.URLs",
	} {
		w.read[field] = w.read[method]
	}
	if len(w.read) < 100 {
		t.Fatalf("only %d keys are seen to be read: the walk is broken", len(w.read))
	}
	page := readByThePage(t)
	for _, key := range keysOf(reflect.TypeFor[settings.Settings](), "") {
		if !w.isRead(key) && !slices.Contains(page, key) {
			t.Errorf("nobody reads %s", key)
		}
	}
}

// readByThePage are the keys that the front end takes the value of.
func readByThePage(t *testing.T) (keys []string) {
	t.Helper()
	shell, err := os.ReadFile(filepath.Join("..", "frontend", "src", "App.svelte"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`settings\.value(?:<\w+>)?\('([a-z_.]+)'`).FindAllStringSubmatch(string(shell), -1) {
		keys = append(keys, m[1])
	}
	return keys
}

// TestAKeyThatNobodyReadsIsSeen holds the walk itself against code that reads
// one key, sets another and only names a third.
func TestAKeyThatNobodyReadsIsSeen(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
		type holder struct { s settings.Settings; now func() settings.Settings }
		func (h holder) do() int { web := h.now().Web; return web.Results }
		func ask(s settings.DeepSettings) int { return s.Turns }
		func other(p Page) int { return p.Facts }
		func whole(h holder) { use(h.s.Rank.Presets) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := newSettingsWalk()
	w.walk([]*ast.File{file})
	for key, want := range map[string]bool{"web.results": true, "deep.turns": true, "rank.presets": true, "deep.facts": false, "web.parallel": false, "deep.pages": false} {
		if got := w.isRead(key); got != want {
			t.Errorf("%s is read: %v, want %v", key, got, want)
		}
	}
}

// keysOf are the keys of a struct of settings, as in defaults.toml.
func keysOf(t reflect.Type, prefix string) (keys []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		key := prefix + f.Tag.Get("toml")
		if f.Type.Kind() == reflect.Struct && f.Type.PkgPath() == t.PkgPath() && f.Type.NumField() > 0 && f.Type.Field(0).Tag.Get("toml") != "" {
			keys = append(keys, keysOf(f.Type, key+".")...)
			continue
		}
		keys = append(keys, key)
	}
	return keys
}

// parseRooms parses every package outside settings, without tests.
func parseRooms(t *testing.T) map[string][]*ast.File {
	t.Helper()
	rooms, set := map[string][]*ast.File{}, token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "settings" {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		rooms[filepath.Dir(path)] = append(rooms[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}

// settingsWalk finds out which fields of the settings are selected. It knows the
// types of settings by name, and of a package what is declared or assigned with
// them. Two things of one name are taken for either.
type settingsWalk struct {
	types map[string]reflect.Type // by name, as in settings.WebSettings
	read  map[string]bool         // "WebSettings.Results"
	names map[string][]reflect.Type
	// shared are exported names of every package: fields and functions that others
	// select by them.
	shared map[string][]reflect.Type
}

func newSettingsWalk() *settingsWalk {
	w := &settingsWalk{types: map[string]reflect.Type{}, read: map[string]bool{}, shared: map[string][]reflect.Type{}}
	w.learn(reflect.TypeFor[settings.Settings]())
	return w
}

func (w *settingsWalk) learn(t reflect.Type) {
	if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || w.types[t.Name()] != nil {
		return
	}
	w.types[t.Name()] = t
	for i := range t.NumField() {
		w.learn(t.Field(i).Type)
	}
}

// share learns the exported names of a package.
func (w *settingsWalk) share(files []*ast.File) {
	w.names = map[string][]reflect.Type{}
	for _, f := range files {
		ast.Inspect(f, w.declare)
	}
	for name, types := range w.names {
		if ast.IsExported(name) {
			w.shared[name] = append(w.shared[name], types...)
		}
	}
}

func (w *settingsWalk) walk(files []*ast.File) {
	w.names = map[string][]reflect.Type{}
	for name, types := range w.shared {
		w.names[name] = slices.Clone(types)
	}
	for _, visit := range []func(ast.Node) bool{w.declare, w.assign, w.assign, w.choose} {
		for _, f := range files {
			ast.Inspect(f, visit)
		}
	}
}

// declare learns what is declared with a type of settings, or as a function that
// gives one.
func (w *settingsWalk) declare(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Field:
		for _, name := range n.Names {
			w.name(name.Name, w.named(n.Type))
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			w.name(name.Name, w.named(n.Type))
		}
	case *ast.FuncDecl:
		w.name(n.Name.Name, w.named(n.Type))
	}
	return true
}

// assign learns the names that settings are assigned to.
func (w *settingsWalk) assign(n ast.Node) bool {
	if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
		for i, to := range a.Lhs {
			if name, ok := to.(*ast.Ident); ok {
				w.name(name.Name, w.typesOf(a.Rhs[i])...)
			}
		}
	}
	return true
}

// choose notes which fields are selected.
func (w *settingsWalk) choose(n ast.Node) bool {
	if s, ok := n.(*ast.SelectorExpr); ok {
		for _, of := range w.typesOf(s.X) {
			w.read[of.Name()+"."+s.Sel.Name] = true
		}
	}
	return true
}

func (w *settingsWalk) name(name string, types ...reflect.Type) {
	for _, t := range types {
		if t.Kind() == reflect.Struct && w.types[t.Name()] == t && !slices.Contains(w.names[name], t) {
			w.names[name] = append(w.names[name], t)
		}
	}
}

// named is the type of settings that a type expression names, or none.
func (w *settingsWalk) named(e ast.Expr) reflect.Type {
	switch e := e.(type) {
	case *ast.StarExpr:
		return w.named(e.X)
	case *ast.FuncType:
		if e.Results != nil && len(e.Results.List) > 0 {
			return w.named(e.Results.List[0].Type)
		}
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok && from.Name == "settings" && w.types[e.Sel.Name] != nil {
			return w.types[e.Sel.Name]
		}
	}
	return reflect.TypeFor[int]()
}

// typesOf are the types of settings that an expression may have. Settings as a
// whole come from Now, whatever it is called on.
func (w *settingsWalk) typesOf(e ast.Expr) (types []reflect.Type) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.typesOf(e.X)
	case *ast.StarExpr:
		return w.typesOf(e.X)
	case *ast.UnaryExpr:
		return w.typesOf(e.X)
	case *ast.CallExpr:
		return w.typesOf(e.Fun)
	case *ast.Ident:
		return w.names[e.Name]
	case *ast.IndexExpr:
		for _, of := range w.typesOf(e.X) {
			if of.Kind() == reflect.Map || of.Kind() == reflect.Slice {
				types = append(types, of.Elem())
			}
		}
	case *ast.SelectorExpr:
		for _, of := range w.typesOf(e.X) {
			if of.Kind() != reflect.Struct {
				continue
			}
			if f, ok := of.FieldByName(e.Sel.Name); ok {
				types = append(types, f.Type)
			}
		}
		if e.Sel.Name == "Now" {
			types = append(types, w.types["Settings"])
		}
		if len(types) == 0 {
			types = w.names[e.Sel.Name]
		}
	}
	return types
}

// isRead reports whether the field of a key is selected somewhere.
func (w *settingsWalk) isRead(key string) bool {
	t := w.types["Settings"]
	for i, step := range strings.Split(key, ".") {
		at := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.Tag.Get("toml") == step })
		if at < 0 {
			return false
		}
		f := t.Field(at)
		if i == strings.Count(key, ".") {
			return w.read[t.Name()+"."+f.Name]
		}
		t = f.Type
	}
	return false
}
