package librarytest

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/topics"
	"footnote/backend/library/walk"
	"footnote/backend/store/quantize"
)

// Catalog runs the suite of catalogs; open gives an empty one.
func Catalog(t *testing.T, open func(*testing.T) library.Catalog) {
	t.Run("a text goes from one file to another in one batch", func(t *testing.T) { textChangesFile(t, open) })
	for what, holds := range map[string]func(*testing.T, library.Catalog){
		"a file is only ready while its text is there":                        onlyReadyWithText,
		"texts go to the index once and come back when their name changes":    indexedOnce,
		"vectors are made once per passage and embedder":                      vectorsOnce,
		"passages without vectors are given across texts until all have them": vectorsAcrossTexts,
		"files are selected by every field":                                   selection,
		"files are listed in an order page by page":                           order,
		"topics stay with their text and leave with it":                       topicsStay,
		"what was removed is forgotten":                                       forgotten,
		"passages are as they were stored":                                    passagesAsStored,
		"vectors come with their text":                                        vectorsWithText,
		"scopes are resolved":                                                 scopes,
		"roots, named sets and notes are kept":                                kept,
	} {
		t.Run(what, func(t *testing.T) { holds(t, open(t)) })
	}
}

var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Document makes the text of a file, a text of n passages, one a line.
func Document(address string, lines ...string) (evidence.Document, []evidence.Passage) {
	text := strings.Join(lines, "\n")
	digest := evidence.Digest([]byte(text))
	doc := evidence.Document{
		Source: evidence.Source{ID: evidence.NewSourceID(evidence.File, address, digest), Kind: evidence.File, Title: "T " + address, Address: address, Digest: digest, Seen: start},
		Text:   text, Coverage: evidence.Coverage{Pages: 2, Read: 1}, Flags: []string{"partly-read"},
	}
	var passages []evidence.Passage
	at := 0
	for i, line := range lines {
		n := len([]rune(line))
		doc.Blocks = append(doc.Blocks, evidence.Block{Start: at, End: at + len(line), Kind: evidence.Paragraph})
		passages = append(passages, evidence.Passage{ID: evidence.NewPassageID(digest, at, at+n), Text: line, Index: i, At: evidence.Locator{Page: 1, Start: at, End: at + n, Heading: "H"}})
		at += len(line) + 1
	}
	return doc, passages
}

// FileOf is the row of a file that was read.
func FileOf(path string, doc evidence.Document) library.File {
	return library.File{ID: evidence.ID("fil", path), Path: path, Root: "rot_1", Listed: true, Digest: doc.Source.Digest, State: library.Ready, Indexed: start, Stamp: walk.Stamp{Size: int64(len(doc.Text))}}
}

// In one batch a file leaves a text and another one, which was read while the
// first still had it, comes to it: the text must stay.
func textChangesFile(t *testing.T, open func(*testing.T) library.Catalog) {
	for _, first := range []int{0, 1} {
		db := open(t)
		doc, passages := Document("/docs/a.txt", "one", "two")
		next, nextPassages := Document("/docs/a.txt", "three")
		must(t, db.Commit(t.Context(), []library.Intake{{File: FileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
		batch := []library.Intake{{File: FileOf("/docs/a.txt", next), Document: &next, Passages: nextPassages}, {File: FileOf("/docs/b.txt", doc)}}
		if first == 1 {
			batch[0], batch[1] = batch[1], batch[0]
		}
		must(t, db.Commit(t.Context(), batch))
		due, err := db.Unindexed(t.Context(), 100)
		must(t, err)
		if len(due) != 3 {
			t.Errorf("%d passages wait for the index, want 3", len(due))
		}
		known, err := db.Known(t.Context(), []string{doc.Source.Digest, next.Source.Digest})
		must(t, err)
		if len(known) != 2 {
			t.Errorf("%d texts are known", len(known))
		}
	}
}

func onlyReadyWithText(t *testing.T, db library.Catalog) {
	doc, passages := Document("/docs/a.txt", "one", "two")
	next, nextPassages := Document("/docs/a.txt", "three")
	old := FileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: old, Document: &doc, Passages: passages}}))
	must(t, db.Commit(t.Context(), []library.Intake{{File: FileOf("/docs/a.txt", next), Document: &next, Passages: nextPassages}}))
	moved := old // as a look through the folder remembers it
	moved.Path = "/docs/b.txt"
	must(t, db.PutFiles(t.Context(), []library.File{moved}))
	files, _, err := db.Files(t.Context(), library.FileQuery{IDs: []string{moved.ID}})
	must(t, err)
	if len(files) != 1 || files[0].State != library.Waiting || files[0].Path != "/docs/b.txt" {
		t.Errorf("%+v", files)
	}
}

