package command_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/housetest"
)

func (d *desk) with(change func(*command.Env), args ...string) said {
	d.t.Helper()
	out, errs := &housetest.Output{}, &housetest.Output{}
	env := d.env(out, errs, args...)
	change(env)
	return d.finish(command.Execute(d.t.Context(), env), out, errs)
}

func TestABundleIsBroughtBack(t *testing.T) {
	d := sit(t)
	d.write("a.zip", "the bundle")
	took := func(err error) func(*command.Env) {
		return func(env *command.Env) {
			env.Import = func(_ context.Context, _ *command.House, bundle []byte) (string, error) {
				return "thr_of " + string(bundle), err
			}
		}
	}
	if got := d.with(took(nil), "import", "a.zip"); got.code != 0 || got.out != "thr_of the bundle\n" {
		t.Errorf("%+v", got)
	}
	here := fault.New(fault.ConfirmNeeded, "It is here already.", "Delete it.").With("thread", "thr_of")
	if got := d.with(took(here), "import", "a.zip"); got.code != 2 || got.out != "" || !strings.Contains(got.errs, "footnote threads remove thr_of") {
		t.Errorf("brought twice: %+v", got)
	}
	if got := d.with(took(fault.New(fault.UnsupportedMedia, "This file is no bundle.", "Choose another.")), "import", "a.zip"); got.code != 2 || got.out != "" || !strings.Contains(got.errs, "hint: Choose another.") {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"nothing.zip", "."} {
		if got := d.with(took(nil), "import", name); got.code != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatIsNoTextIsNotPrintedUnasked(t *testing.T) {
	d := sit(t)
	none := func(env *command.Env) {
		env.Export = func(context.Context, *command.House, command.Export) ([]byte, error) {
			return nil, fault.New(fault.NotFound, "There is no such thread.", "It may have been deleted.")
		}
	}
	if got := d.with(none, "export", "thr_1"); got.code != 2 || !strings.Contains(got.errs, "footnote threads lists them") {
		t.Errorf("%+v", got)
	}
	columns := 0
	raw := func(env *command.Env) {
		env.Columns = columns
		env.Export = func(_ context.Context, _ *command.House, want command.Export) ([]byte, error) {
			return []byte("\x00\x1b" + want.Run), nil
		}
	}
	for _, format := range []string{"pdf", "docx", "bundle"} {
		columns = 80
		if got := d.with(raw, "export", "thr_1", "--format", format); got.code != 2 || got.out != "" {
			t.Errorf("%s: %+v", format, got)
		}
		columns = 0
		if got := d.with(raw, "export", "thr_1", "--format", format, "--run", "run_1"); got.code != 0 || got.out != "\x00\x1brun_1" {
			t.Errorf("%s in a pipe: %+v", format, got)
		}
	}
}

func TestAnAnswerIsRefreshedAndTellsWhatChanged(t *testing.T) {
	d := sit(t)
	if got := d.run("library", "add", "--wait", "bridge.md"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	var ans struct{ Run, Thread string }
	first := d.run("ask", "--json", "--focus", "local", "When was the bridge over the Lorne opened?")
	if err := json.Unmarshal([]byte(first.out), &ans); err != nil {
		t.Fatalf("%v %+v", err, first)
	}
	for _, id := range []string{ans.Run, ans.Thread} {
		if got := d.run("refresh", id); got.code != 0 || !strings.HasSuffix(got.out, "\nWhat changed\nnothing\n") {
			t.Errorf("%+v", got)
		}
	}
	d.write("bridge.md", strings.Replace(bridge, "1932", "1933", 1))
	if got := d.run("library", "add", "--wait", "bridge.md"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	got := d.run("refresh", ans.Run)
	for _, part := range []string{"- The bridge over the Lorne was opened on 3 May 1932.", "+ The bridge over the Lorne was opened on 3 May 1933.", "edited: The Lorne bridge — "} {
		if !strings.Contains(got.out, part) {
			t.Errorf("no %q in\n%s%s", part, got.out, got.errs)
		}
	}
	if got := d.run("refresh", "run_aaaaaaaaaaaaaaaaaaaaaaaaaa"); got.code != 2 {
		t.Errorf("%+v", got)
	}
}

func TestShellsCompleteThreadsModelsAndFlags(t *testing.T) {
	d := sit(t)
	if got := d.run("ask", "--focus", "local", "When was the bridge opened?"); got.code != 3 {
		t.Fatalf("%+v", got)
	}
	for what, c := range map[string]struct {
		line   []string
		wanted string
	}{
		"threads": {[]string{"export", ""}, "thr_"}, "their titles": {[]string{"refresh", ""}, "When was the bridge opened"}, "models": {[]string{"models", "use", "chat", ""}, "none"},
		"formats": {[]string{"export", "--format", ""}, "bibtex"}, "focuses": {[]string{"ask", "--focus", ""}, "academic"}, "commands": {[]string{"comp"}, "completion"},
	} {
		if got := d.run(append([]string{"__complete"}, c.line...)...); got.code != 0 || !strings.Contains(got.out, c.wanted) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := d.run("completion", shell); got.code != 0 || !strings.Contains(got.out, "footnote") {
			t.Errorf("%s: %d, %d bytes", shell, got.code, len(got.out))
		}
	}
}

func TestEveryCommandHasAManualPage(t *testing.T) {
	d := sit(t)
	stamp := func(env *command.Env) { env.Build.Date = "2026-11-23" }
	if got := d.with(stamp, "man", "pages"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	for name, parts := range map[string][]string{
		"footnote": {".TH FOOTNOTE 1 \"2026-11-23\" \"Footnote 1.2.3\" \"Footnote\"\n", ".SH EXIT STATUS", ".SH EXAMPLES\n.nf\n", ".SH ENVIRONMENT", "\n.TP\nFOOTNOTE_TOKEN\n", "\n.TP\nFOOTNOTE_KEY_NAME\n", ".SH FILES", `%LOCALAPPDATA%\efootnote`, ".BR footnote\\-ask (1)", "\\fB\\-\\-data\\fR"}, "footnote-ask": {"\\fB\\-\\-focus\\fR", "\\fB\\-\\-files\\fR \\fIfile or folder\\fR\n", "\\fIsection.key=value\\fR", ".B footnote ask QUESTION|\\-"},
		"footnote-library-add": {"\\fB\\-\\-wait\\fR", ".BR footnote\\-library (1)"}, "footnote-completion-bash": {".SH NAME"},
		"footnote-doctor": {`jq \(aq.[] | select(.ok | not)\(aq`}, "footnote-library-list": {".SH EXAMPLES"}, "footnote-library-remove": {`\(ti/Documents/old`},
	} {
		page, err := os.ReadFile(filepath.Join(d.dir, "pages", name+".1"))
		for _, part := range parts {
			if err != nil || !strings.Contains(string(page), part) {
				t.Errorf("%s: %v, no %q in\n%s", name, err, part, page)
			}
		}
		if strings.Contains(string(page), "stringArray") {
			t.Errorf("%s names the value of a flag by a type of Go", name)
		}
		for line := range strings.SplitSeq(string(page), "\n") {
			if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".SH ") && !strings.HasPrefix(line, ".B") && !slices.Contains([]string{".TP", ".nf", ".fi"}, line) {
				t.Errorf("%s orders %q", name, line)
			}
		}
	}
}

func TestDoctorSpeaksOfADataFolderThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	d := sit(t)
	broken := func(err error) func(*command.Env) {
		return func(env *command.Env) {
			env.Open = func(context.Context, command.Flags) (*command.House, error) { return nil, err }
		}
	}
	for what, err := range map[string]error{
		"damaged": fault.New(fault.DataDamaged, "The database is damaged.", "Restore a copy."), "held": fault.New(fault.DataLocked, "Another program holds the data folder.", "Close it."),
		"no hint": os.ErrPermission,
	} {
		got := d.with(broken(err), "doctor", "--json")
		var findings []struct {
			Part, Says, Next string
			OK               bool
		}
		if err := json.Unmarshal([]byte(got.out), &findings); err != nil || got.code != 8 || len(findings) < 4 {
			t.Errorf("%s: %v %+v", what, err, got)
			continue
		}
		if f := findings[0]; f.OK || f.Part != "data folder" || !strings.Contains(f.Says, d.data) || f.Next == "" {
			t.Errorf("%s: %+v", what, f)
		}
	}
}

func TestFilesOfOneQuestionAreReadAgainToRefreshIt(t *testing.T) {
	d := sit(t)
	var ans struct{ Run string }
	if got := d.run("ask", "--json", "--files", "bridge.md", "When was the bridge over the Lorne opened?"); json.Unmarshal([]byte(got.out), &ans) != nil || ans.Run == "" {
		t.Fatalf("%+v", got)
	}
	d.write("bridge.md", strings.Replace(bridge, "1932", "1933", 1))
	if got := d.run("refresh", ans.Run); !strings.Contains(got.out, "opened on 3 May 1933. [1]") || !strings.Contains(got.out, "- The bridge over the Lorne was opened on 3 May 1932.") {
		t.Errorf("%+v", got)
	}
}
