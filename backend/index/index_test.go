package index

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

func openAt(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// What the suite of all indexes works with.
var (
	put   = librarytest.Put
	entry = librarytest.Entry
	words = librarytest.Words
)

func TestContract(t *testing.T) {
	librarytest.Index(t, func(t *testing.T) library.Index { return openAt(t, t.TempDir()) })
}

func TestWordsSurviveAndVectorsAreFedAgain(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir)
	e := entry("psg_a", "one", "a", "kept on disk")
	e.Vector = []float32{1, 0}
	put(t, x, e)
	generation := x.Generation()
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = openAt(t, dir)
	if w, v := x.Count(); w != 1 || v != 0 {
		t.Errorf("%d words, %d vectors", w, v)
	}
	if x.Generation() != generation {
		t.Error("the generation changed")
	}
	if other := openAt(t, t.TempDir()); other.Generation() == generation {
		t.Error("two indexes share a generation")
	}
}

func TestCloseEndsAllGoroutines(t *testing.T) {
	before := goleak.IgnoreCurrent()
	dir := t.TempDir()
	x := openAt(t, dir)
	put(t, x, entry("psg_a", "one", "a", "some words"))
	words(t, x, library.Query{Text: "words"})
	if err := errors.Join(x.Close(), x.Close()); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, before)
}

func TestAFolderInUseIsNotTakenForDamage(t *testing.T) {
	dir := t.TempDir()
	openAt(t, dir)
	if _, err := Open(context.Background(), dir, slog.New(slog.DiscardHandler)); !errors.Is(err, ErrInUse) {
		t.Errorf("error is %v", err)
	}
}
