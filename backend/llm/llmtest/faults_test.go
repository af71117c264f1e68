package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

const faultText = "The Velnor bridge was opened in 1987 [1]. It is 412 metres long [2]. Its engineer was Ada Quill [1]."

// outcome is what a scenario of the failing server must come to. The zero value
// is a whole answer with some text.
type outcome struct {
	text    string // exact; "*" any, "" some text, "-" none
	code    fault.Code
	finish  llm.Finish
	calls   int
	least   time.Duration // the retry must have waited
	asked   int           // how often the server must have been asked; 0 is not looked at
	hangup  bool
	form    string // "" both
	dropped bool
	input   string // of the first tool call
}

var half, begun = faultText[:40], faultText[:60]

// outcomes lists the scenarios whose outcome is not a plain answer.
var outcomes = map[string]outcome{
	"ok": {text: faultText}, "ok-slow": {text: faultText}, "drip": {text: faultText}, "slow-headers": {text: faultText},
	"ok-unicode":      {text: "Grüße 橋は一九八七年 👩‍👩‍👧 é "},
	"stall-first":     {text: "-", code: fault.ModelTimeout, hangup: true},
	"stall-headers":   {text: "-", code: fault.ModelTimeout, hangup: true},
	"stall-mid":       {text: half, code: fault.ModelTimeout, hangup: true},
	"stall-keepalive": {text: half, code: fault.ModelTimeout, hangup: true},
	"endless":         {finish: llm.Repeated, hangup: true}, "repeat": {finish: llm.Repeated, hangup: true},
	"drop-first": {text: "-", code: fault.ModelUnreachable, dropped: true},
	"drop-mid":   {text: begun, code: fault.ModelUnreachable, dropped: true},
	"rst-mid":    {text: "*", code: fault.ModelUnreachable, dropped: true},
	"no-done":    {text: faultText, form: "openai"}, "drop-then-ok": {text: faultText},
	"429-once": {text: faultText, least: 2 * time.Second, asked: 2}, "429-date": {text: faultText},
	"429-always": {text: "-", code: fault.ModelQuota, least: 2 * time.Second, asked: 3},
	"429-day":    {text: "-", code: fault.ModelQuota, asked: 1},
	"500":        {text: "-", code: fault.ModelRefused, asked: 3}, "503": {text: "-", code: fault.ModelRefused, least: 2 * time.Second, asked: 3}, "529": {text: "-", code: fault.ModelRefused, asked: 3},
	"401": {text: "-", code: fault.ModelAuth, asked: 1}, "402": {text: "-", code: fault.ModelQuota, asked: 1},
	"403": {text: "-", code: fault.ModelAuth, asked: 1}, "404": {text: "-", code: fault.ModelMissing, asked: 1},
	"413": {text: "-", code: fault.ContextTooLong, asked: 1}, "502-html": {text: "-", code: fault.ModelRefused},
	"200-error": {text: "-", code: fault.ModelRefused}, "error-mid": {text: half, code: fault.ModelRefused},
	"context": {text: faultText}, "context-always": {text: "-", code: fault.ContextTooLong, asked: 1},
	"no-tools":  {text: "-", code: fault.ModelRefused},
	"no-stream": {text: faultText}, "stream-always": {text: faultText}, "wrong-type": {text: faultText},
	"bad-chunk": {text: faultText}, "garbage": {text: "-", code: fault.ModelRefused}, "crlf": {text: faultText},
	"byte-by-byte": {text: faultText}, "empty-choices": {text: faultText}, "null-fields": {text: faultText}, "done-twice": {text: faultText},
	"empty": {text: "-"}, "blank": {text: " \n\n \t"}, "length": {text: faultText[:70], finish: llm.Length}, "filtered": {text: faultText[:20], finish: llm.Filtered},
	"think": {text: faultText}, "think-open": {text: "-"}, "think-only-end": {text: faultText}, "reasoning": {text: faultText},
	"tool-text": {text: "*"}, "tool-json-text": {text: "*"},
	"ok-tool": {text: "-", calls: 1, input: `{"query": "Velnor bridge opening"}`}, "tool-finish-stop": {text: "-", calls: 1}, "tool-loop": {text: "-", calls: 1},
	"tool-bad-json": {text: "-", calls: 1, input: `{"query": "Velnor`}, "tool-empty-args": {text: "-", calls: 1}, "tool-null-args": {text: "-", calls: 1}, "tool-types": {text: "-", calls: 1},
	"tool-extra": {text: "-", calls: 1}, "tool-unknown": {text: "-", calls: 1}, "tool-shell": {text: "-", calls: 1}, "tool-ssrf": {text: "-", calls: 1},
	"tool-metadata": {text: "-", calls: 1}, "tool-file-url": {text: "-", calls: 1}, "tool-path": {text: "-", calls: 1}, "tool-long-query": {text: "-", calls: 1},
	"tool-parallel": {text: "-", calls: 6}, "tool-flood": {text: "-", calls: 200}, "tool-and-text": {text: "Let me look that up. ", calls: 1},
	"tool-no-id":       {text: "-", calls: 1, form: "openai", input: `{"query":"Velnor"}`},
	"tool-object-args": {text: "-", calls: 1, form: "openai", input: `{"query": "Velnor"}`},
}

