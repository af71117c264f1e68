package library_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"footnote/backend/library"
)

func TestAFolderWithoutRightsSaysSoAndLosesNothing(t *testing.T) {
	h := newHouse(t)
	var closed atomic.Pointer[string]
	h.refused = func(path string) bool {
		at := closed.Load()
		return at != nil && (path == *at || strings.HasPrefix(path, *at+"/"))
	}
	h.open()
	h.write("open.txt", "the lamp was lit")
	h.write("inner/keepers.txt", "the keepers were paid")
	h.addAll()
	root := h.root()
	wantShut(t, h, root)

	inner := filepath.Join(h.docs, "inner")
	closed.Store(&inner)
	must(t, h.Rescan(t.Context()))
	wantShut(t, h, root, inner)
	wantNames(t, h.finds("keepers"), "keepers.txt") // what was read of it stays
	must(t, h.Rescan(t.Context(), h.docs))
	wantShut(t, h, root, inner) // once, however often it was looked for

	closed.Store(&h.docs)
	must(t, h.Rescan(t.Context()))
	wantShut(t, h, root, h.docs)
	if states := h.states(); len(states) != 2 {
		t.Errorf("listed %v", states)
	}

	h.write("new.txt", "a new file")
	closed.Store(nil)
	must(t, library.LookForRoots(h.Library, t.Context()))
	wantShut(t, h, root)
	h.wait()
	wantNames(t, h.finds("new"), "new.txt")
}

func TestAFolderWithoutRightsIsReadOnceItMay(t *testing.T) {
	h := newHouse(t)
	var closed atomic.Bool
	closed.Store(true)
	h.refused = func(string) bool { return closed.Load() }
	h.open()
	h.write("a.txt", "the lamp was lit")
	result, err := h.Add(t.Context(), []string{h.docs}, true)
	must(t, err)
	if len(result.Skipped) != 1 || !strings.Contains(result.Skipped[0].Reason, "no permission") {
		t.Errorf("skipped %+v", result.Skipped)
	}
	root := h.root()
	wantShut(t, h, root, h.docs)
	must(t, library.LookForRoots(h.Library, t.Context()))
	wantShut(t, h, root, h.docs)
	closed.Store(false)
	must(t, library.LookForRoots(h.Library, t.Context()))
	h.wait()
	wantNames(t, h.finds("lamp"), "a.txt")
	wantShut(t, h, root)
	closed.Store(true)
	must(t, h.Rescan(t.Context()))
	must(t, h.Remove(t.Context(), root))
	wantShut(t, h, root)
}

// root is the id of the only root.
func (h *house) root() string {
	h.t.Helper()
	roots, err := h.db.Roots(h.t.Context())
	must(h.t, err)
	if len(roots) != 1 {
		h.t.Fatalf("roots %+v", roots)
	}
	return roots[0].ID
}

func wantShut(t *testing.T, h *house, root string, want ...string) {
	t.Helper()
	var got []string
	for _, s := range h.Shut(root) {
		got = append(got, s.Path)
		if !strings.Contains(s.Reason, "no permission") {
			t.Errorf("%s: %q", s.Path, s.Reason)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("cannot be looked into: %v, want %v", got, want)
	}
}
