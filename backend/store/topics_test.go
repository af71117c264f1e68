package store

import (
	"slices"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/library/topics"
)

func TestTopicsStayWithTheirTextAndLeaveWithIt(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "lamps and oil")
	f := fileOf("/docs/a.txt", doc)
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
