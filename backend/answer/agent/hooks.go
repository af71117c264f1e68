package agent

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/prompts"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/settings"
)

// hook is a part of agent mode that can be switched off. A point that is nil
// means that it has nothing to do there.
type hook struct {
	beforeAgent  func(ctx context.Context, a *agent)          // the conversation has begun
	beforeModel  func(ctx context.Context, a *agent)          // at each step
	afterModel   func(ctx context.Context, a *agent, t *turn) // the model has spoken, nothing has run yet
	wrapToolCall func(a *agent, next runTool) runTool         // calls of a step run side by side
	afterTool    func(a *agent, u *use, r result, fresh int)  // one after another; fresh is how much was new
	afterAgent   func(a *agent)
}

// agentHooks are the parts that the settings switch on, in the order in which
// they take part.
func agentHooks(s settings.AgentSettings) []hook {
	var hooks []hook
	for _, part := range []struct {
		on   bool
		make func() hook
	}{{s.Clarification, clarification}, {s.Parallel, parallel}, {s.Planner, planAhead}, {s.LoopDetection, loopDetection}, {s.Reflection, reflection}} {
		if part.on {
			hooks = append(hooks, part.make())
		}
	}
	return hooks
}

// clarification lets the model ask the reader back, where one is there.
func clarification() hook {
	return hook{beforeAgent: func(_ context.Context, a *agent) {
		if a.search.Task.Settings.Ask.Clarify && !a.search.Task.Question.Unattended {
			a.toolbox = append(a.toolbox, clarifyTool())
		}
	}}
}

// parallel has the calls of one step run side by side.
func parallel() hook {
	return hook{beforeAgent: func(_ context.Context, a *agent) {
		a.parallel = true
		a.advise("Where parts of the question do not depend on each other, call tools for all of them in the same step.")
	}}
}

var planSchema = json.RawMessage(`{"type":"object","properties":{"subquestions":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":4}},"required":["subquestions"]}`)

// planAhead has the system model take the question apart first. Without a plan the
// loop goes on.
func planAhead() hook {
	return hook{beforeAgent: func(ctx context.Context, a *agent) {
		var plan struct {
			Subquestions []string `json:"subquestions"`
		}
		a.consult(ctx, "plan", "agent_plan", "Question: "+plain.OneLine(a.search.Task.Question.Text, 1000), planSchema, &plan)
		var lines []string
		for _, sub := range plan.Subquestions[:min(len(plan.Subquestions), 4)] {
			if sub = plain.OneLine(sub, 200); sub != "" {
				lines = append(lines, "- "+sub)
			}
		}
		if len(lines) > 1 {
			a.advise("Parts of the question that may be looked for one by one:\n" + strings.Join(lines, "\n"))
		}
	}}
}

// reflection has the system model judge once, when the model has enough, whether
// the question is covered.
func reflection() hook {
	judged := false
	return hook{afterModel: func(ctx context.Context, a *agent, t *turn) {
		if judged || len(t.calls) > 0 || t.broken || a.step == 1 {
			return
		}
		judged = true
		var told []string
		for i, m := range a.messages {
			if _, ok := a.brief[i]; ok {
				told = append(told, plain.OneLine(m.Text, 1500))
			}
		}
		verdict := struct {
			Complete bool     `json:"complete"`
			Gaps     []string `json:"gaps"`
		}{Complete: true}
		a.consult(ctx, "reflect", "agent_judge", a.fitting(strings.Join(told, "\n"))+"\n\nQuestion: "+plain.OneLine(a.search.Task.Question.Text, 1000), prompts.JudgeSchema, &verdict)
		if !verdict.Complete && len(verdict.Gaps) > 0 {
			t.again = "Still missing: " + plain.OneLine(strings.Join(verdict.Gaps[:min(len(verdict.Gaps), 3)], "; "), 400) + ". Look for that too."
		}
	}}
}

// consult asks the system model for a value. Whatever goes wrong leaves into as
// it was.
func (a *agent) consult(ctx context.Context, purpose, template, asked string, schema json.RawMessage, into any) {
	if a.search.Models.System.Model == nil {
		return
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, purpose), min(patience, max(a.left(), 0)))
	defer cancel()
	var used llm.Usage
	model := llm.Counted(a.search.Models.System.Model, func(_ llm.Call, u llm.Usage) { u.Calls = 1; used = used.Plus(u) })
	call := llm.Call{
		Model: a.search.Models.System.ID, Window: a.search.Models.System.Ability.Window, MaxTokens: 400, Purpose: purpose,
		Messages: []llm.Message{{Author: llm.System, Text: prompts.Fill(template)}, {Author: llm.User, Text: asked}},
	}
	if err := llm.Structured(ctx, model, call, schema, into); err != nil {
		a.search.Tell.Log.Info("a part of agent mode was left out", "part", purpose, "err", err)
	}
	if used.Calls > 0 {
		a.search.Tell.Count(&a.search.Tell.Usage.System, a.search.Models.System.Name, used)
	}
}

const (
	warnedAt  = 2 // identical calls
	blockedAt = 3
	seeSaw    = 4 // calls of two tools in turn that bring nothing new before they are blocked
)

// loops remembers the calls of a run. Safe for concurrent use.
type loops struct {
	mu    sync.Mutex
	same  map[string]int // identical calls so far
	trail []step         // of all calls
}

type step struct {
	tool  string
	fresh int
}

// loopDetection warns of a call that was made before and blocks it the next
// time. Two tools in turn that bring nothing new count as well.
func loopDetection() hook {
	l := &loops{same: map[string]int{}}
	return hook{
		wrapToolCall: func(a *agent, next runTool) runTool {
			return func(ctx context.Context, u *use) result {
				if u.tool == nil || u.bad != nil {
					return next(ctx, u)
				}
				switch times := l.note(u); {
				case times >= blockedAt:
					why := "Blocked: this call was made before and brings nothing new. Try other words or another tool, or finish."
					return result{state: contract.ToolBlocked, Results: gather.Results{Told: why, Shown: "the same call again"}}
				case times == warnedAt:
					a.tell(u, result{state: contract.ToolWarned, Results: gather.Results{Shown: "the same call again"}})
					r := next(ctx, u)
					r.Told += "\n\n(You made this call before. The next time it is blocked.)"
					return r
				}
				return next(ctx, u)
			}
		},
		afterTool: func(a *agent, u *use, r result, fresh int) {
			l.trail = append(l.trail, step{u.call.Name, fresh})
			if r.state == contract.ToolBlocked {
				a.search.Tell.Notice(contract.Notice{Code: "loop-detected", Level: "info", Message: "The model repeated itself, so a call of " + u.tool.Name + " was held back."})
			}
		},
	}
}

// note counts a call: how often it was made, or how far two tools have taken
// turns in vain.
func (l *loops) note(u *use) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := u.tool.Name + string(u.in.json())
	l.same[key]++
	return max(l.same[key], l.turns(u.tool.Name))
}

// turns is warnedAt or blockedAt where this call goes on with two tools in turn
// of which none brought anything new lately.
func (l *loops) turns(name string) int {
	n := 0
	for at := len(l.trail) - 1; at >= 0 && l.trail[at].fresh == 0; at-- {
		want := name
		if n%2 == 0 {
			want = l.trail[len(l.trail)-1].tool
		}
		if l.trail[at].tool != want || want == name && n%2 == 0 {
			break
		}
		n++
	}
	switch {
	case n >= seeSaw:
		return blockedAt
	case n == seeSaw-1:
		return warnedAt
	}
	return 0
}
