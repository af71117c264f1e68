package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// job is one run of a command: where it works and what was tested.
type job struct {
	root           string
	began          time.Time
	again          bool       // what failed is tried once more
	mu             sync.Mutex // guards what was counted: lanes run side by side
	passed, failed int
	skipped        int
	failures       []string
	unsteady       []string // tests that passed only when they were run again
	tested         bool
	tags           string // build tags that every build and test of this job uses
}

func (j *job) path(parts ...string) string {
	return filepath.Join(append([]string{j.root}, parts...)...)
}

func (j *job) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "[%5.1fs] %s\n", time.Since(j.began).Seconds(), fmt.Sprintf(format, args...))
}

// tool runs a program in dir with its output passed on.
func (j *job) tool(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := j.command(ctx, dir, env, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// quiet runs a program and shows its output only when it fails.
func (j *job) quiet(ctx context.Context, dir string, env []string, name string, args ...string) error {
	out, err := j.command(ctx, dir, env, name, args...).CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

func (j *job) command(ctx context.Context, dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// step runs one named check and counts it as a test.
func (j *job) step(name string, run func() error) {
	j.say("%s", name)
	if err := run(); err != nil {
		j.fail(name, err.Error())
		return
	}
	j.pass(1)
}

// lanes runs functions side by side, each with its steps one after the other.
func lanes(of ...func()) {
	var wg sync.WaitGroup
	for _, lane := range of {
		wg.Go(lane)
	}
	wg.Wait()
}

// retriedStep is step for what drives a browser or another program's client:
// where things are tried again it has a second try, and is named in the summary.
func (j *job) retriedStep(name string, run func() error) {
	j.step(name, func() error {
		first := run()
		if first == nil || !j.again {
			return first
		}
		j.say("%s failed (%v), and is tried again", name, first)
		if err := run(); err != nil {
			return err
		}
		j.passedLate(name + ": " + first.Error())
		return nil
	})
}

func (j *job) pass(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tested, j.passed = true, j.passed+n
}

func (j *job) skip(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.skipped += n
}

// passedLate notes what passed only when it was tried again.
func (j *job) passedLate(names ...string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.unsteady = append(j.unsteady, names...)
}

func (j *job) fail(name, why string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tested = true
	j.failed++
	j.failures = append(j.failures, name+": "+why)
	fmt.Fprintf(os.Stderr, "FAILED %s: %s\n", name, why)
}

// outcome is the error of a job in which anything failed.
func (j *job) outcome() error {
	if j.failed == 0 {
		return nil
	}
	return fmt.Errorf("%d failed:\n  %s", j.failed, strings.Join(j.failures, "\n  "))
}

// summary closes a job that tested something with one line.
func (j *job) summary() {
	if !j.tested {
		return
	}
	j.say("done")
	if len(j.unsteady) > 0 {
		fmt.Printf("\nunsteady, passed only the second time, to be mended:\n  %s\n", strings.Join(j.unsteady, "\n  "))
	}
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", j.passed, j.failed, j.skipped)
}

// binary is where the headless program is built.
func (j *job) binary() string {
	name := "footnote"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return j.path(name)
}

// buildHeadless builds from what the tests compiled too; what people install has
// its paths trimmed, see release.
func (j *job) buildHeadless(ctx context.Context) error {
	j.pdfium(ctx)
	j.say("building the program")
	return j.quiet(ctx, j.root, []string{"CGO_ENABLED=0"}, "go", "build", "-tags", j.tags, "-ldflags", "-s -w", "-o", j.binary(), ".")
}
