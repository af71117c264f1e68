package extract

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/extract/formattest"
)

// TestFaultKit reads the hostile tree: nothing crashes the pool or hangs, every
// good file of a format that is read gives its word, everything else a reason,
// and no forbidden word appears.
func TestFaultKit(t *testing.T) {
	kit := formattest.Shared(t, "faults", "make_bad_files.py")
	python, err := exec.LookPath("python3")
	if err != nil || testing.Short() {
		t.Skip("no python3, or -short")
	}
	dir := t.TempDir()
	if out, err := exec.Command(python, kit, dir, "--small").CombinedOutput(); err != nil {
		t.Skipf("the kit does not run: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("chmod", "-R", "u+rwx", dir).Run() })
	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Forbidden []string
		Cases     []struct{ Name, Path, Class, Expect, Token string }
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	pool := testPool(t, "serve", 2, DefaultLimits())
	count := map[string]int{}
	for _, c := range manifest.Cases {
		if c.Expect == "ignore" || c.Path == "fs/nodir" {
			continue // the walk's business
		}
		path := filepath.Join(dir, "tree", c.Path)
		start := time.Now()
		doc, err := pool.Extract(context.Background(), path)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %s", c.Name, took)
		} else if took > time.Second/2 {
			t.Logf("%s took %s", c.Name, took)
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Reason == "") {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		found := strings.Contains(doc.Text, c.Token)
		switch {
		case err == nil && found:
			count["found"]++
		case err == nil:
			count["read without the word"]++
		default:
			count[e.Code]++
		}
		if err == nil {
			formattest.CheckDocument(t, doc)
		}
		if c.Expect == "index" && !found && (e == nil || e.Code != Unsupported) {
			t.Errorf("%s (%s): the word is not found: %v", c.Name, c.Path, err)
		}
		if e != nil && (e.Code == Crashed || e.Code == Timeout || e.Code == Memory) || c.Expect == "partial" && !found || c.Expect == "skip" && err == nil {
			t.Logf("%s: %s, got %v", c.Name, c.Expect, err)
		}
		for _, word := range manifest.Forbidden {
			if strings.Contains(doc.Text, word) {
				t.Errorf("%s gives the forbidden word %s", c.Name, word)
			}
		}
	}
	t.Logf("%v", count)
}
