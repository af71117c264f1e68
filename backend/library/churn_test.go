//go:build unix

package library_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sharedDir finds a folder of the reference material beside the project, or
// skips the test.
func sharedDir(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	must(t, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			continue
		}
		if at := filepath.Join(dir, "..", "shared", name); dirExists(at) {
			return at
		}
		break
	}
	t.Skip("no shared/" + name + " beside the project")
	return ""
}

func dirExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func TestTheFinalIndexIsTheFinalDiskHoweverFilesChange(t *testing.T) {
	tool := filepath.Join(sharedDir(t, "faults"), "churn.py")
	python, err := exec.LookPath("python3")
	if err != nil || testing.Short() {
		t.Skip("needs python3 and some seconds")
	}
	h := newHouse(t)
	h.watch = true
	h.open()
	h.docs += "/tree"
	must(t, os.Mkdir(h.docs, 0o755))
	h.addAll()
	out, err := exec.Command(python, tool, h.docs, "--seconds", "5").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%s", out)
	var truth struct{ Present, Absent []string }
	data, err := os.ReadFile(filepath.Dir(h.docs) + "/churn.json")
	must(t, err)
	must(t, json.Unmarshal(data, &truth))
	wrong := func() (tokens []string) {
		held := h.index.text()
		for _, token := range truth.Present {
			if !strings.Contains(held, token+"\n") {
				tokens = append(tokens, "lost "+token)
			}
		}
		for _, token := range truth.Absent {
			if strings.Contains(held, token+"\n") {
				tokens = append(tokens, "kept "+token)
			}
		}
		return tokens
	}
	began := time.Now()
	for len(wrong()) > 0 && time.Since(began) < 2*time.Minute {
		time.Sleep(100 * time.Millisecond)
	}
	for _, token := range wrong() {
		t.Error(token)
	}
	t.Logf("%d present and %d absent agree after %v", len(truth.Present), len(truth.Absent), time.Since(began))
}