// TestFailingServer runs every chat scenario of the failing model server
// through the whole stack, in both wire forms, and counts.
func TestFailingServer(t *testing.T) {
	if testing.Short() {
		t.Skip("some 30 seconds")
	}
	names := scenarios(t)
	for _, form := range []string{"openai", "ollama"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			base := python(t, "faults/flaky_llm.py", "--speed", "0.05")
			model := forms(base, llm.Limits{Connect: 30 * time.Second, FirstToken: 20 * time.Second, Idle: 10 * time.Second})[form]
			patient := forms(base, llm.Limits{})[form]
			stack := llm.SplitThinking(llm.Bounded(llm.Retry(model, llm.RetryPolicy{Pause: 100 * time.Millisecond}), 3000))
			var all sync.WaitGroup
			var good atomic.Int32
			places := make(chan struct{}, 24)
			for _, name := range names {
				places <- struct{}{}
				all.Go(func() {
					defer func() { <-places }()
					chosen := stack
					if heavy[name] {
						chosen = patient
					}
					if problem := try(t.Context(), chosen, base, form, name, outcomes[name]); problem != "" {
						t.Errorf("%s: %s", name, problem)
						return
					}
					good.Add(1)
				})
			}
			all.Wait()
			t.Logf("%s: %d of %d chat scenarios as wanted", form, good.Load(), len(names))
		})
	}
}

// heavy scenarios take their time on a busy machine, and some repeat a word on
// purpose: they run without Bounded and with the default limits.
var heavy = map[string]bool{"huge-chunk": true, "many-chunks": true, "tool-long-query": true, "tool-flood": true}

// scenarios lists the chat scenarios that the server knows.
func scenarios(t *testing.T) []string {
	out, err := exec.Command("python3", shared(t, "faults/flaky_llm.py"), "--list").Output()
	if err != nil {
		t.Skip("no python3")
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[1] != "embedding" {
			names = append(names, fields[0])
		}
	}
	return names
}

var keyOrMarkup = regexp.MustCompile(`canary|[<>]`)

func try(ctx context.Context, model llm.Model, base, form, name string, want outcome) string {
	call := llm.Call{Model: "fault:" + name, Messages: []llm.Message{{Author: llm.User, Text: "When was it opened?"}}, Purpose: "chat"}
	if name == "no-tools" || want.calls > 0 {
		call.Tools = []llm.Tool{{Name: "web_search", Schema: json.RawMessage(`{"type":"object"}`)}}
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	defer cancel()
	began := time.Now()
	r, err := llm.Collect(model.Stream(ctx, call))
	took := time.Since(began)
	if want.form != "" && want.form != form {
		return "" // the scenario has no such form: only that it ends
	}
	if name == "tool-bad-json" && form == "ollama" {
		want.input = ""
	}
	finish := want.finish
	if finish == "" && want.calls > 0 {
		finish = llm.UseTools
	}
	if finish == "" && want.code == "" {
		finish = llm.Stop
	}
	switch {
	case fault.CodeOf(err) != want.code:
		return "error " + errText(err) + ", wanted " + string(want.code)
	case err != nil && keyOrMarkup.MatchString(err.Error()+fault.Of(err).Message):
		return "key or markup shows: " + err.Error()
	case want.code == "" && r.Finish != finish:
		return "finish " + string(r.Finish)
	case want.dropped && !errors.Is(err, llm.ErrDropped):
		return "not seen as dropped: " + errText(err)
	case name == "no-tools" && !llm.RefusesTools(err):
		return "not seen as refusing tools: " + errText(err)
	case took < want.least:
		return "took " + took.String()
	case strings.Contains(r.Text, "SECRET-THOUGHT"):
		return "the thought is in the text"
	case len(r.Calls) != want.calls:
		return "calls: " + slices.Collect(callNames(r.Calls))[0]
	case want.input != "" && compact(r.Calls[0].Input) != compact(want.input):
		return "input " + r.Calls[0].Input
	}
	switch want.text {
	case "*":
	case "-":
		if strings.TrimSpace(r.Text) != "" {
			return "text " + r.Text
		}
	case "":
		if r.Blank() {
			return "no text"
		}
	default:
		if r.Text != want.text {
			return "text " + r.Text
		}
	}
	if want.hangup && !sawHangup(base, name) {
		return "the server saw no hang-up"
	}
	if asked := len(report(base, name)); want.asked > 0 && asked != want.asked {
		return fmt.Sprintf("asked %d times, wanted %d", asked, want.asked)
	}
	return ""
}

func compact(s string) string { return strings.ReplaceAll(s, " ", "") }

func errText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

func callNames(calls []llm.ToolCall) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, c := range calls {
			if !yield(c.Name) {
				return
			}
		}
		yield("no more")
	}
}

