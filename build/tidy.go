package main

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// formatted reports the Go files of the project that are not as gofmt has them.
func formatted(root string) error {
	files, err := goFiles(root)
	if err != nil {
		return err
	}
	var not []string
	for _, file := range files {
		have, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		want, err := format.Source(have)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if !bytes.Equal(have, want) {
			not = append(not, file)
		}
	}
	if len(not) > 0 {
		return fmt.Errorf("not formatted: gofmt -w %s", strings.Join(not, " "))
	}
	return nil
}

// goFiles are the Go files of the project. What others wrote lies in
// node_modules, what is built in build/out.
func goFiles(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "out" || strings.HasPrefix(d.Name(), ".")) && path != root {
			return filepath.SkipDir
		}
		if !d.IsDir() && filepath.Ext(path) == ".go" {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// tidy holds go.mod and go.sum against what is imported. That takes the modules
// that other modules' tests need: where they cannot be had it is left out.
func (j *job) tidy(ctx context.Context) {
	const name = "go mod tidy"
	j.say(name)
	diff, err := j.command(ctx, j.root, nil, "go", "mod", "tidy", "-diff").Output()
	switch {
	case err == nil:
		j.pass(1)
	case len(diff) > 0:
		j.fail(name, "not tidy:\n"+string(diff))
	default:
		j.skip(1)
		j.say("skipped %s: not every module can be had here", name)
	}
}
