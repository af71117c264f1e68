package command_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/command"
)

// TestWhatIsTypedWrongIsAnswered holds that every mistake of usage names the
// command it was made in, and what was meant where that can be told.
func TestWhatIsTypedWrongIsAnswered(t *testing.T) {
	d := sit(t)
	for typed, wants := range map[string][]string{
		"aks x":                            {`there is no command and no file called "aks"; did you mean footnote ask?`, "Run footnote --help."},
		"lib":                              {"did you mean footnote library?"},
		"zzzz":                             {`called "zzzz"` + "\n"},
		"ask":                              {"footnote ask takes a question", "Type footnote ask QUESTION|-; footnote ask --help has more."},
		"ask --styel [1] x":                {"footnote ask has no flag --styel; did you mean --style?", "footnote ask --help"},
		"ask --dta x y":                    {"did you mean --data?"},
		"ask --qqqqqq x":                   {"has no flag --qqqqqq\n"},
		"ask -x y":                         {"footnote ask has no flag -x"},
		"ask --timeout 5 x":                {`--timeout is a time with its unit, like 30s or 2m, not "5"`},
		"ask --k many x":                   {`--k is a whole number, not "many"`},
		"ask --k 9 x":                      {"--k is a number from 1 to 8", "footnote ask --help"},
		"ask x --thread":                   {"--thread needs a value: go on in this thread"},
		"ask --offline=maybe x":            {`--offline is true or false, not "maybe"`},
		"library ad":                       {`footnote library has no command "ad"; did you mean footnote library add?`, "Run footnote library --help."},
		"library add":                      {"footnote library add takes at least one path", "Type footnote library add PATH...;"},
		"library search --limit 0 x":       {"--limit is a number from 1 to"},
		"library search  ":                 {"footnote library search takes words to look for"},
		"library collection ad":            {"did you mean footnote library collection add?"},
		"library rescan x":                 {`footnote library rescan takes no words after it, and was given "x"`},
		"models tset":                      {"did you mean footnote models test?"},
		"models use cook none":             {`there is no role "cook"`, "footnote models use --help"},
		"models use chat nobody/m":         {`There is no provider "nobody".`},
		"models allow nobody":              {`There is no provider "nobody".`},
		"completion bsh":                   {"did you mean footnote completion bash?"},
		"eval retrieva":                    {"did you mean footnote eval retrieval?"},
		"refresh thr_none":                 {"footnote threads lists"},
		"refresh none":                     {"footnote threads lists"},
		"refresh thr_1 --every moon":       {`--every is hour, day, week, or a time like 12h or 3d, not "moon"`, "footnote refresh --help"},
		"ask --thread thr_none x":          {"footnote threads lists"},
		"threads remove thr_none":          {"footnote threads lists"},
		"--log loud threads":               {`--log is debug, info, warn, error, not "loud"`},
		"library list --status everything": {"--status is waiting", "footnote library list --help"},
	} {
		got := d.run(strings.Fields(typed)...)
		if got.code != 2 || got.out != "" {
			t.Errorf("%s: %+v", typed, got)
		}
		for _, want := range wants {
			if !strings.Contains(got.errs, want) {
				t.Errorf("%s: no %q in\n%s", typed, want, got.errs)
			}
		}
	}
	if got := d.run("--data", filepath.Join(d.dir, "bridge.md", "data"), "threads"); got.code != 2 || !strings.Contains(got.errs, "cannot be made.\nhint: Choose another one with --data.") {
		t.Errorf("a data folder in a file: %+v", got)
	}
	if got := d.run("library", "search", " "); got.code != 2 || !strings.Contains(got.errs, "the query is empty") {
		t.Errorf("%+v", got)
	}
}

// TestAFailureIsOneObjectWhereJSONIsWanted holds for what fails before a question
// is asked.
func TestAFailureIsOneObjectWhereJSONIsWanted(t *testing.T) {
	d := sit(t)
	for _, args := range [][]string{{"ask", "--json", "--k", "9", "x"}, {"ask", "--json"}, {"library", "search", "--json", " "}, {"refresh", "--json", "thr_none"}} {
		got := d.run(args...)
		var failed struct {
			Error struct{ Code, Message, Hint string }
		}
		if err := json.Unmarshal([]byte(got.out), &failed); err != nil || got.code != 2 || failed.Error.Code == "" || failed.Error.Message == "" || failed.Error.Hint == "" || got.errs != "" {
			t.Errorf("%v: %v %+v", args, err, got)
		}
	}
}

// TestEveryCommandSaysWhatItHasDone holds that no command ends in silence, and
// that what it says leaves standard output alone.
func TestEveryCommandSaysWhatItHasDone(t *testing.T) {
	d := sit(t)
	d.write("ferry.txt", "The ferry of Arden sank in 1911.")
	d.stdin = "sk-1234567890"
	for _, step := range []struct{ typed, says string }{
		{"library list", "footnote library add"}, {"threads", "No conversations yet."}, {"threads ferry", "No conversation has these words."}, {"personas", "There are no personas."},
		{"library collection", "There are no collections."}, {"library rescan", "There are no folders"},
		{"library add .", "2 files can be searched."}, {"library rescan", "Looked through 1 folder: 2 files can be searched."},
		{"library collection add Boats ferry.txt", `@boats holds 0 folders and 1 file. Ask in it: footnote ask "… @boats"`}, {"library collection rename Boats Ships", "It is @ships now."},
		{"library collection remove Ships ferry.txt", "Taken out of @ships: ferry.txt"}, {"library collection remove Ships", "@ships is forgotten"},
		{"library remove ferry.txt", "Removed from the library: ferry.txt."},
		{"models use chat none", "The chat model is none from now on."}, {"models allow away", "Text of your files may be sent to away"}, {"models", "Text of your files may be sent to away; footnote models disallow away takes that back."}, {"models disallow away", "No text of your files is sent to away from now on."}, {"models disallow away", "away was not allowed"},
		{"keys remove openai", "There was no key of openai."}, {"man pages", "pages in "},
	} {
		got := d.run(strings.Fields(step.typed)...)
		if got.code != 0 || got.out != "" || !strings.Contains(got.errs, step.says) {
			t.Errorf("%s: %+v, want %q", step.typed, got, step.says)
		}
	}
}

// TestAConversationIsDeletedByItsID holds the way from a bundle that is refused
// to one that is taken.
func TestAConversationIsDeletedByItsID(t *testing.T) {
	d := sit(t)
	if got := d.run("ask", "--offline", "--files", "bridge.md", opened); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	id, _, _ := strings.Cut(d.run("threads").out, " ")
	deleted := ""
	remove := func(env *command.Env) {
		env.Delete = func(_ context.Context, _ *command.House, thread string) error { deleted = thread; return nil }
	}
	if got := d.with(remove, "threads", "remove", id); got.code != 0 || deleted != id || got.errs != "Deleted: "+id+"\n" {
		t.Errorf("%q %+v", deleted, got)
	}
}
