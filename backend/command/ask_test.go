package command_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

const opened = "When was the bridge over the Lorne opened?"

// slow is a model that writes until it is stopped.
func slow() *llmtest.Scripted {
	return llmtest.NewScripted(llmtest.Reply{Text: strings.Repeat("word ", 4000), Delay: 5 * time.Millisecond})
}

// writing waits until the model was asked for the nth time and has said
// something. It is called beside the test's own goroutine.
func (d *desk) writing(n int) {
	for range 2000 {
		if len(d.model.Calls()) >= n {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(time.Second)
}

func TestAskPrintsTheAnswerAndItsSources(t *testing.T) {
	d := sit(t)
	got := d.run("ask", "--offline", "--files", "bridge.md", opened)
	want := regexp.MustCompile(`^\*\*3 May 1932\*\* \[1\]\n\nThe bridge over the Lorne was opened on 3 May 1932\. \[1\]\n\nSources\n\[1\] The Lorne bridge — ` + regexp.QuoteMeta(d.dir) + `/bridge\.md:\d+\n$`)
	said := regexp.MustCompile(`^Extracted from the sources; no model was used\.\nGo on: footnote ask --data ` + regexp.QuoteMeta(d.data) + ` --offline --files bridge\.md --thread thr_[a-z0-9]+ "…"\n$`)
	if got.code != 0 || !want.MatchString(got.out) || !said.MatchString(got.errs) {
		t.Errorf("%d\n%s%s", got.code, got.out, got.errs)
	}
	if list := d.run("library", "list"); list.out != "" {
		t.Errorf("a file of one question is in the library: %s", list.out)
	}
	styled := d.run("ask", "--quiet", "--offline", "--files", d.dir, "--style", "[^1]", opened)
	if styled.code != 0 || !strings.Contains(styled.out, "1932. [^1]\n\nSources\n[^1] The Lorne") || styled.errs != "" {
		t.Errorf("%d\n%s%s", styled.code, styled.out, styled.errs)
	}
}

func TestAskInJSONIsOneObject(t *testing.T) {
	d := sit(t)
	got := d.run("ask", "--json", "--offline", "--files", "bridge.md", opened)
	var a contract.Answer
	if err := json.Unmarshal([]byte(got.out), &a); err != nil || got.code != 0 || a.Outcome != contract.Extracted || a.Citations[0].Quote.Text == "" || a.Run == "" || len(a.Ledger) != 0 {
		t.Errorf("%v %d %s", err, got.code, got.out)
	}
}

func TestAskByEventsIsTheLog(t *testing.T) {
	d := sit(t)
	got := d.run("ask", "--events", "--offline", "--files", "bridge.md", opened)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	for i, line := range lines {
		var e contract.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Seq != i+1 || e.Kind.Terminal() != (i == len(lines)-1) {
			t.Fatalf("%v in line %d: %s", err, i+1, line)
		}
	}
	if got.code != 0 || len(lines) < 10 || !strings.Contains(lines[len(lines)-1], `"finished"`) {
		t.Errorf("%d, %d lines", got.code, len(lines))
	}
}

func TestTheQuestionMayComeFromStandardInput(t *testing.T) {
	d := sit(t)
	d.stdin = opened + "\n"
	if got := d.run("ask", "--offline", "--files", "bridge.md", "-"); got.code != 0 || !strings.Contains(got.out, "3 May 1932") {
		t.Errorf("%+v", got)
	}
}

func TestStagesAreForTerminalsAlone(t *testing.T) {
	d := sit(t)
	d.term = true
	got := d.run("ask", "--files", "bridge.md", "--offline", opened)
	if !strings.Contains(got.errs, "\r\x1b[KSearching sources…\r\x1b[K") || strings.Contains(got.out, "Searching") {
		t.Errorf("%+v", got)
	}
	if quiet := d.run("ask", "--quiet", "--files", "bridge.md", "--offline", opened); quiet.errs != "" {
		t.Errorf("quiet says %q", quiet.errs)
	}
}

func TestAgentModeTellsItsStepsAndAsksNobodyBack(t *testing.T) {
	d := sit(t)
	d.term = true
	said := func(text, purpose string) llmtest.Reply {
		return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == purpose }}
	}
	d.model = llmtest.NewScripted(
		said("It was opened in 1932 [1].", "chat"), said("[]", "follow-ups"), said("{}", "plan"),
		llmtest.Reply{Text: `{"tool": "ask_clarification", "input": {"question": "Which bridge?"}}`},
		llmtest.Reply{Text: `{"tool": "file_search", "input": {"query": "bridge Lorne"}}`},
		llmtest.Reply{Text: "DONE"},
	)
	got := d.run("ask", "--mode", "agent", "--model", "test/m", "--files", "bridge.md", "--offline", opened)
	for _, want := range []string{"There is no tool ask_clarification", "file_search bridge Lorne: 1 passage\n"} {
		if !strings.Contains(got.errs, want) {
			t.Errorf("%q is missing in:\n%s", want, got.errs)
		}
	}
	if got.code != 0 || !strings.Contains(got.out, "opened in 1932 [1]") || strings.Contains(got.out, "{") {
		t.Errorf("%+v", got)
	}
}

