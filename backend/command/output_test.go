package command_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"footnote/backend/command"
)

// fullDisk takes nothing, as /dev/full does.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	d := sit(t)
	for _, args := range [][]string{{"version"}, {"--help"}, {"ask", "--offline", "--files", "bridge.md", opened}, {"ask", "--json", "--offline", "--files", "bridge.md", opened}, {"threads"}} {
		var errs bytes.Buffer
		if code := command.Execute(t.Context(), d.env(fullDisk{}, &errs, args...)); code != 6 || !strings.Contains(errs.String(), "no space left on device") || strings.Contains(errs.String(), "internal error") {
			t.Errorf("%q ends with %d: %s", args, code, &errs)
		}
	}
	if got := d.run("threads"); got.code != 0 || strings.Count(got.out, "thr_") != 2 {
		t.Errorf("what was done is done: %+v", got)
	}
}
