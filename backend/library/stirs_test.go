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

func TestWhoComesLateHearsWhatIsStillKeptAndWhatFollows(t *testing.T) {
	h := newHouse(t).open()
	begun := h.LastEvent()
	for range 5000 {
		h.Publish(told{})
	}
	for _, after := range []int64{0, begun, begun + 10} {
		n, last := 0, int64(0)
		for e := range h.Events(t.Context(), after) {
			n, last = n+1, e.Seq
			if n == 4096 {
				h.Publish(library.Gone{})
			}
			if _, ok := e.Body.(library.Gone); ok && n > 4096 {
				break
			}
		}
		if n != 4097 || last != h.LastEvent() {
			t.Errorf("after %d came %d events, the last with number %d of %d", after, n, last, h.LastEvent())
		}
	}
}

func TestNumbersOfEventsGrowFromProcessToProcess(t *testing.T) {
	h := newHouse(t).open()
	for range 2 {
		h.Publish(told{})
	}
	before := h.LastEvent()
	h.close()
	h.open()
	h.Publish(told{})
	for e := range h.Events(t.Context(), before) {
		if _, ok := e.Body.(told); ok {
			break // who followed the process before hears of what the next one does
		}
	}
	if now := h.LastEvent(); now <= before {
		t.Errorf("%d follows %d", now, before)
	}
}
