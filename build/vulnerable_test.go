package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestASignedReleaseIsFreeOfKnownVulnerabilities(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script stands in for the go command")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	told := filepath.Join(dir, "told")
	goCommand := func(status string) {
		t.Helper()
		script := "#!/bin/sh\necho \"$@\" > '" + told + "'\nexit " + status + "\n"
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := &release{job: &job{root: dir, tags: "pdfium"}, sign: signing{windowsCert: "c", winKey: "k"}}
	goCommand("3")
	if err := r.vulnerable(t.Context()); err == nil {
		t.Error("a signed release with a vulnerability is made")
	}
	goCommand("0")
	if err := r.vulnerable(t.Context()); err != nil {
		t.Error(err)
	}
	if args, err := os.ReadFile(told); err != nil || string(args) != "run "+govulncheck+" -tags pdfium .\n" {
		t.Errorf("asked for %q, %v", args, err)
	}
	goCommand("3")
	r.sign = signing{}
	if err := r.vulnerable(t.Context()); err != nil {
		t.Errorf("what nobody signs: %v", err)
	}
	if args, err := os.ReadFile(told); err != nil || !strings.Contains(string(args), "pdfium") {
		t.Errorf("what nobody signs was looked through, or told is gone: %q, %v", args, err)
	}
}
