package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// Canary is a key that the suite's server puts into its refusals. It must never
// come out again.
const Canary = "sk-canary-0042"

// Signed is the signature that the suite's server gives of thoughts, in forms whose
// thoughts go back by that.
const Signed = "SIGNED-THOUGHT"

// Limits are those that the constructor given to Run must use.
func Limits() llm.Limits {
	return llm.Limits{Connect: 10 * time.Second, FirstToken: 3 * time.Second, Idle: 1500 * time.Millisecond, Behind: 30 * time.Second}
}

// Run holds the contract of llm.Model against an adapter. open makes it for a
// server at baseURL (without a path) with Limits and, where it takes one, Canary
// as its key.
func Run(t *testing.T, open opener) {
	before := goleak.IgnoreCurrent()
	s := newServer(scripts())
	client := s.Client()
	suite := &suite{server: s, open: open, model: open(s.URL, client)}
	t.Run("reply", suite.replies)
	t.Run("frame", suite.frames)
	t.Run("refusal", suite.refusals)
	t.Run("limit", suite.limits)
	t.Run("hang-up", suite.hangups)
	t.Run("request", suite.requests)
	t.Run("many at once", suite.concurrent)
	t.Run("nobody there", func(t *testing.T) {
		_, err := llm.Collect(open("http://127.0.0.1:1", client).Stream(t.Context(), ask("plain")))
		wantFault(t, err, fault.ModelUnreachable)
	})
	client.CloseIdleConnections()
	s.Close()
	if err := goleak.Find(before); err != nil {
		t.Errorf("goroutines left: %v", err)
	}
}

type suite struct {
	server *server
	open   opener
	model  llm.Model
}

func ask(name string) llm.Call {
	return llm.Call{Model: name, Messages: []llm.Message{{Author: llm.System, Text: "Be brief."}, {Author: llm.User, Text: "What is it?"}}, Temperature: 0.2, Purpose: "chat"}
}

func (s *suite) collect(t *testing.T, name string) (llm.Reply, error) {
	t.Helper()
	return llm.Collect(s.model.Stream(t.Context(), ask(name)))
}

const (
	sentence = "Grüße: the 橋 opened in 1987 👩‍👩‍👧 [1]."
	halfway  = "The bridge "
)

var refusalCases = []struct {
	name   string
	status int
	says   string
	code   string
	header map[string]string
	want   fault.Code
}{
	{name: "400", status: 400, says: "bad request", want: fault.ModelRefused},
	{name: "401", status: 401, says: "invalid api key " + Canary, want: fault.ModelAuth},
	{name: "402", status: 402, says: "no credit", want: fault.ModelQuota},
	{name: "403", status: 403, says: "not allowed with " + Canary, want: fault.ModelAuth},
	{name: "404", status: 404, says: "model not found", want: fault.ModelMissing},
	{name: "413", status: 413, says: "too large", want: fault.ContextTooLong},
	{name: "429", status: 429, says: "slow down", header: map[string]string{"Retry-After": "7"}, want: fault.ModelQuota},
	{name: "500", status: 500, says: "boom with " + Canary, want: fault.ModelRefused},
	{name: "529", status: 529, says: "overloaded", want: fault.ModelRefused},
	{name: "long", status: 400, says: "This model's maximum context length is 2048 tokens. However, your messages resulted in 9999 tokens.", want: fault.ContextTooLong},
}

