package typescript

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// source is what reflection does not know: comments, and the constants of a type.
type source struct {
	root   string
	parsed map[string]bool
	docs   map[string]string   // by package.Type and package.Type.Field
	consts map[string][]string // by package.Type
	err    error
}

func newSource(root string) *source {
	return &source{root: root, parsed: map[string]bool{}, docs: map[string]string{}, consts: map[string][]string{}}
}

func (s *source) values(t reflect.Type) []string {
	s.read(t.PkgPath())
	return s.consts[key(t)]
}

func (s *source) doc(t reflect.Type) string {
	s.read(t.PkgPath())
	return s.docs[key(t)]
}

func (s *source) field(t reflect.Type, name string) string {
	s.read(t.PkgPath())
	return s.docs[key(t)+"."+name]
}

func key(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath() + "." + name
}

// read takes in a package of the module; others have nothing to tell.
func (s *source) read(pkg string) {
	module, path, _ := strings.Cut(pkg, "/")
	if s.parsed[pkg] || path == "" || strings.Contains(module, ".") {
		return
	}
	s.parsed[pkg] = true
	files, err := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(path), "*.go"))
	if err != nil {
		s.err = err
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			s.file(pkg, file)
		}
	}
}

func (s *source) file(pkg, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		s.err = err
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.err = err
		return
	}
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.GenDecl); ok {
			s.declaration(pkg, decl)
		}
	}
}

func (s *source) declaration(pkg string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := spec.Doc
			if doc == nil && len(decl.Specs) == 1 {
				doc = decl.Doc
			}
			s.typed(pkg+"."+spec.Name.Name, spec, doc)
		case *ast.ValueSpec:
			if decl.Tok == token.CONST {
				s.constant(pkg, spec)
			}
		}
	}
}

func (s *source) typed(name string, spec *ast.TypeSpec, doc *ast.CommentGroup) {
	s.docs[name] = said(doc, spec.Name.Name)
	body, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range body.Fields.List {
		text := said(f.Comment, "")
		if text == "" {
			text = said(f.Doc, "")
		}
		for _, n := range f.Names {
			s.docs[name+"."+n.Name] = text
		}
	}
}

// constant takes in a constant with a type and a text.
func (s *source) constant(pkg string, spec *ast.ValueSpec) {
	of, ok := spec.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, v := range spec.Values {
		if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && text != "" {
				s.consts[pkg+"."+of.Name] = append(s.consts[pkg+"."+of.Name], text)
			}
		}
	}
}

// said is a comment without the name it begins with.
func said(doc *ast.CommentGroup, name string) string {
	text := strings.Join(strings.Fields(doc.Text()), " ")
	for _, start := range []string{name + " is ", name + " are "} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			text = rest
		}
	}
	if text == "" || name == "" { // of a field: often its values, as they are written
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func comment(text, indent string) string {
	if text == "" {
		return ""
	}
	return "/** " + strings.ReplaceAll(text, "*/", "* /") + " */\n" + indent
}
