package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

// probeDir makes the test binary a probe: a damaged index may end the process.
const probeDir = "FOOTNOTE_TEST_PROBE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(probeDir); dir != "" {
		if err := Probe(dir); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// probe runs Probe in a child and reports whether the index passed. It must end.
func probe(t *testing.T, dir string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), probeDir+"="+dir)
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Errorf("the probe of %s hangs", filepath.Base(dir))
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return err == nil
}

func TestProbePassesWholeAndMissingFolders(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir)
	put(t, x, entry("psg_a", "d", "note", "some words"))
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if !probe(t, dir) || !probe(t, filepath.Join(dir, "none")) {
		t.Error("a whole index fails")
	}
}

// TestDamageIsFoundBeforeAnythingIsWritten opens a damaged folder while a reader
// keeps writers out: merging begins with writing, and ends the process where a file
// was cut short.
func TestDamageIsFoundBeforeAnythingIsWritten(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir)
	put(t, x, entry("psg_a", "d", "note", "some words"))
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := OpenReading(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler)); !errors.Is(err, ErrInUse) {
		t.Fatalf("a whole folder that is read is opened for writing: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "words", "*.zap"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	if err := overwrite(files[0], 40, []byte("damage")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler)); err == nil || errors.Is(err, ErrInUse) {
		t.Errorf("the damage was not found: %v", err)
	}
}

// damage is one way to spoil a file.
type damage struct {
	name string
	do   func(path string, size int64, rnd *rand.Rand) error
}

var damages = []damage{
	{"cut", func(path string, size int64, rnd *rand.Rand) error { return os.Truncate(path, rnd.Int64N(size)) }},
	{"empty", func(path string, _ int64, _ *rand.Rand) error { return os.Truncate(path, 0) }},
	{"zero", func(path string, size int64, rnd *rand.Rand) error {
		return overwrite(path, rnd.Int64N(size), make([]byte, 512))
	}},
	{"flip", func(path string, size int64, rnd *rand.Rand) error {
		at := rnd.Int64N(size)
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return overwrite(path, at, []byte{^old[at]})
	}},
	{"drop", func(path string, _ int64, _ *rand.Rand) error { return os.Remove(path) }},
}

func overwrite(path string, at int64, b []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, at)
	return errors.Join(err, f.Close())
}

func TestDamagedIndexFailsOrWorksButNeverHangs(t *testing.T) {
	rounds := 2
	if testing.Short() {
		rounds = 1
	}
	whole := t.TempDir()
	x := openAt(t, whole)
	rnd := rand.New(rand.NewPCG(9, 10))
	for i := range 3 {
		var entries []library.Entry
		for j := range 40 {
			id := fmt.Sprintf("psg_%d_%d", i, j)
			entries = append(entries, entry(id, id, "note", librarytest.Prose(rnd, 60)))
		}
		put(t, x, entries...)
	}
	query := librarytest.Prose(rnd, 40)
	want := words(t, x, library.Query{Text: query, N: 120})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(whole, "words", "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files of the index: %v, %v", files, err)
	}
	passed := 0
	for _, d := range damages {
		for round := range rounds {
			path := files[rnd.IntN(len(files))]
			dir := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d-%s", d.name, round, filepath.Base(path)))
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			broken := filepath.Join(dir, "words", filepath.Base(path))
			info, err := os.Stat(broken)
			if err == nil {
				err = d.do(broken, info.Size(), rnd)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !probe(t, dir) {
				continue
			}
			passed++
			if got := words(t, openAt(t, dir), library.Query{Text: query, N: 120}); !slices.Equal(got, want) {
				t.Errorf("%s of %s goes unnoticed: %d of %d passages are found", d.name, filepath.Base(path), len(got), len(want))
			}
		}
	}
	t.Logf("%d damaged folders work as before", passed)
}

func TestFolderOfAnotherLayoutIsRefused(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir)
	if err := x.words.SetInternal(generationKey, []byte("words-0-old")); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, x.log); !errors.Is(err, ErrLayout) {
		t.Errorf("an old layout is opened, or refused for another reason: %v", err)
	}
}

// A power cut may leave a file shorter than it says: reading its memory then is a
// fault of the machine, which must not end the program.
func TestAnIndexThatWasCutShortIsAnError(t *testing.T) {
	whole := t.TempDir()
	x := openAt(t, whole)
	for i := range 12 {
		put(t, x, entry(fmt.Sprint("psg_", i), "d", "note", fmt.Sprint("some words ", i)))
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(whole, "words", "root.bolt"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for size := info.Size() - 4000; size > 0; size -= 4096 {
		dir := t.TempDir()
		if err := errors.Join(os.CopyFS(dir, os.DirFS(whole)), os.Truncate(filepath.Join(dir, "words", "root.bolt"), size)); err != nil {
			t.Fatal(err)
		}
		x, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		if err != nil {
			refused++
		} else if err := x.Close(); err != nil {
			t.Logf("%d bytes: %v", size, err)
		}
	}
	if refused == 0 {
		t.Error("no cut was noticed")
	}
}

// A goroutine of the postings that panicked keeps its lock, so neither a write
// nor Close may wait for it.
func TestAWriterThatIsGoneIsAnErrorNotAWait(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir)
	held := make(chan struct{})
	defer close(held)
	waiting := make(chan error)
	go func() {
		waiting <- x.unlessBroken(t.Context(), func() error { <-held; return nil })
	}()
	tell := scorch.RegistryAsyncErrorCallbacks[watcherName]
	tell(scorch.NewScorchError("persister", "disk full", scorch.ErrPersist), filepath.Join(dir, "words"))
	put(t, x, entry("psg_a", "d", "note", "some words"))
	tell(scorch.NewScorchError("persister", "page is damaged", scorch.ErrAsyncPanic), filepath.Join(dir, "words"))
	if err := <-waiting; !errors.Is(err, ErrBroken) {
		t.Errorf("a running write: %v", err)
	}
	x.writing <- struct{}{} // a write that does not end
	if err := x.Put(t.Context(), []library.Entry{entry("psg_b", "d", "note", "more words")}); !errors.Is(err, ErrBroken) {
		t.Errorf("a later write: %v", err)
	}
	if err := x.Close(); err != nil {
		t.Errorf("closing what can still be closed: %v", err)
	}
}
