package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const demoQuestion = "How high is the tower of the Skerry Point lighthouse, and when was its lamp first lit?"

// demo builds the program and asks the sample library a question, with no
// model and no network.
func demo(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		j.say("without the window's pages: %v", err)
	}
	if err := j.buildHeadless(ctx); err != nil {
		return err
	}
	library := j.path("build", "library")
	data := j.path("build", "out", "demo")
	fmt.Fprintf(os.Stderr, "\n$ footnote ask --offline --files build/library %q\n\n", demoQuestion)
	if err := j.tool(ctx, j.root, nil, j.binary(), "ask", "--offline", "--data", data, "--files", library, demoQuestion); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "\nNext: ./footnote ask --files FOLDER \"your question\", or  go run ./build serve  for the same in a browser.\n")
	return nil
}

// serve builds the program and serves its UI over the sample library.
func serve(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		return err
	}
	if err := j.buildHeadless(ctx); err != nil {
		return err
	}
	data := j.path("build", "out", "demo")
	if err := j.tool(ctx, j.root, nil, j.binary(), "library", "add", "--wait", "--data", data, j.path("build", "library")); err != nil {
		return err
	}
	return j.tool(ctx, j.root, nil, j.binary(), "serve", "--open", "--data", data)
}

// test runs the tests of both languages.
func test(ctx context.Context, j *job) error {
	j.mind(ctx, roomOfTest)
	if err := j.frontend(ctx); err != nil {
		return err
	}
	j.pdfium(ctx)
	lanes(func() { j.testProgram(ctx) }, func() { j.testPages(ctx) })
	return errors.Join(ctx.Err(), j.outcome())
}

// packagesACore are tested at the same time: the tests of many packages mostly wait
// for silent servers, and leave the processor to others.
const packagesACore = 2

func (j *job) testProgram(ctx context.Context) {
	j.say("testing the program")
	atOnce := strconv.Itoa(packagesACore * runtime.NumCPU())
	if err := j.goTest(ctx, []string{"CGO_ENABLED=0"}, "-timeout", "14m", "-p", atOnce); err != nil {
		j.fail("go test", err.Error())
	}
}

func (j *job) testPages(ctx context.Context) {
	j.retriedStep("testing the front end", func() error {
		ctx, cancel := context.WithTimeout(ctx, frontendTime)
		defer cancel()
		return j.tool(ctx, j.path("frontend"), nil, "npm", "run", "test", "--silent")
	})
}

const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// check is what must hold beside the tests before a change lands. The tests run
// with the race detector and -short: what only proves values by their number is
// told by test already.
func check(ctx context.Context, j *job) error {
	j.mind(ctx, roomOfCheck)
	if err := j.frontend(ctx); err != nil {
		return err
	}
	j.pdfium(ctx)
	lanes(func() { j.readGo(ctx) }, func() { j.readRest(ctx) })
	raced := func() { j.race(ctx) }
	driven := func() { j.drive(ctx) }
	if runtime.NumCPU() >= coresForBoth {
		lanes(raced, driven)
	} else {
		raced()
		driven()
	}
	return errors.Join(ctx.Err(), j.outcome())
}

// coresForBoth is from how many cores on the browser has enough of them beside
// the race detector.
const coresForBoth = 6

// staticEnv is how the tests were compiled: what reads the program uses the same.
var staticEnv = []string{"CGO_ENABLED=0"}

// readGo is what reads the program without running it.
func (j *job) readGo(ctx context.Context) {
	j.step("go vet", func() error { return j.quiet(ctx, j.root, staticEnv, "go", "vet", "-tags", j.tags, "./...") })
	j.step("staticcheck", func() error {
		return j.quiet(ctx, j.root, staticEnv, "go", "run", staticcheck, "-tags", j.tags, "./...")
	})
}

