package library_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/fault"
)

func TestWhyNamesTheCutThatRemovedAFile(t *testing.T) {
	h := newHouse(t)
	for i := range 40 {
		h.write(fmt.Sprintf("tide%02d.txt", i), strings.Repeat("tide tables ", 3)+fmt.Sprint("of harbour ", i))
	}
	h.write("lone.txt", "One tide among many other things that are said here about ships and sails and ropes and lamps")
	h.write("far.txt", "Nothing of it.")
	h.write("bad.txt", "!encrypted")
	h.open().addAll()

	why := func(name, question string) string {
		t.Helper()
		w, err := h.Why(t.Context(), filepath.Join(h.docs, name), question, 24)
		must(t, err)
		if w.Indexed == (w.Reason != "") || w.Path != filepath.Join(h.docs, name) {
			t.Errorf("%s: %+v", name, w)
		}
		return w.CutBy
	}
	for _, c := range []struct{ name, question, want string }{
		{"tide03.txt", "harbour 3 tide tables", ""},
		{"lone.txt", "tide tables", "Rank 41: only 24 candidates are looked at."},
		{"bad.txt", "tide tables", "The file is not searchable: because encrypted"},
		{"lone.txt", `"tide tables"`, "No passage of the file has the quoted words as they are written, without those to be left out."},
		{"lone.txt", "tide type:pdf", "The question asks only for other files: type, folder, after or before leave this one out."},
	} {
		if got := why(c.name, c.question); got != c.want {
			t.Errorf("%s for %q is cut by %q, want %q", c.name, c.question, got, c.want)
		}
	}
	w, err := h.Why(t.Context(), filepath.Join(h.docs, "lone.txt"), "tide tables", 24)
	must(t, err)
	if w.Best == nil || !strings.HasPrefix(w.Best.Snippet, "One tide") || w.Ranks.Keyword == nil || *w.Ranks.Keyword != 41 || *w.Ranks.Fused != 41 {
		t.Errorf("%+v", w)
	}
	if _, err := h.Why(t.Context(), "fil_none", "tide", 24); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an unknown file: %v", err)
	}
}