// asked is one call as the failing server reports it.
type asked struct {
	Scenario string
	Hangup   bool
}

// report gives the calls of a scenario so far.
func report(base, name string) []asked {
	response, err := http.Get(base + "/__report")
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	var calls []asked
	if json.NewDecoder(response.Body).Decode(&calls) != nil {
		return nil
	}
	return slices.DeleteFunc(calls, func(c asked) bool { return c.Scenario != name })
}

func sawHangup(base, name string) bool {
	for range 600 {
		if slices.ContainsFunc(report(base, name), func(c asked) bool { return c.Hangup }) {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// TestCancelsEndAtOnce cancels calls in every state of a failing server, some of
// them in the middle of a retry, and waits until nothing of them is left.
func TestCancelsEndAtOnce(t *testing.T) {
	before := goleak.IgnoreCurrent()
	base := python(t, "faults/flaky_llm.py", "--speed", "1")
	client := &http.Client{Transport: &http.Transport{}}
	states := []string{"stall-first", "stall-headers", "stall-mid", "stall-keepalive", "slow-headers", "drip", "ok-slow", "429-always"}
	var took []time.Duration
	for form, model := range formsOver(client, base, llm.Limits{}) {
		stack := llm.SplitThinking(llm.Bounded(llm.Retry(model, llm.RetryPolicy{}), 1<<20))
		for _, name := range states {
			for range 3 {
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() {
					_, err := llm.Collect(stack.Stream(ctx, llm.Call{Model: "fault:" + name, Messages: []llm.Message{{Author: llm.User, Text: "When?"}}, Purpose: "chat"}))
					ended <- err
				}()
				time.Sleep(100 * time.Millisecond)
				cancelled := time.Now()
				cancel()
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Errorf("%s %s: %v", form, name, err)
				}
				took = append(took, time.Since(cancelled))
			}
			if name != "429-always" && name != "slow-headers" && !sawHangup(base, name) {
				t.Errorf("%s %s: the server saw no hang-up", form, name)
			}
		}
	}
	slices.Sort(took)
	t.Logf("%d cancels: median %s, p95 %s, longest %s", len(took), took[len(took)/2], took[len(took)*95/100], took[len(took)-1])
	client.CloseIdleConnections()
	var left error
	for range 60 {
		http.DefaultClient.CloseIdleConnections()
		if left = goleak.Find(before, goleak.IgnoreTopFunction("os/exec.(*Cmd).watchCtx")); left == nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Errorf("goroutines left: %v", left)
}

// TestFailingEmbeddings runs the embedding scenarios in both forms.
func TestFailingEmbeddings(t *testing.T) {
	base := python(t, "faults/flaky_llm.py", "--speed", "0.01")
	refused := map[string]bool{"emb-fewer": true, "emb-none": true, "emb-zero": true, "emb-nan": true, "emb-null": true, "emb-text": true, "emb-500": true, "emb-drop": true}
	for form, model := range forms(base, llm.Limits{FirstToken: 30 * time.Second}) {
		for _, name := range []string{"emb-ok", "emb-fewer", "emb-none", "emb-zero", "emb-nan", "emb-null", "emb-text", "emb-slow", "emb-500", "emb-429", "emb-drop", "emb-shuffled"} {
			t.Run(form+" "+name, func(t *testing.T) {
				if name != "emb-429" { // the server counts its refusals over all clients
					t.Parallel()
				}
				got, err := model.Embedder("fault:"+name).Embed(t.Context(), []string{"one", "two", "three"})
				if (err != nil) != refused[name] || err == nil && len(got) != 3 {
					t.Fatalf("%d vectors, %v", len(got), err)
				}
				if refused[name] {
					return
				}
				plain, err := model.Embedder("fault:emb-ok").Embed(t.Context(), []string{"one", "two", "three"})
				if err != nil || !slices.EqualFunc(got, plain, slices.Equal[[]float32]) {
					t.Error("the vectors are not those of the texts")
				}
			})
		}
		t.Run(form+" emb-dim", func(t *testing.T) {
			e := model.Embedder("fault:emb-dim")
			var length int
			for range 30 {
				v, err := e.Embed(t.Context(), []string{"one", "two"})
				if err != nil {
					continue
				}
				if length == 0 {
					length = len(v[0])
				}
				if len(v[0]) != length || len(v[1]) != length {
					t.Fatal("lengths mixed")
				}
			}
		})
	}
}
