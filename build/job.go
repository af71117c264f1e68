package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// job is one run of a command: where it works and what was tested.
type job struct {
	root           string
	began          time.Time
	passed, failed int
	skipped        int
	failures       []string
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

func (j *job) pass(n int) { j.tested, j.passed = true, j.passed+n }

func (j *job) fail(name, why string) {
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
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", j.passed, j.failed, j.skipped)
}

// goTest runs go test and counts every test function. Failing tests are shown
// with their output, skipped ones with their reason's line.
func (j *job) goTest(ctx context.Context, env []string, args ...string) error {
	cmd := j.command(ctx, j.root, env, "go", append([]string{"test", "-json", "-tags", j.tags}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start go test: %w", err)
	}
	before := j.failed
	j.readTests(stdout)
	err = cmd.Wait()
	if err != nil && j.failed == before {
		j.fail("go test", err.Error())
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return nil
}

type testEvent struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func (j *job) readTests(r io.Reader) {
	output := map[string]*strings.Builder{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text()) // what the go command says itself
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if output[key] == nil {
				output[key] = &strings.Builder{}
			}
			output[key].WriteString(e.Output)
		case "pass", "fail", "skip":
			if e.Test == "" && e.Action == "fail" {
				j.unfinished(e.Package, output)
			}
			j.countTest(e, output[key])
			delete(output, key)
		}
	}
	for key, out := range output {
		if strings.Contains(out.String(), "FAIL") || strings.HasPrefix(key, " ") {
			fmt.Print(out.String())
		}
	}
}

// unfinished shows what the tests of a package said that came to no end: one of
// them hung, or ended the process.
func (j *job) unfinished(pkg string, output map[string]*strings.Builder) {
	for key, out := range output {
		if name, of := strings.CutPrefix(key, pkg+" "); of && name != "" {
			text := out.String()
			if len(text) > mostShown {
				text = text[:mostShown] + "\n…\n"
			}
			fmt.Printf("%s has no end:\n%s", name, text)
			delete(output, key)
		}
	}
}

const mostShown = 20_000 // bytes of one test's output

func (j *job) countTest(e testEvent, out *strings.Builder) {
	if e.Test == "" {
		if e.Action == "fail" {
			if out != nil {
				fmt.Print(out.String())
			}
			fmt.Printf("FAIL\t%s\t%.1fs\n", e.Package, e.Elapsed)
			j.failed++
			j.tested = true
			j.failures = append(j.failures, e.Package)
		} else if e.Action == "pass" {
			fmt.Printf("ok  \t%s\t%.1fs\n", e.Package, e.Elapsed)
		}
		return
	}
	switch e.Action {
	case "pass":
		j.pass(1)
	case "skip":
		j.skipped++
	case "fail":
		if out != nil {
			fmt.Print(out.String())
		}
		j.fail(e.Package+"."+e.Test, "see above")
	}
}

// binary is where the headless program is built.
func (j *job) binary() string {
	name := "footnote"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return j.path(name)
}

func (j *job) buildHeadless(ctx context.Context) error {
	j.pdfium(ctx)
	j.say("building the program")
	return j.quiet(ctx, j.root, []string{"CGO_ENABLED=0"}, "go", "build", "-tags", j.tags, "-trimpath", "-ldflags", "-s -w", "-o", j.binary(), ".")
}
