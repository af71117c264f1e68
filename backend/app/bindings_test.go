package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/api"
)

// TestTheWindowBindsWhatItsPageCalls holds the routes that the window offers to its
// page against the page's own source: what nobody calls need not be reachable from
// whatever a page may come to show.
func TestTheWindowBindsWhatItsPageCalls(t *testing.T) {
	var page strings.Builder
	src := filepath.Join("..", "..", "frontend", "src")
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err != nil || d.IsDir() || name == "generated.ts" || strings.HasSuffix(name, ".test.ts") || !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".svelte") {
			return err
		}
		text, err := os.ReadFile(path)
		page.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := func(pattern string) bool { return strings.Contains(page.String(), "'"+pattern+"'") }
	bound := newBindings(t.Context(), &api.Rooms{}, nil).routes
	if len(bound) < 50 {
		t.Fatalf("only %d routes are bound", len(bound))
	}
	for pattern := range bound {
		if !calls(pattern) {
			t.Errorf("%s is bound and no page calls it: call it, or mark the row ForOthers", pattern)
		}
	}
	rows := api.New(&api.Rooms{}).Table()
	for _, r := range rows {
		if r.Others && calls(r.Pattern) {
			t.Errorf("a page calls %s, which is for other programs", r.Pattern)
		}
	}
	if !slices.ContainsFunc(rows, func(r api.Route) bool { return r.Others }) {
		t.Error("no row is for other programs: the mark does nothing")
	}
}
