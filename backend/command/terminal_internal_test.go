package command

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/plain"
)

// onTerminal is a question asked on a terminal of so many columns.
func onTerminal(columns int) (*asking, *bytes.Buffer) {
	var out, errs bytes.Buffer
	env := &Env{Stdout: &out, Stderr: &errs, Terminal: true, Columns: columns}
	return &asking{env: env, flags: &askFlags{}, numbers: numbering{}, private: true}, &out
}

// writes hands the parts of an answer over as they come.
func writes(t *testing.T, a *asking, parts ...string) {
	t.Helper()
	at := 0
	for _, part := range parts {
		if _, err := a.event(contract.Event{Body: contract.TextDelta{Delta: part, At: at}}); err != nil {
			t.Fatal(err)
		}
		at += len([]rune(part))
	}
}

func ended(text string, numbers ...int) contract.Answer {
	ans := contract.Answer{Answer: text, Outcome: contract.Answered}
	for n := 1; n <= 3; n++ {
		ans.Sources = append(ans.Sources, contract.SourceCard{N: n, Title: "T" + string(rune('0'+n)), Kind: evidence.File, Path: "f" + string(rune('0'+n))})
	}
	for _, n := range numbers {
		ans.Citations = append(ans.Citations, contract.Citation{Marker: n})
	}
	return ans
}

func TestAnAnswerIsPrintedWhileItIsWritten(t *testing.T) {
	a, out := onTerminal(80)
	writes(t, a, "The tower is 34 met", "res high [3", "]. It is old ")
	if got := out.String(); got != "The tower is 34 metres high [1]. It is old" {
		t.Errorf("so far %q", got)
	}
	text := "The tower is 34 metres high [3]. It is old [1]."
	writes(t, a)
	if err := a.finished(ended(text, 3, 1)); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "The tower is 34 metres high [1]. It is old [2].\n\nSources\n[1] T3 — f3\n[2] T1 — f1\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestStrongTextHasNoMarksOnATerminal(t *testing.T) {
	said := "**Closest passages; they may not answer.**\n\n**灯台**の高さ: 2**10 or \\*\\*kwargs, `**kw` and **one** (**two**): **three**.[1]"
	for width, want := range map[int]string{
		200: "Closest passages; they may not answer.\n\n灯台の高さ: 2**10 or **kwargs, `**kw` and one (two): three.[1]",
		0:   said,
	} {
		var out bytes.Buffer
		if err := (&wrapper{out: &out, width: width}).markdown(said); err != nil || out.String() != want {
			t.Errorf("%d: %q, want %q (%v)", width, out.String(), want, err)
		}
	}
}

func TestHowSureAnAnswerIsFitsTheTerminal(t *testing.T) {
	a, out := onTerminal(30)
	ans := ended("It is 34 metres high [1].", 1)
	sure := 0.07
	ans.Outcome, ans.Grade, ans.Confidence = contract.Extracted, contract.GradeClosest, &sure
	if err := a.print(ans); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if plain.Columns(strings.TrimSpace(line)) > 30 {
			t.Errorf("%q is too wide", line)
		}
	}
}

