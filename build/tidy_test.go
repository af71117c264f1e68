package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryFolderIsFormatted(t *testing.T) {
	root := t.TempDir()
	write := func(text string, path ...string) string {
		file := filepath.Join(append([]string{root}, path...)...)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("package a\n", "main.go")
	write("package  a\n", "frontend", "node_modules", "others.go")
	write("package  a\n", "build", "out", "built.go")
	if err := formatted(root); err != nil {
		t.Fatalf("all is formatted: %v", err)
	}
	bad := write("package  a\n", "new", "room.go")
	if err := formatted(root); err == nil || !strings.Contains(err.Error(), bad) {
		t.Errorf("a file of a new folder: %v", err)
	}
}
