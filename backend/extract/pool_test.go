package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/extract/formattest"
	"footnote/backend/extract/tool"
)

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPoolReadsFilesAndBytes(t *testing.T) {
	pool := testPool(t, "serve", 2, DefaultLimits())
	path := writeFile(t, "note.md", "# Title\n\nSome words.\n")
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			doc, err := pool.Extract(context.Background(), path)
			if err != nil || doc.Text != "Title\n\nSome words." || doc.Source.Title != "Title" || doc.Source.Digest == "" {
				t.Errorf("%v %+v", err, doc)
			}
			content := strings.Repeat(fmt.Sprintf("Text %d. ", i), 1000*i+1)
			doc, err = pool.ExtractBytes(context.Background(), "text/plain", "x.txt", []byte(content))
			if err != nil || len(doc.Text) != len(strings.TrimSpace(content)) {
				t.Errorf("%v %d", err, len(doc.Text))
			}
		})
	}
	wait.Wait()
}

func TestPoolGivesReasons(t *testing.T) {
	lim := DefaultLimits()
	lim.File = 1000
	pool := testPool(t, "serve", 1, lim)
	dir := t.TempDir()
	for code, path := range map[string]string{
		Unreadable:  dir,
		Empty:       writeFile(t, "empty.txt", " \n"),
		Malformed:   writeFile(t, "text.docx", "no archive at all"),
		TooLarge:    writeFile(t, "big.txt", strings.Repeat("x", 1001)),
		Unsupported: writeFile(t, "picture.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00"),
	} {
		_, err := pool.Extract(context.Background(), path)
		formattest.WantCode(t, err, code)
	}
	_, err := pool.Extract(context.Background(), filepath.Join(dir, "missing.txt"))
	formattest.WantCode(t, err, Unreadable)
}

func TestPoolOutlivesItsChildren(t *testing.T) {
	pool := testPool(t, "crash", 1, DefaultLimits())
	path := writeFile(t, "a.txt", "words")
	for range 3 {
		_, err := pool.Extract(context.Background(), path)
		formattest.WantCode(t, err, Crashed)
	}
	t.Setenv(workerSwitch, "serve")
	if _, err := pool.Extract(context.Background(), path); err != nil {
		t.Errorf("after three crashes: %v", err)
	}
}

func TestPoolRefusesGarbageFromAChild(t *testing.T) {
	_, err := testPool(t, "garbage", 1, DefaultLimits()).Extract(context.Background(), writeFile(t, "a.txt", "words"))
	formattest.WantCode(t, err, Crashed)
}

func TestPoolEndsAHangingChild(t *testing.T) {
	lim := DefaultLimits()
	lim.Time = 300 * time.Millisecond
	pool := testPool(t, "hang", 1, lim)
	path := writeFile(t, "a.txt", "words")
	start := time.Now()
	_, err := pool.Extract(context.Background(), path)
	formattest.WantCode(t, err, Timeout)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := pool.Extract(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPoolReplacesChildren(t *testing.T) {
	lim := DefaultLimits()
	lim.Jobs = 2
	pool := testPool(t, "serve", 1, lim)
	path := writeFile(t, "a.txt", "words")
	for range 5 {
		if _, err := pool.Extract(context.Background(), path); err != nil {
			t.Fatal(err)
		}
	}
	c := <-pool.slots
	if c == nil || c.jobs != 1 {
		t.Errorf("the child has read %+v", c)
	}
	pool.slots <- c
}

func TestClosedPoolFails(t *testing.T) {
	pool := testPool(t, "hang", 1, DefaultLimits())
	path := writeFile(t, "a.txt", "words")
	failed := make(chan error)
	go func() {
		_, err := pool.Extract(context.Background(), path)
		failed <- err
	}()
	time.Sleep(50 * time.Millisecond)
	pool.Close()
	pool.Close()
	formattest.WantCode(t, <-failed, Crashed)
	_, err := pool.Extract(context.Background(), path)
	formattest.WantCode(t, err, Crashed)
}

func TestChildHasNoSecrets(t *testing.T) {
	t.Setenv("FOOTNOTE_KEY_OPENAI", "canary-one")
	t.Setenv("MISTRAL_API_KEY", "canary-two")
	t.Setenv("HF_TOKEN", "canary-three")
	t.Setenv("MY_PASSWORD", "canary-four")
	t.Setenv("HARMLESS", "kept")
	pool := testPool(t, "environment", 1, DefaultLimits())
	t.Setenv(workerSwitch, "environment")
	_, err := pool.Extract(context.Background(), writeFile(t, "a.txt", "words"))
	formattest.WantCode(t, err, Crashed)
	for _, e := range tool.Env(os.Environ()) {
		if strings.Contains(e, "canary") {
			t.Errorf("the child would see %s", e)
		}
	}
	if !strings.Contains(strings.Join(tool.Env([]string{"HARMLESS=kept"}), ""), "kept") {
		t.Error("a harmless variable is gone")
	}
}

func TestLastWordsTellMemoryFromCrashes(t *testing.T) {
	for said, want := range map[string]bool{
		"fatal error: runtime: out of memory\n\ngoroutine 1":                                                     true,
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort":                   true,
		"SIGSEGV: segmentation violation\nPC=0x46f1c2 m=3 sigcode=1":                                             true,
		"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation": false,
		"panic: a page of -1": false, "": false,
	} {
		if got := refusedMemory(said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

func TestChildMemoryIsCapped(t *testing.T) {
	lim := DefaultLimits()
	lim.Memory = 64 << 20
	pool := testPool(t, "serve", 1, lim)
	// Ten million cells of one letter: cheap to write, dear to hold.
	_, err := pool.ExtractBytes(context.Background(), "text/csv", "a.csv", []byte(strings.Repeat("a,", 10<<20)))
	formattest.WantCode(t, err, Memory)
	if _, err := pool.Extract(context.Background(), writeFile(t, "a.txt", "words")); err != nil {
		t.Errorf("the next file: %v", err)
	}
}

func TestWhereNoChildStartsTheFileIsNotToBlame(t *testing.T) {
	path := writeFile(t, "a.txt", "words")
	for name, command := range map[string][]string{"no program": {filepath.Join(t.TempDir(), "missing")}, "no command": nil} {
		pool := NewPool(command, 1, func() Limits { return DefaultLimits() })
		_, err := pool.Extract(context.Background(), path)
		formattest.WantCode(t, err, NotStarted)
		if said := err.Error(); !strings.Contains(said, "did not start") {
			t.Errorf("%s: %s", name, said)
		}
		pool.Close()
	}
	pool := testPool(t, "boxless", 1, DefaultLimits())
	_, err := pool.Extract(context.Background(), path)
	formattest.WantCode(t, err, NotStarted)
	var why *Error
	if errors.As(err, &why); !strings.Contains(why.Reason, "no box here") {
		t.Errorf("%s", why.Reason)
	}
}
