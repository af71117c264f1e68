package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/extract"
	"footnote/backend/housetest"
	"footnote/backend/llm/llmtest"
)

var quiet = slog.New(slog.DiscardHandler)

func TestVersionsAndHelp(t *testing.T) {
	d := sit(t)
	if got := d.run("version"); got.code != 0 || got.out != "footnote 1.2.3\n" {
		t.Errorf("%+v", got)
	}
	var v struct{ Version, Go, OS, Arch string }
	if err := json.Unmarshal([]byte(d.run("version", "--json").out), &v); err != nil || v.Version != "1.2.3" || v.OS != runtime.GOOS {
		t.Errorf("%v %+v", err, v)
	}
	for _, flag := range []string{"--version", "-V"} {
		if got := d.run(flag); got.code != 0 || got.out != "footnote 1.2.3\n" {
			t.Errorf("%s: %+v", flag, got)
		}
	}
	for _, flag := range []string{"--version", "-V"} {
		if got := d.run(flag, "--json"); got.code != 0 || got.out != d.run("version", "--json").out {
			t.Errorf("%s --json: %+v", flag, got)
		}
	}
	if got := d.run("--json"); got.code != 2 || !strings.Contains(got.out, "--version") {
		t.Errorf("--json alone: %+v", got)
	}
	stamp := func(env *command.Env) { env.Build = command.Build{Commit: "0123456789abcdef", Date: "2026-11-23"} }
	if got := d.with(stamp, "version"); got.out != "footnote 1.2.3 (0123456789ab, 2026-11-23)\n" {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{}, {"--help"}, {"ask", "--help"}, {"library"}, {"keys"}, {"help", "serve"}} {
		if got := d.run(args...); got.code != 0 || !strings.Contains(got.out, "Usage:") || got.errs != "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	for _, args := range [][]string{{"aks"}, {"--nothing"}, {"ask", "--nothing", "x"}, {"library", "nothing"}, {"keys", "set"}, {"threads", "remove"}, {"version", "x"}} {
		if got := d.run(args...); got.code != 2 || got.out != "" || !strings.HasPrefix(got.errs, "error: ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if left, err := os.ReadDir(d.data); err != nil || len(left) != 0 {
		t.Errorf("words alone made %v %v", left, err)
	}
}

func TestChildCommandsNeedNoHouse(t *testing.T) {
	d := sit(t)
	out, errs := &housetest.Output{}, &housetest.Output{}
	env := d.env(out, errs)
	env.Hidden = map[string]func(context.Context, []string) error{
		"good": func(_ context.Context, args []string) error { return nil },
		"bad":  func(_ context.Context, args []string) error { return errors.New("no " + args[0]) },
	}
	env.Args = []string{"good"}
	if code := command.Execute(t.Context(), env); code != 0 {
		t.Errorf("%d", code)
	}
	env.Args = []string{"bad", "luck"}
	if code := command.Execute(t.Context(), env); code != 1 || errs.String() != "no luck\n" {
		t.Errorf("%d %s", code, errs)
	}
}

func TestModelsAreListedTriedAndChosen(t *testing.T) {
	d := sit(t)
	if got := d.run("models"); got.code != 0 || got.out != "" || !strings.Contains(got.errs, "No model was found") {
		t.Errorf("%+v", got)
	}
	if got := d.run("models", "test", "away/m"); got.code != 5 {
		t.Errorf("%+v", got)
	}
	d.model = llmtest.NewScripted(llmtest.Reply{Text: "Yes."})
	if got := d.run("models"); got.code != 0 || got.out != "test/m  8192 tokens\n" {
		t.Errorf("%+v", got)
	}
	var lines []struct{ Model string }
	if err := json.Unmarshal([]byte(d.run("models", "--json").out), &lines); err != nil || len(lines) != 1 || lines[0].Model != "test/m" {
		t.Errorf("%v %+v", err, lines)
	}
	if got := d.run("models", "test", "test/m"); got.code != 0 || !strings.HasPrefix(got.out, "test/m answers in ") {
		t.Errorf("%+v", got)
	}
	if got := d.run("models", "test", "test/other"); got.code != 5 {
		t.Errorf("%+v", got)
	}
	if got := d.run("models", "use", "chat", "test/m"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if kept, err := os.ReadFile(filepath.Join(d.data, "config.toml")); err != nil || !strings.Contains(string(kept), "test/m") {
		t.Errorf("%v %s", err, kept)
	}
	for _, args := range [][]string{{"models", "use", "cook", "test/m"}, {"models", "use", "chat"}} {
		if got := d.run(args...); got.code != 2 {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestKeysComeFromStandardInputAndAreNeverPrinted(t *testing.T) {
	d := sit(t)
	d.stdin = "sk-canary-1234567890\n"
	for _, args := range [][]string{{"keys", "set", "openai"}, {"doctor"}, {"doctor", "--json"}, {"keys", "remove", "openai"}, {"keys", "set", "../x"}} {
		if got := d.run(args...); strings.Contains(got.out+got.errs, "canary") {
			t.Errorf("%v prints the key: %+v", args, got)
		}
	}
	d.stdin = " \n"
	if got := d.run("keys", "set", "openai"); got.code != 2 {
		t.Errorf("an empty key: %+v", got)
	}
}

func TestAKeyIsOnlyTakenOfWhatReadsIt(t *testing.T) {
	d := sit(t)
	d.stdin = "a-key-for-tests"
	for name, want := range map[string]string{"opnai": "did you mean openai?", "tavilly": "did you mean tavily?", "serp": "did you mean serper?", "zzzzzz": "There are lmstudio, llamacpp, openai,"} {
		if got := d.run("keys", "set", name); got.code != 2 || !strings.Contains(got.errs, want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := d.run("--set", "providers.custom.office.url=http://127.0.0.1:1/v1", "keys", "set", "office"); got.code != 0 {
		t.Errorf("a provider of the reader's own: %+v", got)
	}
}

// healthy reports whether the doctor found nothing but, at most, that the disk
// of the machine that tests is nearly full.
func healthy(got said) bool {
	return got.code == 0 || got.code == 8 && strings.Count(got.out, "FAULT ") == 1 && strings.Contains(got.out, "FAULT    disk: ")
}

func TestTheDoctorNamesTheNextStep(t *testing.T) {
	d := sit(t)
	if got := d.run("doctor"); !healthy(got) || !strings.Contains(got.out, "ok       data folder: "+d.data) || !strings.Contains(got.out, " disk: ") {
		t.Errorf("%+v", got)
	}
	if got := d.run("doctor"); !strings.Contains(got.out, "ok       reader of files: confined") {
		t.Errorf("%+v", got)
	}
	d.gaps = []string{"read other files", "reach the network"}
	if got := d.run("doctor"); got.code != 8 || !strings.Contains(got.out, "FAULT    reader of files: A file that takes it over could read other files, reach the network. This system is old.\n         next: ") {
		t.Errorf("%+v", got)
	}
	d.gaps, d.untried = nil, &extract.Error{Code: extract.Timeout}
	if got := d.run("doctor"); !strings.Contains(got.out, "FAULT    reader of files: It did not answer in time") || strings.Contains(got.out, "does not start") {
		t.Errorf("%+v", got)
	}
	if d.untried = errors.New("no such program"); !strings.Contains(d.run("doctor").out, "FAULT    reader of files: It does not start: no such program") {
		t.Error("what does not start passes for slow")
	}
	d.untried = nil
	got := d.run("--set", "models.chat=away/m", "doctor")
	if got.code != 8 || !strings.Contains(got.out, "FAULT    model: Away does not answer.\n         next: Start it.") {
		t.Errorf("%+v", got)
	}
	var findings []struct {
		Part, Says, Next string
		OK               bool
	}
	asJSON := d.run("--set", "models.chat=away/m", "doctor", "--json")
	if err := json.Unmarshal([]byte(asJSON.out), &findings); err != nil || asJSON.code != 8 {
		t.Fatalf("%v %+v", err, asJSON)
	}
	for _, f := range findings {
		if !f.OK && f.Next == "" || f.Says == "" {
			t.Errorf("%+v", f)
		}
	}
}

func TestAThreadIsExportedAndTheDataBackedUp(t *testing.T) {
	d := sit(t)
	export := func(body string) func(*command.Env) {
		return func(env *command.Env) {
			env.Export = func(_ context.Context, _ *command.House, want command.Export) ([]byte, error) {
				return []byte(want.Thread + " " + want.Format + " " + want.Style + " " + body), nil
			}
		}
	}
	run := func(change func(*command.Env), args ...string) said {
		out, errs := &housetest.Output{}, &housetest.Output{}
		env := d.env(out, errs, args...)
		change(env)
		return d.finish(command.Execute(t.Context(), env), out, errs)
	}
	if got := run(export("text \x1b[2J"), "export", "thr_1", "--style", "[^1]"); got.code != 0 || got.out != "thr_1 md [^1] text \uFFFD[2J" {
		t.Errorf("%+v", got)
	}
	if got := run(export("{\"a\":\"\u009b\"}"), "export", "thr_1", "--format", "json"); got.out != `thr_1 json  {"a":"\u009b"}` {
		t.Errorf("%+v", got)
	}
	if got := run(export("text \x1b"), "export", "thr_1", "-o", "out.md"); got.code != 0 || got.out != "" {
		t.Errorf("%+v", got)
	}
	if kept, err := os.ReadFile(filepath.Join(d.dir, "out.md")); err != nil || string(kept) != "thr_1 md  text \x1b" {
		t.Errorf("%v %q", err, kept)
	}
	if got := run(export(""), "export", "thr_1", "-o", "out.md"); got.code != 2 || !strings.Contains(got.errs, "is there already") {
		t.Errorf("written over: %+v", got)
	}
	if got := d.run("backup", "copy.db"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if info, err := os.Stat(filepath.Join(d.dir, "copy.db")); err != nil || info.Size() == 0 {
		t.Errorf("%v", err)
	}
	if got := d.run("backup", "none/copy.db"); got.code != 2 || !strings.Contains(got.errs, "copy.db cannot be written.") {
		t.Errorf("a folder that is not there: %+v", got)
	}
	if got := d.run("backup", "copy.db"); got.code != 2 {
		t.Errorf("written over: %+v", got)
	}
	if got := d.run("restore", "copy.db"); got.code != 0 || !strings.Contains(got.errs, "before-restore-") {
		t.Errorf("%+v", got)
	}
	if got := d.run("restore", "nothing.db"); got.code != 2 || !strings.Contains(got.errs, "There is no file nothing.db.") {
		t.Errorf("%+v", got)
	}
}