func TestAScriptWithoutBlanksIsPrintedWhileItIsWritten(t *testing.T) {
	a, out := onTerminal(16)
	writes(t, a, "灯台の高さは", "三十四メートル。[", "3]古い灯台")
	if got, want := out.String(), "灯台の高さは三十\n四メートル。[1]\n古い灯台"; got != want {
		t.Errorf("so far %q, want %q", got, want)
	}
	if err := a.finished(ended("灯台の高さは三十四メートル。[3]古い灯台である。[1]", 3, 1)); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "灯台の高さは三十\n四メートル。[1]\n古い灯台であ\nる。[2]\n\nSources\n[1] T3 — f3\n[2] T1 — f1\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWhatTheCheckChangedIsPrintedAgain(t *testing.T) {
	a, out := onTerminal(80)
	writes(t, a, "It is 43 metres high [1]. ")
	if err := a.finished(ended("It is 34 metres high [2].", 2)); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "It is 43 metres high [1].\n\nAs it was checked:\n\nIt is 34 metres high [1].\n\nSources\n[1] T2 — f2\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestLinesBreakAtTheWidthOfTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		width    int
		in, want string
	}{
		"words":     {12, "one two three four", "one two\nthree four"},
		"a list":    {14, "- one two three four\n- five", "- one two\n  three four\n- five"},
		"a table":   {10, "| one | two | three | four |", "| one | two | three | four |"},
		"code":      {8, "```\nfunc main() { return }\n```\nafter the fence", "```\nfunc main() { return }\n```\nafter\nthe\nfence"},
		"wide":      {9, "灯台の 高さは 三十四", "灯台の 高\nさは 三十\n四"},
		"no blanks": {12, "灯台の高さは三十四メートル。[1]", "灯台の高さは\n三十四メート\nル。[1]"},
		"its end":   {12, "高さは三十四。灯台（古い）", "高さは三十\n四。灯台（古\nい）"},
		"no width":  {0, "one two three four", "one two three four"},
	} {
		var out strings.Builder
		w := &wrapper{out: &out, width: c.width}
		if err := w.write(c.in); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, out.String(), c.want, err)
		}
	}
}

func TestATerminalShowsSignsWithoutTheirBackslashes(t *testing.T) {
	text := "Use \\|zm\\| or \\*.txt \\[2] \\[b] [1].\n\n```\na \\| b\n```\nThen `\\|`."
	for columns, want := range map[int]string{80: "Use |zm| or *.txt \\[2] [b] [1].\n\n```\na \\| b\n```\nThen `\\|`.", 0: text} {
		a, out := onTerminal(columns)
		if err := a.rest(text, 1); err != nil || out.String() != want+"\n" {
			t.Errorf("%d columns: %v %q", columns, err, out.String())
		}
	}
}

func TestTheStatusOfResearchNamesWhereItIs(t *testing.T) {
	var s status
	for _, body := range []contract.Body{
		contract.StageChanged{State: "start", Label: "Researching…"}, contract.DimensionBegun{Index: 1, Total: 5, Dimension: "What does it cost?"}, contract.ReadDone{}, contract.ReadDone{}, contract.Finding{},
	} {
		s.follow(contract.Event{Body: body})
	}
	if got, want := s.say(s.until), "Researching… · 2 of 5: What does it cost? · 2 pages read · 1 finding"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := clipped("What does it cost?", 9); got != "What doe…" {
		t.Errorf("clipped to %q", got)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatIsLostIsAnError(t *testing.T) {
	for _, typed := range [][]string{{"version"}, {"--version"}, {"ask", "-h"}} {
		var errs bytes.Buffer
		code := Execute(t.Context(), &Env{Args: typed, Stdout: full{}, Stderr: &errs, Version: "1.2.3"})
		if code == 0 || !strings.Contains(errs.String(), "could be written") {
			t.Errorf("%v ends with %d and says %q", typed, code, errs.String())
		}
	}
}

func TestShortHelpFitsAScreenAndLongHelpHasExamples(t *testing.T) {
	for _, typed := range []string{"", "ask", "library", "threads", "export", "models", "serve", "keys"} {
		said := func(flag string) string {
			var out bytes.Buffer
			if code := Execute(t.Context(), &Env{Args: append(strings.Fields(typed), flag), Stdout: &out, Stderr: &out, Version: "1.2.3"}); code != 0 {
				t.Errorf("%s %s ends with %d", typed, flag, code)
			}
			return out.String()
		}
		if got := said("-h"); strings.Count(got, "\n") > 24 {
			t.Errorf("%q has %d lines:\n%s", typed, strings.Count(got, "\n"), got)
		}
		if got := said("--help"); !strings.Contains(got, "Examples:") {
			t.Errorf("%q has no examples:\n%s", typed, got)
		}
	}
}
