package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// frontend installs the front end's packages and builds it, each only when
// what it is made from has changed.
func (j *job) frontend(ctx context.Context) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("npm is missing: install Node.js 20 or newer (it brings npm)")
	}
	dir := j.path("frontend")
	lock, err := digestOf(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	if !stamped(filepath.Join(dir, "node_modules", ".footnote"), lock) {
		j.say("installing the front end's packages")
		if err := j.quiet(ctx, dir, nil, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
			return err
		}
		if err := withoutMaps(filepath.Join(dir, "node_modules")); err != nil {
			return err
		}
		if err := stamp(filepath.Join(dir, "node_modules", ".footnote"), lock); err != nil {
			return err
		}
	}
	sources, err := digestTree(dir)
	if err != nil {
		return err
	}
	packed := filepath.Join(dir, "packed", ".footnote")
	if stamped(packed, sources) {
		return nil
	}
	j.say("building the front end")
	if err := j.quiet(ctx, dir, nil, "npm", "run", "build", "--silent"); err != nil {
		return err
	}
	return stamp(packed, sources)
}

// pages packs what npm built into the one file that the program holds. It is made
// here and not by npm's tools, so that the same pages give the same bytes.
func pages(_ context.Context, j *job) error {
	fresh := j.path("frontend", "packed", ".new")
	if err := packZip(j.path("frontend", "dist"), fresh); err != nil {
		return fmt.Errorf("pack the pages: %w", err)
	}
	return os.Rename(fresh, j.path("frontend", "packed", "pages.zip"))
}

// withoutMaps takes away what leads debuggers from packed code to its sources: a
// quarter of what the packages take.
func withoutMaps(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".map") {
			return os.Remove(path)
		}
		return err
	})
}

func stamped(file, want string) bool {
	have, err := os.ReadFile(file)
	return err == nil && strings.TrimSpace(string(have)) == want
}

func stamp(file, value string) error { return os.WriteFile(file, []byte(value+"\n"), 0o644) }

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// digestTree is a digest of everything the front end is built from.
func digestTree(dir string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "node_modules", "dist", "packed", "mock", "e2e":
				return filepath.SkipDir
			}
			return nil
		}
		sum, err := digestOf(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		fmt.Fprintf(h, "%s %s\n", filepath.ToSlash(rel), sum)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
