package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

type fuzzTarget struct{ pkg, target string }

var fuzzes = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// fuzzTargets are those of the tests: parsers of what comes from outside, such as
// markers, documents, addresses, requests and streams.
func fuzzTargets(root string) (found []fuzzTarget, err error) {
	err = filepath.WalkDir(filepath.Join(root, "backend"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, m := range fuzzes.FindAllSubmatch(source, -1) {
			found = append(found, fuzzTarget{"./" + filepath.ToSlash(dir), string(m[1])})
		}
		return nil
	})
	return found, err
}

// fuzz searches every parser for an input that breaks it, for FOOTNOTE_FUZZ
// (a Go duration, 20s by default) each. It is a search and no check: whether it
// finds something is chance, so the inputs it found are kept below testdata/fuzz,
// where every run of the tests tries them, and nothing that lands waits for luck.
func fuzz(ctx context.Context, j *job) error {
	long := 20 * time.Second
	if asked := os.Getenv("FOOTNOTE_FUZZ"); asked != "" {
		var err error
		if long, err = time.ParseDuration(asked); err != nil || long <= 0 {
			return fmt.Errorf("FOOTNOTE_FUZZ=%s is no duration: write it like 20s or 5m", asked)
		}
	}
	targets, err := fuzzTargets(j.root)
	if err != nil {
		return err
	}
	for _, f := range targets {
		j.step("fuzz "+f.pkg+" "+f.target, func() error { return j.search(ctx, f, long) })
	}
	return j.outcome()
}

// search runs one target. Go's own fuzzer ends some searches with its deadline
// as the error although no input failed; that is no finding. Each input that reaches
// new code is made smaller in a hundred tries: as a rule it takes up to a minute for
// each, and readers of documents were given thirteen inputs in as long.
func (j *job) search(ctx context.Context, f fuzzTarget, long time.Duration) error {
	cmd := j.command(ctx, j.root, []string{"CGO_ENABLED=0"}, "go", "test", "-run", "^$", "-fuzz", "^"+f.target+"$", "-fuzztime", long.String(), "-fuzzminimizetime", "100x", f.pkg)
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() == nil && bytes.Contains(out, []byte("context deadline exceeded")) && !bytes.Contains(out, []byte("Failing input written")) {
		return nil
	}
	os.Stderr.Write(out)
	return fmt.Errorf("go test -fuzz %s %s: %w", f.target, f.pkg, err)
}
