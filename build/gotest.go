package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const (
	mostShown = 20_000 // bytes of one test's output
	mostAgain = 3      // packages that are tested again: more of them are no accident
)

// goTest runs go test over everything and counts every test function. Failing
// tests are shown with their output. What vet says is a step of its own. Where
// things are tried again, a few packages that failed are tested once more: what
// passes then is named in the summary as unsteady, so that a crowded machine
// stops no change and still hides nothing. A data race is never excused.
func (j *job) goTest(ctx context.Context, env []string, args ...string) error {
	if err := j.compile(ctx, env, slices.Contains(args, "-race")); err != nil {
		return err
	}
	results, err := j.runTests(ctx, env, slices.Concat(args, []string{"./..."})...)
	if again := results.again(); err == nil && j.again && len(again) > 0 {
		j.say("testing again: %s", strings.Join(again, " "))
		var second testResults
		second, err = j.runTests(ctx, env, slices.Concat([]string{"-count=1"}, args, again)...)
		j.passedLate(results.replace(second)...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		j.fail("go test", err.Error())
	}
	for _, r := range results {
		j.pass(r.passed)
		j.skip(r.skipped)
		for _, name := range r.failed {
			j.fail(name, "see above")
		}
	}
	return nil
}

// compiledAtOnce is how many packages are compiled in one go: what the go command
// compiles lies in its working folder, beside the cache, until it ends.
const compiledAtOnce = 160

// compile fills the cache with what is tested, portion by portion, so that the
// working folder of go test holds little. What does not compile is told by go test.
func (j *job) compile(ctx context.Context, env []string, raced bool) error {
	list := []string{"list", "-e", "-tags", j.tags}
	if raced {
		list = append(list, "-race")
	}
	out, err := j.command(ctx, j.root, env, "go", slices.Concat(list, []string{"-deps", "./..."})...).Output()
	if err != nil {
		return fmt.Errorf("list the packages: %w", err)
	}
	packages := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool {
		return name == "C" || name == "unsafe" || strings.HasPrefix(name, "vendor/") // the latter come with what imports them
	})
	for portion := range slices.Chunk(packages, compiledAtOnce) {
		if err := j.quiet(ctx, j.root, env, "go", slices.Concat(list, []string{"-export"}, portion)...); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) runTests(ctx context.Context, env []string, args ...string) (testResults, error) {
	cmd := j.command(ctx, j.root, env, "go", append([]string{"test", "-json", "-vet=off", "-tags", j.tags}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start go test: %w", err)
	}
	results := readTests(stdout, os.Stdout)
	if err := cmd.Wait(); err != nil && !results.failed() {
		return results, err
	}
	return results, nil
}

// packageResult is what the tests of one package came to.
type packageResult struct {
	name            string
	passed, skipped int
	failed          []string // functions with their package, or the package itself
	unbuilt, raced  bool
}

type testResults []*packageResult

func (all testResults) failed() bool {
	return slices.ContainsFunc(all, func(r *packageResult) bool { return len(r.failed) > 0 })
}

// again lists the packages to be tested once more.
func (all testResults) again() (names []string) {
	for _, r := range all {
		if len(r.failed) == 0 {
			continue
		}
		if r.unbuilt || r.raced || len(names) == mostAgain {
			return nil
		}
		names = append(names, r.name)
	}
	return names
}

// replace puts the second results of packages into the place of the first, and
// names the tests that failed only the first time.
func (all testResults) replace(second testResults) (unsteady []string) {
	for _, now := range second {
		i := slices.IndexFunc(all, func(r *packageResult) bool { return r.name == now.name })
		if i < 0 {
			continue
		}
		for _, name := range all[i].failed {
			if !slices.Contains(now.failed, name) {
				unsteady = append(unsteady, name)
			}
		}
		all[i] = now
	}
	return unsteady
}

// testEvent is a line of go test -json (go doc test2json).
type testEvent struct {
	Action, Package, Test, Output, FailedBuild string
	Elapsed                                    float64
}

// testReader gathers the output of every test until it is known whether it is
// worth showing.
type testReader struct {
	show    io.Writer
	output  map[string]*strings.Builder // by package and test
	results testResults
	of      map[string]*packageResult
}

func readTests(from io.Reader, show io.Writer) testResults {
	r := testReader{show: show, output: map[string]*strings.Builder{}, of: map[string]*packageResult{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(show, lines.Text()) // what the go command says itself
			continue
		}
		r.take(e)
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintf(show, "reading the tests' results: %v\n", err)
	}
	for key, out := range r.output {
		if strings.Contains(out.String(), "FAIL") || strings.HasPrefix(key, " ") {
			fmt.Fprint(show, out)
		}
	}
	return r.results
}

func (r *testReader) take(e testEvent) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if r.output[key] == nil {
			r.output[key] = &strings.Builder{}
		}
		r.output[key].WriteString(e.Output)
		if strings.Contains(e.Output, "WARNING: DATA RACE") {
			r.pkg(e.Package).raced = true
		}
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.ended(e)
		} else {
			r.tested(e)
		}
		delete(r.output, key)
	}
}

func (r *testReader) pkg(name string) *packageResult {
	if r.of[name] == nil {
		r.of[name] = &packageResult{name: name}
		r.results = append(r.results, r.of[name])
	}
	return r.of[name]
}

func (r *testReader) tested(e testEvent) {
	p := r.pkg(e.Package)
	switch e.Action {
	case "pass":
		p.passed++
	case "skip":
		p.skipped++
	case "fail":
		p.failed = append(p.failed, e.Package+"."+e.Test)
		r.print(e)
	}
}

// ended takes the end of a whole package. One that failed without a failing
// function hung, ended its process or did not build.
func (r *testReader) ended(e testEvent) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.show, "ok  \t%s\t%.1fs\n", e.Package, e.Elapsed)
	case "fail":
		p := r.pkg(e.Package)
		p.unbuilt = e.FailedBuild != ""
		if unfinished := r.unfinished(e.Package); len(unfinished) > 0 {
			p.failed = append(p.failed, unfinished...)
		} else if len(p.failed) == 0 {
			p.failed = append(p.failed, e.Package)
		}
		r.print(e)
		fmt.Fprintf(r.show, "FAIL\t%s\t%.1fs\n", e.Package, e.Elapsed)
	}
}

func (r *testReader) print(e testEvent) {
	if out := r.output[e.Package+" "+e.Test]; out != nil {
		fmt.Fprint(r.show, out)
	}
}

// unfinished shows and names the tests of a package that came to no end.
func (r *testReader) unfinished(pkg string) (names []string) {
	for key, out := range r.output {
		name, of := strings.CutPrefix(key, pkg+" ")
		if !of || name == "" {
			continue
		}
		text := out.String()
		if len(text) > mostShown {
			text = text[:mostShown] + "\n…\n"
		}
		fmt.Fprintf(r.show, "%s has no end:\n%s", name, text)
		names = append(names, pkg+"."+name)
		delete(r.output, key)
	}
	slices.Sort(names)
	return names
}
