package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// events are lines of go test -json: action, package, test, output.
func events(of ...[4]string) *bytes.Buffer {
	var b bytes.Buffer
	for _, e := range of {
		fmt.Fprintf(&b, "{\"Action\":%q,\"Package\":%q,\"Test\":%q,\"Output\":%q}\n", e[0], e[1], e[2], e[3])
	}
	return &b
}

func TestWhatFailedOnceIsTestedAgainAndNamed(t *testing.T) {
	var shown strings.Builder
	first := readTests(events(
		[4]string{"pass", "a", "TestGood"}, [4]string{"skip", "a", "TestNot"}, [4]string{"pass", "a"},
		[4]string{"output", "b", "TestBad", "it was late\n"}, [4]string{"fail", "b", "TestBad"}, [4]string{"pass", "b", "TestFine"}, [4]string{"fail", "b"},
		[4]string{"output", "c", "TestHung", "panic: test timed out\n"}, [4]string{"output", "c", "", "FAIL c\n"}, [4]string{"fail", "c"},
	), &shown)
	for _, want := range []string{"it was late", "TestHung has no end", "panic: test timed out", "ok  \ta", "FAIL\tb"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if again := first.again(); !slices.Equal(again, []string{"b", "c"}) {
		t.Fatalf("again %q", again)
	}
	second := readTests(events(
		[4]string{"pass", "b", "TestBad"}, [4]string{"pass", "b", "TestFine"}, [4]string{"pass", "b"},
		[4]string{"fail", "c", "TestHung"}, [4]string{"fail", "c"},
	), &shown)
	if unsteady := first.replace(second); !slices.Equal(unsteady, []string{"b.TestBad"}) {
		t.Errorf("unsteady %q", unsteady)
	}
	if !first.failed() || !slices.Equal(first[2].failed, []string{"c.TestHung"}) || first[1].passed != 2 || first[0].skipped != 1 {
		t.Errorf("in the end %+v %+v %+v", first[0], first[1], first[2])
	}
}

func TestWhatIsNoAccidentIsNotTestedAgain(t *testing.T) {
	var shown strings.Builder
	for name, of := range map[string][][4]string{
		"a data race":  {{"output", "a", "TestA", "WARNING: DATA RACE\n"}, {"fail", "a", "TestA"}, {"fail", "a"}},
		"many":         {{"fail", "a", "TestA"}, {"fail", "b", "TestB"}, {"fail", "c", "TestC"}, {"fail", "d", "TestD"}},
		"nothing":      {{"pass", "a", "TestA"}, {"pass", "a"}},
		"a lone build": nil,
	} {
		in := events(of...)
		if of == nil {
			in.WriteString(`{"Action":"fail","Package":"a","FailedBuild":"a"}`)
		}
		results := readTests(in, &shown)
		if again := results.again(); len(again) > 0 || results.failed() == (name == "nothing") {
			t.Errorf("%s: again %q, failed %v", name, again, results.failed())
		}
	}
}

func TestAStepThatPassesOnlyTheSecondTimeIsNamed(t *testing.T) {
	j := &job{began: time.Now(), again: true}
	tries := 0
	fails := func(times int) func() error {
		tries = 0
		return func() error {
			if tries++; tries <= times {
				return errors.New("late")
			}
			return nil
		}
	}
	j.retriedStep("steady", fails(0))
	j.retriedStep("unsteady", fails(1))
	j.retriedStep("broken", fails(9))
	if tries != 2 || j.passed != 2 || j.failed != 1 || !slices.Equal(j.unsteady, []string{"unsteady: late"}) {
		t.Errorf("%d tries, %d passed, %d failed, unsteady %q", tries, j.passed, j.failed, j.unsteady)
	}
	once := &job{began: time.Now()}
	once.retriedStep("late", fails(1))
	if tries != 1 || once.passed != 0 || once.failed != 1 || len(once.unsteady) > 0 {
		t.Errorf("with no second try: %d tries, %d passed, %d failed, unsteady %q", tries, once.passed, once.failed, once.unsteady)
	}
}

func TestLanesCountTogether(t *testing.T) {
	j := &job{began: time.Now()}
	lane := func() {
		for range 5 {
			j.pass(1)
			j.skip(1)
			j.fail("step", "why")
		}
	}
	lanes(lane, lane)
	if j.passed != 10 || j.skipped != 10 || j.failed != 10 || len(j.failures) != 10 {
		t.Errorf("%d passed, %d skipped, %d failed with %d lines", j.passed, j.skipped, j.failed, len(j.failures))
	}
}