// TestHowAskEnds is the table of exit codes.
func TestHowAskEnds(t *testing.T) {
	d := sit(t)
	offline := fault.New(fault.Offline, "The engine could not be reached.", "Check the network.")
	for _, c := range []struct {
		name   string
		args   []string
		change func()
		code   int
		out    string
		errs   string
	}{
		{"answered", []string{"--offline", "--files", "bridge.md", opened}, nil, 0, "3 May 1932", "Extracted"},
		{"no evidence", []string{"--offline", "--files", "bridge.md", "Which colour has the submarine of the mayor of Atlantis?"}, nil, 3, "Sources\n", ""},
		{"an empty library", []string{"--focus", "local", opened}, nil, 3, "Sources\n", ""},
		{"a greeting", []string{"--offline", "Hello!"}, nil, 0, "", ""},
		{"a bad focus", []string{"--focus", "everywhere", opened}, nil, 2, "", "error: Invalid focus mode\nhint: Use one of"},
		{"a bad mode", []string{"--mode", "fast", opened}, nil, 2, "", "error: Invalid mode"},
		{"a bad style", []string{"--style", "(1)", opened}, nil, 2, "", "--style is [1] or [^1]"},
		{"a bad k", []string{"--k", "9", opened}, nil, 2, "", "--k is a number from 1 to 8"},
		{"a bad time", []string{"--timeout", "soon", opened}, nil, 2, "", "error: "},
		{"a time that is over before it begins", []string{"--timeout", "-1s", opened}, nil, 2, "", "--timeout"},
		{"two forms", []string{"--json", "--events", opened}, nil, 2, "cannot be used together", ""},
		{"an empty question", []string{" "}, nil, 2, "", "The question is empty."},
		{"a question too long", []string{strings.Repeat("x", 1001)}, nil, 2, "", "1001 characters"},
		{"no question", nil, nil, 2, "", "takes a question"},
		{"words without quotation marks", strings.Fields("--offline --files bridge.md When was the bridge over the Lorne opened?"), nil, 0, "3 May 1932", ""},
		{"an unknown flag", []string{"--fast", opened}, nil, 2, "", "has no flag --fast"},
		{"an unknown thread", []string{"--thread", "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa", opened}, nil, 2, "", "error: "},
		{"a file that is not there", []string{"--files", "none.md", opened}, nil, 2, "", "There is no such file or folder."},
		{"a bad setting", []string{"--set", "ask.mode=fast", opened}, nil, 2, "", "ask.mode"},
		{"offline with the focus web", []string{"--offline", "--focus", "web", opened}, nil, 4, "", "needs the network"},
		{"local only by setting", []string{"--set", "privacy.scope=local-only", "--focus", "web", opened}, nil, 4, "", "needs the network"},
		{"a network that is absent", []string{"--focus", "web", opened}, func() { d.web = &webtest.Frozen{SearchError: offline} }, 4, "could not be reached", ""},
		{"a model that is away", []string{"--model", "away/m", "--offline", "--files", "bridge.md", opened}, nil, 5, "", "Away does not answer."},
		{"a provider that does not exist", []string{"--model", "nobody/m", "--offline", "--files", "bridge.md", opened}, nil, 2, "", "error: "},
	} {
		if c.change != nil {
			c.change()
		}
		got := d.run(append([]string{"ask"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.out, c.out) || c.out == "" && c.code != 0 && got.out != "" || !strings.Contains(got.errs, c.errs) {
			t.Errorf("%s: %d, want %d\nout  %q\nerr  %q", c.name, got.code, c.code, got.out, got.errs)
		}
	}
}

func TestAMissingModelEndsWithFive(t *testing.T) {
	d := sit(t)
	d.model = llmtest.NewScripted(llmtest.Reply{Text: "It was opened on 3 May 1932 [1]."})
	got := d.run("ask", "--json", "--model", "test/other", "--offline", "--files", "bridge.md", opened)
	var failed struct {
		Error struct{ Code, Message, Hint string }
		Run   string
	}
	if err := json.Unmarshal([]byte(got.out), &failed); err != nil || got.code != 5 || failed.Error.Code != "model-missing" || failed.Error.Hint == "" || failed.Run == "" || strings.Contains(got.errs, "error:") {
		t.Errorf("%v %+v", err, got)
	}
	if good := d.run("ask", "--model", "test/m", "--offline", "--files", "bridge.md", opened); good.code != 0 || !strings.Contains(good.out, "3 May 1932 [1]") {
		t.Errorf("%+v", good)
	}
}

func TestATimeLimitKeepsTheTextSoFar(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.model = slow()
	within := func(args ...string) (got said, limit string) { // a busy machine needs more until the model writes
		for _, limit = range []string{"3s", "10s", "40s"} {
			if got = d.run(append(args, "--timeout", limit, "--offline", "--files", "bridge.md", opened)...); strings.Contains(got.out, "word word") {
				break
			}
		}
		return got, limit
	}
	got, limit := within("ask")
	if got.code != 7 || !strings.Contains(got.out, "word word") || !strings.Contains(got.errs, "The time limit of "+limit+" was reached.") {
		t.Errorf("%d %.100q %q", got.code, got.out, got.errs)
	}
	asJSON, _ := within("ask", "--json")
	var failed struct {
		Error   struct{ Code string }
		Partial string
	}
	if err := json.Unmarshal([]byte(asJSON.out), &failed); err != nil || asJSON.code != 7 || failed.Error.Code != "budget-exceeded" || !strings.Contains(failed.Partial, "word") {
		t.Errorf("%v %+v", err, asJSON)
	}
}

func TestAnInterruptStopsAndKeepsTheTextSoFar(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.model = slow()
	for _, form := range []string{"", "--json", "--events"} {
		ctx, interrupt := context.WithCancel(t.Context())
		began := time.Now()
		go func() { d.writing(len(d.model.Calls()) + 1); began = time.Now(); interrupt() }()
		args := []string{"ask", "--offline", "--files", "bridge.md", opened}
		if form != "" {
			args = append(args, form)
		}
		got := d.runUntil(ctx, args...)
		if got.code != 130 || !strings.Contains(got.out, "word") || strings.Contains(got.errs, "error:") || time.Since(began) > 15*time.Second {
			t.Errorf("%s: %d after %v, %.80q, %q", form, got.code, time.Since(began), got.out, got.errs)
		}
		switch form {
		case "--json":
			if !strings.Contains(got.out, `"interrupted"`) || !json.Valid([]byte(got.out)) {
				t.Errorf("%s", got.out)
			}
		case "--events":
			if lines := strings.Split(strings.TrimSpace(got.out), "\n"); !strings.Contains(lines[len(lines)-1], `"kind":"stopped"`) {
				t.Errorf("the log ends with %s", lines[len(lines)-1])
			}
		}
	}
}

func TestAThreadGoesOn(t *testing.T) {
	d := sit(t)
	var first contract.Answer
	if err := json.Unmarshal([]byte(d.run("ask", "--json", "--offline", "--files", "bridge.md", opened).out), &first); err != nil {
		t.Fatal(err)
	}
	if got := d.run("ask", "--offline", "--files", "bridge.md", "--thread", string(first.Thread), "What did the bridge cost?"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	list := d.run("threads")
	if list.code != 0 || !strings.HasPrefix(list.out, string(first.Thread)) || strings.Count(list.out, "\n") != 1 {
		t.Errorf("%+v", list)
	}
	var threads []struct{ Runs int }
	if err := json.Unmarshal([]byte(d.run("threads", "--json", "lorne").out), &threads); err != nil || len(threads) != 1 || threads[0].Runs != 2 {
		t.Errorf("%v %+v", err, threads)
	}
}

func TestNoPageSteersTheTerminal(t *testing.T) {
	d := sit(t)
	const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e"
	d.write("evil.md", "# Evil "+evil+" bridge\n\nThe bridge over the Lorne was opened "+evil+" on 3 May 1932.\n")
	d.write("na\x1bme\u202e.txt", "The ferry of Arden sank in 1911.")
	for _, args := range [][]string{
		{"ask", "--offline", "--files", "evil.md", opened}, {"ask", "--json", "--offline", "--files", "evil.md", opened}, {"ask", "--events", "--offline", "--files", "evil.md", opened},
		{"ask", "--offline", "--files", ".", "When did the ferry of Arden sink?"}, {"ask", "no \x1b[2J such \u009b focus", "--focus", "\x1b[2J"},
		{"library", "add", "--wait", "."}, {"library", "list"}, {"library", "list", "--json"}, {"library", "search", "ferry"}, {"library", "search", "--json", "lorne"},
		{"library", "status"}, {"threads"}, {"\x1b[2J"}, {"library", "add", "\x1b[2Jnone"},
	} {
		got := d.run(args...)
		if i := strings.IndexAny(got.out+got.errs, "\x1b\x07\u009b\u202e"); i >= 0 {
			t.Errorf("%q prints %q", args, (got.out + got.errs)[max(0, i-20):i+10])
		}
	}
	var a contract.Answer
	got := d.run("ask", "--json", "--offline", "--files", "evil.md", opened)
	if err := json.Unmarshal([]byte(got.out), &a); err != nil || !strings.Contains(got.out, `\u202e`) && strings.ContainsRune(a.Answer, 0x202e) {
		t.Errorf("%v %s", err, got.out)
	}
}