func indexedOnce(t *testing.T, db library.Catalog) {
	doc, passages := Document("/docs/a.txt", "one", "two")
	empty, _ := Document("/docs/e.txt", "")
	f := FileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}, {File: FileOf("/docs/e.txt", empty), Document: &empty}}))
	due := func() []library.Placed {
		t.Helper()
		placed, err := db.Unindexed(t.Context(), 100)
		must(t, err)
		return placed
	}
	if placed := due(); len(placed) != 2 || placed[0].Path != "/docs/a.txt" || placed[1].Passage.Text != "two" {
		t.Fatalf("got %+v", placed)
	}
	must(t, db.MarkIndexed(t.Context(), []string{doc.Source.Digest}, true))
	if placed := due(); len(placed) != 0 {
		t.Errorf("still due: %+v", placed)
	}
	must(t, db.PutFiles(t.Context(), []library.File{f})) // nothing new
	if placed := due(); len(placed) != 0 {
		t.Errorf("due after no change: %+v", placed)
	}
	f.Path = "/docs/b.txt"
	must(t, db.PutFiles(t.Context(), []library.File{f}))
	if placed := due(); len(placed) != 2 || placed[0].Path != "/docs/b.txt" {
		t.Errorf("after a move: %+v", placed)
	}
	must(t, db.MarkIndexed(t.Context(), nil, false))
	if placed := due(); len(placed) != 2 {
		t.Errorf("for a rebuild: %+v", placed)
	}
}

