package store

import (
	"slices"
	"testing"

	"footnote/backend/library"
	"footnote/backend/library/walk"
)

func TestFilesAreListedInAnOrderPageByPage(t *testing.T) {
	db := open(t)
	file := func(id, path string, size, modified int64) library.File {
		return library.File{ID: id, Path: path, Listed: true, State: library.Ready, Stamp: walk.Stamp{Size: size, Modified: modified}}
	}
	if err := db.PutFiles(t.Context(), []library.File{
		file("fil_b", "/z/Beta.txt", 20, 3), file("fil_a", "/y.d/alpha", 20, 1), file("fil_c", "/x/gamma.PDF", 5, 2), file("fil_d", "/x/alpha.pdf", 9, 2),
	}); err != nil {
		t.Fatal(err)
	}
	for wish, want := range map[string][]string{
		"":      {"fil_b", "fil_a", "fil_c", "fil_d"},
		"name":  {"fil_a", "fil_d", "fil_b", "fil_c"},
		"-name": {"fil_c", "fil_b", "fil_d", "fil_a"},
		"kind":  {"fil_a", "fil_c", "fil_d", "fil_b"},
		"size":  {"fil_c", "fil_d", "fil_b", "fil_a"},
		"-date": {"fil_b", "fil_d", "fil_c", "fil_a"},
	} {
		var got []string
		for after := ""; ; {
			files, next, err := db.Files(t.Context(), library.FileQuery{Sort: wish, Limit: 1, After: after})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				got = append(got, f.ID)
			}
			if after = next; after == "" || len(got) > len(want) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", wish, got, want)
		}
	}
	if _, _, err := db.Files(t.Context(), library.FileQuery{Sort: "colour"}); err == nil {
		t.Error("an order that is none was taken")
	}
}
