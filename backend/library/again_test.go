package library_test

import (
	"context"
	"testing"

	"footnote/backend/library"
)

func TestWhatWasReadInPartIsReadAgainOnceMoreIsReadHere(t *testing.T) {
	h := newHouse(t)
	ability := "words"
	h.ability = func(context.Context) string { return ability }
	h.open()
	must(t, h.Rescan(t.Context()))
	half := h.write("half.txt", "half of it is a picture")
	h.write("whole.txt", "all of it are words")
	h.write("scan.txt", "!empty")
	h.write("locked.txt", "!encrypted")
	h.addAll()
	read := h.reader.files.Load()
	again := func(files int64, what string) {
		t.Helper()
		must(t, h.Rescan(t.Context()))
		h.wait()
		if read += files; h.reader.files.Load() != read {
			t.Errorf("%s: %d files were read in all, want %d", what, h.reader.files.Load(), read)
		}
	}
	again(0, "as before")
	ability = "words and pictures"
	again(2, "pictures are read now")
	again(0, "and still")
	wantNames(t, h.finds("picture"), "half.txt")

	must(t, h.Rescan(t.Context(), half))
	h.wait()
	if read++; h.reader.files.Load() != read {
		t.Errorf("named: %d files were read in all, want %d", h.reader.files.Load(), read)
	}
	want := map[string]library.State{"half.txt": library.Partial, "whole.txt": library.Ready, "scan.txt": library.Skipped, "locked.txt": library.Failed}
	for name, state := range h.states() {
		if want[name] != state {
			t.Errorf("%s is %s", name, state)
		}
	}
}

func TestWhatWasNotReadForWantOfAReaderIsTriedAgain(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.write("whole.txt", "all of it are words")
	h.write("waits.txt", "!not-started")
	h.write("broken.txt", "!crashed")
	h.addAll()
	for range 2 {
		read := h.reader.files.Load()
		must(t, h.Rescan(t.Context()))
		h.wait()
		if again := h.reader.files.Load() - read; again != 1 {
			t.Errorf("%d files were tried again, want 1", again)
		}
	}
	if state := h.states()["waits.txt"]; state != library.Failed {
		t.Errorf("it is %s", state)
	}
}