func (s *suite) replies(t *testing.T) {
	cases := []struct {
		name, text, thinking string
		finish               llm.Finish
	}{
		{"plain", sentence, "", llm.Stop},
		{"thinks", sentence, "secret thought", llm.Stop},
		{"length", halfway, "", llm.Length},
		{"filtered", halfway, "", llm.Filtered},
		{"empty", "", "", llm.Stop},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := s.collect(t, c.name)
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != c.text || r.Thinking != c.thinking || r.Finish != c.finish {
				t.Errorf("got %+v", r)
			}
			if want := (llm.Usage{Prompt: 10, Completion: 20, Calls: 1}); r.Usage != want {
				t.Errorf("usage %+v, want %+v", r.Usage, want)
			}
			if r.Blank() != (c.name == "empty") {
				t.Error("blank")
			}
		})
	}
	t.Run("tools", func(t *testing.T) {
		r, err := s.collect(t, "tools")
		if err != nil || r.Finish != llm.UseTools || len(r.Calls) != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		for i, want := range []struct{ name, input string }{{"web_search", `{"query":"Velnor"}`}, {"file_search", `{"query":"bridge"}`}} {
			if c := r.Calls[i]; c.Name != want.name || c.Input != want.input || c.ID == "" || c.ID == r.Calls[1-i].ID {
				t.Errorf("call %d: %+v", i, c)
			}
		}
	})
	t.Run("thoughts go back with the calls", s.considered)
	t.Run("uncounted usage is estimated", func(t *testing.T) {
		r, err := s.collect(t, "uncounted")
		if err != nil || !r.Usage.Estimated || r.Usage.Prompt == 0 || r.Usage.Completion == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// considered holds that a model which thought before it called a tool is sent its
// thoughts, or their signature, with the answer of the tool: some refuse to go on
// without. Thoughts before an answer are not kept.
func (s *suite) considered(t *testing.T) {
	r, err := s.collect(t, "considers")
	if err != nil || r.Thinking != "secret thought" || len(r.Calls) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	call := ask("plain")
	call.Messages = append(call.Messages, llm.Message{Author: llm.Assistant, Calls: r.Calls, Echo: r.Echo}, llm.Message{Author: llm.ToolReply, Tool: r.Calls[0].ID, Text: "found"})
	if _, err := llm.Collect(s.model.Stream(t.Context(), call)); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(s.server.last())
	if err != nil || !strings.Contains(string(sent), "secret thought") && !strings.Contains(string(sent), Signed) {
		t.Errorf("the thoughts are not sent back: %s, %v", sent, err)
	}
	if r, err := s.collect(t, "thinks"); err != nil || r.Echo != "" {
		t.Errorf("the thoughts of an answer are kept: %+v, %v", r, err)
	}
}

func (s *suite) frames(t *testing.T) {
	for _, name := range []string{"bytes", "crlf", "whole", "after"} {
		t.Run(name, func(t *testing.T) {
			if r, err := s.collect(t, name); err != nil || r.Text != sentence || r.Finish != llm.Stop {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	t.Run("huge", func(t *testing.T) { // which a busy machine needs seconds to read
		s.inBubble(t, func(t *testing.T, s *suite) {
			if r, err := s.collect(t, "huge"); err != nil || len(r.Text) != 5<<19 {
				t.Errorf("%d bytes, %v", len(r.Text), err)
			}
		})
	})
	t.Run("a broken event invents nothing", func(t *testing.T) {
		if r, err := s.collect(t, "broken"); err == nil && r.Text != halfway+"opened." {
			t.Errorf("%+v", r)
		}
	})
	for name, want := range map[string]fault.Code{"silent": fault.ModelUnreachable, "html": fault.ModelRefused, "ok-error": fault.ModelRefused} {
		t.Run(name, func(t *testing.T) {
			r, err := s.collect(t, name)
			wantFault(t, err, want)
			if r.Text != "" {
				t.Errorf("text %q", r.Text)
			}
		})
	}
	for name, want := range map[string]fault.Code{"drop": fault.ModelUnreachable, "cut": fault.ModelUnreachable, "mid-error": fault.ModelRefused} {
		t.Run(name+" keeps the text", func(t *testing.T) {
			r, err := s.collect(t, name)
			wantFault(t, err, want)
			if r.Text != halfway {
				t.Errorf("text %q", r.Text)
			}
			if dropped := errors.Is(err, llm.ErrDropped); dropped != (want == fault.ModelUnreachable) {
				t.Errorf("dropped = %v: %v", dropped, err)
			}
		})
	}
}

func (s *suite) refusals(t *testing.T) {
	for _, c := range refusalCases {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.collect(t, c.name)
			wantFault(t, err, c.want)
			var status *llm.StatusError
			if !errors.As(err, &status) || status.Status != c.status {
				t.Fatalf("cause %v", err)
			}
			if c.header != nil && status.RetryAfter != 7*time.Second {
				t.Errorf("retry after %s", status.RetryAfter)
			}
		})
	}
}

func (s *suite) limits(t *testing.T) {
	for name, text := range map[string]string{"stall": "", "stall-mid": halfway, "keepalive": halfway} {
		t.Run(name, func(t *testing.T) {
			s.inBubble(t, func(t *testing.T, s *suite) {
				r, err := s.collect(t, name)
				wantFault(t, err, fault.ModelTimeout)
				if r.Text != text {
					t.Errorf("text %q", r.Text)
				}
				s.sawHangup(t, name)
			})
		})
	}
	t.Run("crawl", func(t *testing.T) {
		s.inBubble(t, func(t *testing.T, s *suite) {
			began := time.Now()
			r, err := s.collect(t, "crawl")
			wantFault(t, err, fault.ModelTimeout)
			if took := time.Since(began); took < Limits().Behind || took > 3*Limits().Behind || !strings.HasPrefix(r.Text, "a a a ") {
				t.Errorf("%q after %s", r.Text, took)
			}
			s.sawHangup(t, "crawl")
		})
	})
	t.Run("slow", func(t *testing.T) {
		s.inBubble(t, func(t *testing.T, s *suite) {
			if r, err := s.collect(t, "slow"); err != nil || len(r.Text) != 300*len(slowWord) {
				t.Errorf("%d bytes, %v", len(r.Text), err)
			}
		})
	})
	for _, name := range []string{"drip", "lingers"} {
		t.Run(name, func(t *testing.T) {
			s.inBubble(t, func(t *testing.T, s *suite) {
				if r, err := s.collect(t, name); err != nil || r.Text != sentence || r.Finish != llm.Stop {
					t.Errorf("%+v, %v", r, err)
				}
			})
		})
	}
}

// sawHangup waits until the server noticed that a client went; a minute of its time.
func (s *suite) sawHangup(t *testing.T, name string) {
	t.Helper()
	for range 1200 {
		s.server.mu.Lock()
		seen := s.server.hangups[name]
		if seen > 0 {
			s.server.hangups[name]--
		}
		s.server.mu.Unlock()
		if seen > 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the server saw no hang-up in %s", name)
}

func (s *suite) hangups(t *testing.T) {
	for _, name := range []string{"stall", "stall-mid"} {
		t.Run("cancel during "+name, func(t *testing.T) {
			s.inBubble(t, func(t *testing.T, s *suite) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(100*time.Millisecond, cancel)
				_, err := llm.Collect(s.model.Stream(ctx, ask(name)))
				if !errors.Is(err, context.Canceled) || fault.CodeOf(err) == fault.ModelTimeout {
					t.Errorf("got %v", err)
				}
				s.sawHangup(t, name)
			})
		})
	}
	t.Run("the listener leaves", func(t *testing.T) {
		for d, err := range s.model.Stream(t.Context(), ask("stall-mid")) {
			if err != nil || d.Text != halfway {
				t.Errorf("%+v, %v", d, err)
			}
			break
		}
		s.sawHangup(t, "stall-mid")
	})
	t.Run("a deadline of the caller", func(t *testing.T) {
		s.inBubble(t, func(t *testing.T, s *suite) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := llm.Collect(s.model.Stream(ctx, ask("stall"))); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	})
}

func (s *suite) requests(t *testing.T) {
	call := ask("plain")
	call.Schema = json.RawMessage(`{"type":"object"}`)
	call.Tools = []llm.Tool{{Name: "web_search", Description: "search", Schema: json.RawMessage(`{"type":"object"}`)}}
	call.MaxTokens = 77
	call.Messages = append(call.Messages,
		llm.Message{Author: llm.Assistant, Calls: []llm.ToolCall{{ID: "a", Name: "web_search", Input: `{"query": "broken`}}},
		llm.Message{Author: llm.ToolReply, Tool: "a", Text: "found"})
	if _, err := llm.Collect(s.model.Stream(t.Context(), call)); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(s.server.last())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`:77|:2125`, `0.2`, `"Be brief."`, `"What is it?"`, `"web_search"`, `{"type":"object"}`, `"found"`} {
		if !slices.ContainsFunc(strings.Split(want, "|"), func(one string) bool { return strings.Contains(string(sent), one) }) {
			t.Errorf("the request lacks %s: %s", want, sent)
		}
	}
	if strings.Contains(string(sent), "broken") {
		t.Errorf("arguments that are no JSON were sent back: %s", sent)
	}
}

func (s *suite) concurrent(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if r, err := llm.Collect(s.model.Stream(t.Context(), ask("plain"))); err != nil || r.Text != sentence {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	all.Wait()
}

// wantFault checks code, message and hint, and that no key and no markup shows,
// not even in the log's form.
func wantFault(t *testing.T, err error, code fault.Code) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if f.Message == "" || f.Hint == "" {
		t.Errorf("nothing to act on: %+v", f)
	}
	if strings.Contains(err.Error()+f.Message+f.Hint, Canary) {
		t.Errorf("the key shows: %v", err)
	}
	if strings.ContainsAny(f.Message, "<>\n") {
		t.Errorf("markup in %q", f.Message)
	}
}
