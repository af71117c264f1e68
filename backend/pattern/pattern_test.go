package pattern_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"footnote/backend/pattern"
)

// An expression that is malformed would be found when it is first used.
func TestEveryExpressionOfTheProgramCompiles(t *testing.T) {
	known := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte("pattern.New(")) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !isNew(call.Fun) {
				return true
			}
			text, ok := literal(call.Args[0])
			if !ok { // made of parts: the tests of its room use it
				return true
			}
			known++
			if _, err := regexp.Compile(text); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if known < 100 {
		t.Errorf("only %d expressions were found", known)
	}
}

func isNew(f ast.Expr) bool {
	s, ok := f.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "pattern"
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

func TestAnExpressionIsCompiledOnceAndAsItIs(t *testing.T) {
	re := pattern.New(`(\d+) (apples|pears)`)
	if re.String() != `(\d+) (apples|pears)` || !re.MatchString("12 pears") || re.MatchString("pears") {
		t.Error("it is another expression")
	}
	if got := re.FindStringSubmatch("buy 3 apples"); len(got) != 3 || got[1] != "3" || got[2] != "apples" {
		t.Errorf("groups %q", got)
	}
	if got := re.ReplaceAllString("3 apples and 4 pears", "$2"); got != "apples and pears" {
		t.Errorf("replaced %q", got)
	}
}

func TestAMalformedExpressionPanicsWhenItIsUsed(t *testing.T) {
	re := pattern.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("it was used")
		}
	}()
	re.MatchString("x")
}
