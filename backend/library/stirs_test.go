package library_test

import (
	"iter"
	"testing"

	"footnote/backend/library"
)

type told struct{}

func (told) Kind() string { return "told" }

func TestOthersHearOfFilesAndMayTellThroughTheLibrary(t *testing.T) {
	h := newHouse(t).open()
	stirs, stop := iter.Pull(library.Stirs(t.Context(), h.Library))
	defer stop()
	heard := make(chan bool)
	go func() { _, ok := stirs(); heard <- ok }()
	before := h.LastEvent()
	h.Publish(told{})
	for e := range h.Events(t.Context(), before) {
		if _, ok := e.Body.(told); ok {
			break
		}
	}
	h.write("a.txt", "a sentence")
	h.addAll()
	h.eventually("a file stirs", func() bool {
		h.Publish(library.Gone{File: "fil_a", State: "removed"}) // the reader may have come after the file
		select {
		case ok := <-heard:
			return ok
		default:
			return false
		}
	})
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for ok := true; ok; {
		_, ok = stirs()
	}
}
