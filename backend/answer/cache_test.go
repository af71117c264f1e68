package answer_test

import (
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm/llmtest"
)

// versioned is a library whose version a test sets.
type versioned struct {
	*shelf
	version atomic.Int64
}

func (v *versioned) LastEvent() int64 { return v.version.Load() }

// again is a stage with a clock under the test's hand and a model that answers
// as often as it is asked.
func again(t *testing.T) (s *stage, model *llmtest.Scripted, shelf *versioned, clock *atomic.Int64) {
	t.Helper()
	model = llmtest.NewScripted(rewrite("Lorne bridge length"), chat("The Lorne bridge is 503 metres long [2]."))
	clock = &atomic.Int64{}
	s = set(t, oneModel{name: "test/m", model: model}, func(s *stage) {
		s.set.Ask.FollowUps = 0
		s.now = func() time.Time { return day.Add(time.Duration(clock.Load())) }
		shelf = &versioned{shelf: s.shelf}
		s.search = shelf
	})
	return s, model, shelf, clock
}

const howLong = "How long is the Lorne bridge?"

func TestTheSameQuestionIsAnsweredAgainAtNoCost(t *testing.T) {
	s, model, _, clock := again(t)
	fresh := finished(t, s.ask(t, howLong, nil))
	calls, reads := len(model.Calls()), len(s.web.Reads())
	clock.Add(int64(9 * time.Minute))
	events := s.ask(t, howLong, nil)
	a := finished(t, events)
	if len(model.Calls()) != calls || len(s.web.Reads()) != reads {
		t.Error("something was asked or read again")
	}
	if started := events[0].Body.(contract.Started); !started.Cached || !a.Cached || fresh.Cached {
		t.Errorf("cached: started %v, answer %v, first answer %v", started.Cached, a.Cached, fresh.Cached)
	}
	if a.Answer != fresh.Answer || len(a.Citations) != len(fresh.Citations) || len(a.Sources) != len(fresh.Sources) || a.Report.CitationCount != fresh.Report.CitationCount {
		t.Errorf("another answer: %q", a.Answer)
	}
	if a.Run == fresh.Run || a.Thread == fresh.Thread || a.Usage != (contract.UsagePair{}) || len(a.Ledger) != 0 || a.Timestamp <= fresh.Timestamp {
		t.Errorf("run %s in %s cost %+v, sent %v", a.Run, a.Thread, a.Usage, a.Ledger)
	}
	for _, kind := range []contract.Kind{"planned", "selected", "text", "checked"} {
		if !has(events, kind) {
			t.Errorf("no %s event", kind)
		}
	}
	clock.Add(int64(time.Minute))
	if a := finished(t, s.ask(t, howLong, nil)); a.Cached {
		t.Error("an answer of ten minutes ago is given again")
	}
}

func TestWhateverChangesAnswersMissesTheStoredOne(t *testing.T) {
	question := func(change func(*contract.Question)) func(*stage, *versioned, *contract.Question) {
		return func(_ *stage, _ *versioned, q *contract.Question) { change(q) }
	}
	for name, change := range map[string]func(*stage, *versioned, *contract.Question){
		"question":     question(func(q *contract.Question) { q.Text = "How long is that Lorne bridge?" }),
		"context":      question(func(q *contract.Question) { q.Context = "in yards" }),
		"focus":        question(func(q *contract.Question) { q.Focus = contract.FocusWeb }),
		"mode":         question(func(q *contract.Question) { q.Mode = contract.ModeSpeed }),
		"web":          question(func(q *contract.Question) { q.Web = false }),
		"offline":      question(func(q *contract.Question) { q.Offline = true }),
		"scope":        question(func(q *contract.Question) { q.Scope = evidence.Scope{Files: []string{"fil_1"}} }),
		"preset":       question(func(q *contract.Question) { q.Preset = "academic" }),
		"weights":      question(func(q *contract.Question) { q.Weights = &contract.Weights{Semantic: 1} }),
		"k":            question(func(q *contract.Question) { q.K = 3 }),
		"models":       question(func(q *contract.Question) { q.Models.Chat = "none" }),
		"instructions": question(func(q *contract.Question) { q.Instructions = "be brief" }),
		"persona": func(s *stage, _ *versioned, q *contract.Question) {
			s.Preferences, q.Personas = wishes{personas: map[string]string{"Pirate": "Say arr."}}, []string{"Pirate"}
		},
		"lenses": func(s *stage, _ *versioned, q *contract.Question) {
			s.Preferences = wishes{lenses: contract.Lenses{{}}}
		},
		"engines":        question(func(q *contract.Question) { q.Engines = []string{"wikipedia"} }),
		"language":       question(func(q *contract.Question) { q.Language = "de" }),
		"ask again":      question(func(q *contract.Question) { q.Cache = false }),
		"replaces":       question(func(q *contract.Question) { q.Replaces = "run_1" }),
		"private":        question(func(q *contract.Question) { q.Private = true }),
		"thread history": func(s *stage, _ *versioned, q *contract.Question) { q.Thread = s.memory.runs[0].Thread },
		"library":        func(_ *stage, shelf *versioned, _ *contract.Question) { shelf.version.Add(1) },
		"settings":       func(s *stage, _ *versioned, _ *contract.Question) { s.set.Rank.MaxPassages-- },
		"switched off":   func(s *stage, _ *versioned, _ *contract.Question) { s.set.Ask.CacheMinutes = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			s, _, shelf, _ := again(t)
			finished(t, s.ask(t, howLong, nil))
			if a := finished(t, s.ask(t, howLong, func(q *contract.Question) { change(s, shelf, q) })); a.Cached {
				t.Error("the stored answer was given")
			}
		})
	}
}

func TestARewriteOfTheSameWordsIsNotAskedForAgain(t *testing.T) {
	s, model, _, clock := again(t)
	s.set.Ask.CacheMinutes = 0
	planned := func() string {
		for _, e := range s.ask(t, howLong, nil) {
			if plan, ok := e.Body.(contract.Planned); ok {
				return plan.By + ": " + plan.Queries[0]
			}
		}
		return ""
	}
	asked := func() (n int) {
		for _, c := range model.Calls() {
			if c.Purpose == "rewrite" {
				n++
			}
		}
		return n
	}
	if by := planned(); by != "model: Lorne bridge length" {
		t.Fatal(by)
	}
	if by := planned(); by != "cache: Lorne bridge length" || asked() != 1 {
		t.Errorf("planned by %s, asked %d times", by, asked())
	}
	clock.Add(int64(10 * time.Minute))
	if by := planned(); by != "model: Lorne bridge length" || asked() != 2 {
		t.Errorf("after ten minutes planned by %s, asked %d times", by, asked())
	}
}