func vectorsOnce(t *testing.T, db library.Catalog) {
	doc, passages := Document("/docs/a.txt", "one", "two", "three")
	must(t, db.Commit(t.Context(), []library.Intake{{File: FileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	var kept []float32
	for range 2 {
		placed, err := db.Unvectored(t.Context(), "e1", 2)
		must(t, err)
		ids, vectors := []evidence.PassageID{}, [][]float32{}
		for i, p := range placed {
			ids, vectors = append(ids, p.Passage.ID), append(vectors, []float32{float32(i), 0.5})
		}
		vectors[0] = nil // cannot have one
		must(t, db.PutVectors(t.Context(), "e1", false, append(ids, "psg_gone"), append(vectors, []float32{1})))
		for _, v := range vectors {
			kept = append(kept, v...)
		}
	}
	placed, err := db.Unvectored(t.Context(), "e1", 2)
	must(t, err)
	totals, err := db.Totals(t.Context(), "e1")
	must(t, err)
	if len(placed) != 0 || totals.Vectors != 3 {
		t.Errorf("left %v, totals %+v", placed, totals)
	}
	var seen []float32
	must(t, db.EachVector(t.Context(), "e1", func(_ []evidence.PassageID, _ []string, vectors []quantize.Steps) error {
		for _, v := range vectors {
			seen = append(seen, v.Vector()...)
		}
		return nil
	}))
	if !slices.Equal(seen, kept) || len(seen) != 2 || math.Abs(float64(seen[1]-0.5)) > 1./254 {
		t.Errorf("vectors %v, kept %v", seen, kept)
	}
	if placed, err = db.Unvectored(t.Context(), "e2", 10); err != nil || len(placed) != 3 {
		t.Errorf("another embedder: %v %v", placed, err)
	}
}

func vectorsAcrossTexts(t *testing.T, db library.Catalog) {
	want := map[evidence.PassageID]bool{}
	for i, words := range [][]string{{"one", "two", "three"}, {}, {"four"}, {}, {"five", "six"}, {}, {}} {
		path := fmt.Sprintf("/docs/%d.txt", i)
		doc, passages := Document(path, words...)
		doc.Source.Digest += path
		for i, p := range passages {
			passages[i].ID = evidence.NewPassageID(doc.Source.Digest, p.At.Start, p.At.End)
		}
		f := FileOf(path, doc)
		must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
		for _, p := range passages {
			want[p.ID] = true
		}
	}
	for range 10 {
		placed, err := db.Unvectored(t.Context(), "e1", 2)
		must(t, err)
		if len(placed) > 2 {
			t.Fatalf("%d at once", len(placed))
		}
		ids, vectors := []evidence.PassageID{}, [][]float32{}
		for _, p := range placed {
			if !want[p.Passage.ID] || p.Path == "" {
				t.Errorf("given: %+v", p)
			}
			delete(want, p.Passage.ID)
			ids, vectors = append(ids, p.Passage.ID), append(vectors, []float32{1, 2})
		}
		must(t, db.PutVectors(t.Context(), "e1", false, ids, vectors))
	}
	totals, err := db.Totals(t.Context(), "e1")
	must(t, err)
	if len(want) != 0 || totals.Vectors != totals.Chunks {
		t.Errorf("left %v, totals %+v", want, totals)
	}
}

func selection(t *testing.T, db library.Catalog) {
	must(t, db.PutRoot(t.Context(), library.Root{ID: "rot_1", Path: "/docs", Folder: true, Reachable: true, Added: start}))
	must(t, db.PutRoot(t.Context(), library.Root{ID: "rot_2", Path: "/drive", Folder: true, Added: start}))
	put := func(path, root string, state library.State, listed bool) {
		must(t, db.PutFiles(t.Context(), []library.File{{ID: evidence.ID("fil", path), Path: path, Root: root, Listed: listed, State: state}}))
	}
	put("/docs/a.txt", "rot_1", library.Ready, true)
	put("/docs/ÄB_c.txt", "rot_1", library.Waiting, true)
	put("/docs/sub/d.txt", "rot_1", library.Failed, true)
	put("/docs/out.txt", "rot_1", library.Removed, true)
	put("/docs2/e.txt", "", library.Ready, false)
	put("/drive/f.txt", "rot_2", library.Ready, true)
	for want, q := range map[string]library.FileQuery{
		"a.txt ÄB_c.txt d.txt f.txt":               {},
		"a.txt ÄB_c.txt d.txt out.txt e.txt f.txt": {Unlisted: true, Hidden: true},
		"ÄB_c.txt":    {Q: "äb_C"},
		"a.txt":       {States: []library.State{library.Ready}},
		"a.txt f.txt": {States: []library.State{library.Ready, library.NotReachable}},
		"d.txt":       {Under: []string{"/docs/sub"}},
		"d.txt f.txt": {Under: []string{"/docs/sub/", "/drive/f.txt"}},
		"f.txt":       {Root: "rot_2"},
		"d.txt e.txt": {IDs: []string{evidence.ID("fil", "/docs2/e.txt"), evidence.ID("fil", "/docs/sub/d.txt")}, Unlisted: true},
	} {
		files, _, err := db.Files(t.Context(), q)
		must(t, err)
		var names []string
		for _, f := range files {
			names = append(names, filepath.Base(f.Path))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	var all []string
	for after := ""; ; {
		page, next, err := db.Files(t.Context(), library.FileQuery{Limit: 3, After: after})
		must(t, err)
		for _, f := range page {
			all = append(all, f.Path)
		}
		if after = next; next == "" {
			break
		}
	}
	if len(all) != 4 {
		t.Errorf("paged %v", all)
	}
}

func order(t *testing.T, db library.Catalog) {
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

func topicsStay(t *testing.T, db library.Catalog) {
	doc, passages := Document("/docs/a.txt", "lamps and oil")
	f := FileOf("/docs/a.txt", doc)
	words := []topics.Word{{Word: "lamps", Weight: 4}, {Word: "oil", Weight: 2}}
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages, Words: words, Topics: []string{"oil"}}}))
	topics := func() []string {
		t.Helper()
		files, _, err := db.Files(t.Context(), library.FileQuery{IDs: []string{f.ID}})
		must(t, err)
		return files[0].Topics
	}
	if got := topics(); !slices.Equal(got, []string{"oil"}) {
		t.Errorf("got %v", got)
	}
	kept, err := db.TopicWords(t.Context())
	must(t, err)
	n, err := db.TopicTexts(t.Context())
	must(t, err)
	if n != 1 || len(kept) != 1 {
		t.Fatalf("%d texts, words %v", n, kept)
	}
	for text, list := range kept {
		if !slices.Equal(list, words) {
			t.Errorf("got %v", list)
		}
		must(t, db.PutTopics(t.Context(), map[int64][]string{text: {"lamps", "oil"}, 999: {"gone"}}))
	}
	if got := topics(); !slices.Equal(got, []string{"lamps", "oil"}) {
		t.Errorf("got %v", got)
	}
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	if n, err := db.TopicTexts(t.Context()); err != nil || n != 0 {
		t.Errorf("%d %v", n, err)
	}
}

func committed(t *testing.T, db library.Catalog, path string, lines ...string) (library.File, []evidence.Passage) {
	t.Helper()
	doc, passages := Document(path, lines...)
	f := FileOf(path, doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	return f, passages
}

// forgotten: a text goes with its last file, and the index is told; it comes back
// as if it were new.
func forgotten(t *testing.T, db library.Catalog) {
	a, passages := committed(t, db, "/docs/a.txt", "one", "two")
	b := a
	b.ID, b.Path = "fil_b", "/docs/b.txt"
	must(t, db.PutFiles(t.Context(), []library.File{b}))
	must(t, db.DropFiles(t.Context(), []string{a.ID, "fil_none"}))
	if dropped, err := db.Dropped(t.Context(), 10); err != nil || len(dropped) > 0 {
		t.Errorf("another file has it: %v %v", dropped, err)
	}
	must(t, db.DropFiles(t.Context(), []string{b.ID}))
	dropped, err := db.Dropped(t.Context(), 10)
	if must(t, err); len(dropped) != 2 {
		t.Fatalf("to be dropped: %v", dropped)
	}
	where, err := db.Passages(t.Context(), []evidence.PassageID{passages[0].ID})
	if must(t, err); len(where) > 0 {
		t.Errorf("still there: %v", where)
	}
	must(t, db.Forgotten(t.Context(), dropped[:1]))
	committed(t, db, "/docs/a.txt", "one", "two")
	if dropped, err = db.Dropped(t.Context(), 10); err != nil || len(dropped) > 0 {
		t.Errorf("came back: %v %v", dropped, err)
	}
}

func passagesAsStored(t *testing.T, db library.Catalog) {
	f, passages := committed(t, db, "/docs/ü.txt", "Größe — 5 µm", "two\tblanks  and “quotes”", "日本語")
	ids := []evidence.PassageID{passages[2].ID, passages[1].ID, passages[0].ID, evidence.NewPassageID("none", 0, 1)}
	placed, err := db.Passages(t.Context(), ids)
	must(t, err)
	if len(placed) != 3 {
		t.Fatalf("%d passages", len(placed))
	}
	slices.SortFunc(placed, func(a, b library.Placed) int { return a.Passage.Index - b.Passage.Index })
	for i, p := range placed {
		if p.Passage != passages[i] || p.Digest != f.Digest {
			t.Errorf("%+v, want %+v", p, passages[i])
		}
	}
	first, err := db.Openings(t.Context(), []string{f.Digest, "none"})
	if must(t, err); len(first) != 1 || first[0].Passage != passages[0] {
		t.Errorf("opening: %+v", first)
	}
	where, err := db.Where(t.Context(), ids)
	if must(t, err); len(where) != 3 || where[ids[0]] != f.Digest {
		t.Errorf("where: %v", where)
	}
	known, err := db.Known(t.Context(), []string{f.Digest, "none"})
	if must(t, err); len(known) != 1 || known[f.Digest].Passages != 3 || known[f.Digest].Coverage.Pages != 2 {
		t.Errorf("known: %+v", known)
	}
}

func vectorsWithText(t *testing.T, db library.Catalog) {
	doc, passages := Document("/docs/a.txt", "one", "two", "three")
	vectors := [][]float32{{1, 0.5}, nil, {0.25, -1}}
	must(t, db.Commit(t.Context(), []library.Intake{{File: FileOf("/docs/a.txt", doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: vectors}}))
	if due, err := db.Unvectored(t.Context(), "e1", 10); err != nil || len(due) > 0 {
		t.Errorf("due: %v %v", due, err)
	}
	seen := map[evidence.PassageID][]float32{}
	must(t, db.EachVector(t.Context(), "e1", func(ids []evidence.PassageID, _ []string, stored []quantize.Steps) error {
		for i, id := range ids {
			seen[id] = stored[i].Vector()
		}
		return nil
	}))
	if len(seen) != 2 || !slices.Equal(seen[passages[2].ID], vectors[2]) {
		t.Errorf("%v, kept %v", seen, vectors)
	}
	failure := fmt.Errorf("full")
	if err := db.EachVector(t.Context(), "e1", func([]evidence.PassageID, []string, []quantize.Steps) error { return failure }); err != failure {
		t.Errorf("a failure comes back as %v", err)
	}
}

func scopes(t *testing.T, db library.Catalog) {
	a, _ := committed(t, db, "/docs/a.txt", "one")
	b, _ := committed(t, db, "/docs/sub/b.txt", "two")
	hidden := a
	hidden.ID, hidden.Path, hidden.Listed = "fil_c", "/tmp/c.txt", false
	must(t, db.PutFiles(t.Context(), []library.File{hidden}))
	for _, c := range []struct {
		files, folders []string
		want           []string
	}{
		{nil, nil, []string{a.Digest, b.Digest}},
		{[]string{a.ID}, nil, []string{a.Digest}},
		{[]string{b.Path}, nil, []string{b.Digest}},
		{nil, []string{"/docs/sub"}, []string{b.Digest}},
		{[]string{"fil_c"}, []string{"/docs/sub/"}, []string{a.Digest, b.Digest}},
		{[]string{"fil_none"}, nil, nil},
	} {
		got, err := db.Digests(t.Context(), c.files, c.folders)
		must(t, err)
		if len(got) != len(c.want) {
			t.Errorf("%v %v: %v", c.files, c.folders, got)
		}
		for _, digest := range c.want {
			if !got[digest] {
				t.Errorf("%v %v: %s is missing", c.files, c.folders, digest)
			}
		}
	}
	files, err := db.Holders(t.Context(), []string{a.Digest})
	if must(t, err); len(files) != 2 {
		t.Errorf("holders: %+v", files)
	}
}

func kept(t *testing.T, db library.Catalog) {
	root := library.Root{ID: "rot_1", Path: "/docs", Folder: true, Watch: true, Reachable: true, Added: start}
	must(t, db.PutRoot(t.Context(), root))
	roots, err := db.Roots(t.Context())
	if must(t, err); len(roots) != 1 || roots[0] != root {
		t.Errorf("roots: %+v", roots)
	}
	must(t, db.DropRoot(t.Context(), root.ID))
	if roots, err = db.Roots(t.Context()); err != nil || len(roots) > 0 {
		t.Errorf("roots: %+v %v", roots, err)
	}
	set := library.Collection{ID: "col_1", Name: "My papers", Files: []string{"fil_1"}, Folders: []string{"/docs"}, Made: start}
	must(t, db.PutCollection(t.Context(), set))
	other := set
	other.ID, other.Name = "col_2", "my-PAPERS"
	if err := db.PutCollection(t.Context(), other); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a name twice: %v", err)
	}
	sets, err := db.Collections(t.Context())
	if must(t, err); len(sets) != 1 || sets[0].Name != set.Name || !slices.Equal(sets[0].Folders, set.Folders) {
		t.Errorf("sets: %+v", sets)
	}
	must(t, db.DropCollection(t.Context(), set.ID))
	must(t, db.SetNote(t.Context(), "a", "1"))
	must(t, db.SetNote(t.Context(), "a", "2"))
	if value, err := db.Note(t.Context(), "a"); err != nil || value != "2" {
		t.Errorf("note %q %v", value, err)
	}
	if value, err := db.Note(t.Context(), "none"); err != nil || value != "" {
		t.Errorf("note %q %v", value, err)
	}
}
