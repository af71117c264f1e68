package library_test

import (
	"strings"
	"testing"
	"time"

	"footnote/backend/library"
)

func TestTopicsAreChosenWhenTheLibraryRests(t *testing.T) {
	h := newHouse(t).open()
	for _, name := range []string{"harbour", "lantern", "kelp"} {
		h.write(name+".txt", strings.Repeat("The "+name+" report says that "+name+" matters. ", 3))
	}
	h.addAll()
	must(t, h.Rest(t.Context()))
	note, err := h.db.Note(t.Context(), "topics.texts")
	must(t, err)
	files, _, err := h.Files(t.Context(), library.FileQuery{})
	must(t, err)
	if note != "3" || len(files) != 3 {
		t.Errorf("topics are those of %q texts, of %d files", note, len(files))
	}
}

func TestAMendedCatalogIsTold(t *testing.T) {
	l := library.New(library.Config{Mended: "It was damaged.", Now: time.Now})
	for e := range l.Events(t.Context(), 0) {
		if n, ok := e.Body.(library.Noticed); !ok || n.Code != "data-damaged" || n.Message != "It was damaged." {
			t.Errorf("told %+v", e.Body)
		}
		break
	}
	must(t, l.Close())
}
