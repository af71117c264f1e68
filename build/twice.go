package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// same makes the same release once more, later, in a clone of the same commit in
// another folder, with an empty cache and another umask, and compares it byte for byte.
func (r *release) same(ctx context.Context, only string) (err error) {
	dir, err := os.MkdirTemp("", "footnote-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	clone := filepath.Join(dir, "elsewhere")
	r.say("the same release once more, in %s", clone)
	if err := r.quiet(ctx, r.root, nil, "git", "clone", "--quiet", "--no-hardlinks", r.root, clone); err != nil {
		return err
	}
	if err := r.quiet(ctx, clone, nil, "git", "checkout", "--quiet", "--detach", r.commit); err != nil {
		return err
	}
	args := []string{"run", "./build", "release"}
	if only != "" {
		args = append(args, "--only", only)
	}
	name := "go"
	if runtime.GOOS != "windows" { // by somebody who gives others no rights
		name, args = "sh", append([]string{"-c", `umask 077 && exec "$@"`, "sh", name}, args...)
	}
	if err := r.tool(ctx, clone, []string{"GOCACHE=" + filepath.Join(dir, "cache")}, name, args...); err != nil {
		return err
	}
	first, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil {
		return err
	}
	second, err := os.ReadFile(filepath.Join(clone, "build", "out", "release", "SHA256SUMS"))
	if err != nil {
		return err
	}
	if differ := differing(string(first), string(second)); len(differ) > 0 {
		return fmt.Errorf("two builds of %s differ in: %s", r.commit, strings.Join(differ, ", "))
	}
	fmt.Printf("two builds of %s in two folders are equal byte for byte:\n%s", r.commit, first)
	return nil
}

// differing names the files whose digests are not in both lists.
func differing(first, second string) (names []string) {
	for _, pair := range [][2]string{{first, second}, {second, first}} {
		for line := range strings.Lines(pair[0]) {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			if !strings.Contains("\n"+pair[1], "\n"+line) && (len(names) == 0 || names[len(names)-1] != name) {
				names = append(names, name)
			}
		}
	}
	return names
}