// readRest is what looks at everything else.
func (j *job) readRest(ctx context.Context) {
	j.step("gofmt", func() error { return formatted(j.root) })
	j.step("go mod verify", func() error { return j.quiet(ctx, j.root, nil, "go", "mod", "verify") })
	j.tidy(ctx)
	j.step("svelte-check", func() error { return j.quiet(ctx, j.path("frontend"), nil, "npm", "run", "check", "--silent") })
}

// race runs the tests with the race detector.
func (j *job) race(ctx context.Context) {
	j.step("packages for the race detector", func() error { return j.debian(ctx, raceNeeds) })
	j.say("tests with the race detector")
	if err := j.goTest(ctx, []string{"CGO_ENABLED=1"}, "-race", "-short", "-timeout", "12m"); err != nil {
		j.fail("go test -race", err.Error())
	}
}

// drive has the built program asked by other programs, and used in a browser.
func (j *job) drive(ctx context.Context) {
	j.step("the program builds", func() error { return j.buildHeadless(ctx) })
	j.smoke(ctx)
	if err := clientChecks(ctx, j); err != nil {
		j.fail("clients of other programs", err.Error())
	}
	j.step("packages for the browser", func() error { return j.debian(ctx, browserNeeds) })
	j.retriedStep("the UI in a browser", func() error { return j.browser(ctx) })
}

// frontendTime is what the front end's tests, or its tests in a browser, may take.
const frontendTime = 14 * time.Minute

func (j *job) browser(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, frontendTime)
	defer cancel()
	env := []string{"FOOTNOTE_BINARY=" + j.binary(), "FOOTNOTE_LIBRARY=" + j.path("build", "library")}
	return j.tool(ctx, j.path("frontend"), env, "node", filepath.Join("e2e", "run.mjs"))
}

// app builds the desktop program for this system.
func app(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		return err
	}
	out := j.path("footnote-desktop")
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	if err := j.buildWindow(ctx, out); err != nil {
		return err
	}
	fmt.Printf("built %s\n", filepath.Base(out))
	return nil
}

// buildWindow builds the program with its window into a file, with further tags.
func (j *job) buildWindow(ctx context.Context, out string, more ...string) error {
	j.pdfium(ctx)
	tags, env := append(more, "desktop", "production"), []string{}
	if j.tags != "" {
		tags = append(tags, j.tags)
	}
	flags := "-s -w"
	switch runtime.GOOS {
	case "linux":
		if err := j.debian(ctx, windowNeeds); err != nil {
			return err
		}
		tags = append(tags, "webkit2_41")
		env = append(env, "CGO_ENABLED=1")
	case "windows":
		flags += " -H windowsgui"
	}
	j.say("building the desktop program")
	return j.quiet(ctx, j.root, env, "go", "build", "-tags", strings.Join(tags, ","), "-trimpath", "-ldflags", flags, "-o", out, ".")
}

// screens takes the screenshots that a change of the UI is judged by: those that
// the README shows to build/screens, all others to build/out/screens.
func screens(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		return err
	}
	if err := j.buildHeadless(ctx); err != nil {
		return err
	}
	if err := j.debian(ctx, browserNeeds); err != nil {
		return err
	}
	if _, err := exec.LookPath("node"); err != nil {
		return fmt.Errorf("node is missing: install Node.js 20 or newer")
	}
	env := []string{
		"FOOTNOTE_BINARY=" + j.binary(), "FOOTNOTE_LIBRARY=" + j.path("build", "library"),
		"FOOTNOTE_SCREENS=" + j.path("build", "out", "screens"), "FOOTNOTE_README_SCREENS=" + j.path("build", "screens"),
	}
	return j.tool(ctx, j.path("frontend"), env, "node", filepath.Join("e2e", "run.mjs"), "screens")
}

// train runs the training that is named.
func train(ctx context.Context, j *job) error {
	return j.tool(ctx, j.root, nil, "go", append([]string{"run", "./build/train"}, os.Args[2:]...)...)
}
