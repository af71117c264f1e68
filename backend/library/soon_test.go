package library_test

import (
	"testing"
	"time"

	"footnote/backend/library"
)

func TestALargeFolderIsLookedThroughBehindWhoAddsIt(t *testing.T) {
	h := newHouse(t)
	slow := make(chan struct{})
	h.refused = func(string) bool { <-slow; return false }
	h.open()
	h.write("a.txt", "the lamp was lit")
	h.write("b.txt", "the keepers were paid")
	result, err := h.AddSoon(t.Context(), []string{h.docs}, false, time.Millisecond)
	must(t, err)
	if len(result.Added) != 1 || result.Files != 0 || !h.Looking() {
		t.Errorf("%+v, looking %v", result, h.Looking())
	}
	if states := h.states(); len(states) != 0 {
		t.Errorf("listed %v", states)
	}
	waited := make(chan error, 1)
	files := 0
	go func() { waited <- h.Wait(t.Context(), result.Paths, func(library.File) { files++ }) }()
	select {
	case err := <-waited:
		t.Fatalf("nobody waits for the files: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(slow)
	must(t, <-waited)
	if files != 2 || h.Looking() {
		t.Errorf("%d files, looking %v", files, h.Looking())
	}
	wantNames(t, h.finds("keepers"), "b.txt")
}

func TestASmallFolderIsQueuedWhenItIsAdded(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.write("a.txt", "the lamp was lit")
	result, err := h.AddSoon(t.Context(), []string{h.docs}, false, time.Minute)
	must(t, err)
	if result.Files != 1 || h.Looking() || len(h.states()) != 1 {
		t.Errorf("%+v", result)
	}
	if _, err := h.AddSoon(t.Context(), []string{"/not/there"}, false, time.Minute); err == nil {
		t.Error("what is not there is added")
	}
}
