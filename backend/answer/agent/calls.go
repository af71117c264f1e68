package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// use is one call of a tool on its way.
type use struct {
	id   string // in events
	call llm.ToolCall
	tool *tool // nil when there is none of this name
	in   toolInput
	bad  error // the input cannot be read
}

// result is what became of a call.
type result struct {
	gather.Results
	state contract.ToolState
	ms    int64
}

// runTool runs a call. Hooks wrap it.
type runTool func(ctx context.Context, u *use) result

// act runs the calls of a turn and tells the model what they brought, in the
// order of the calls.
func (a *agent) act(ctx context.Context, t turn) {
	uses := make([]*use, len(t.calls))
	for i, call := range t.calls {
		uses[i] = a.take(call)
		a.tell(uses[i], result{state: contract.ToolRequested})
	}
	run := runTool(a.perform)
	for _, h := range slices.Backward(a.hooks) {
		if h.wrapToolCall != nil {
			run = h.wrapToolCall(a, run)
		}
	}
	results := make([]result, len(uses))
	var together sync.WaitGroup
	for i, u := range uses {
		one := func() {
			results[i] = run(ctx, u)
			a.tell(u, results[i])
		}
		if a.parallel && (u.tool == nil || !u.tool.waits) {
			together.Go(one)
			continue
		}
		together.Wait() // who asks back has the run for itself
		one()
	}
	together.Wait()
	for i, u := range uses {
		a.collect(u, results[i])
	}
	a.search.Tell.Emit(a.search.Tell.Counters)
	a.remember(t, uses, results)
}

// take reads a call and counts it.
func (a *agent) take(call llm.ToolCall) *use {
	a.calls++
	a.search.Tell.Counters.ToolCalls = a.calls
	u := &use{id: fmt.Sprintf("call_%d", a.calls), call: call}
	if at := slices.IndexFunc(a.toolbox, func(t tool) bool { return t.Name == strings.TrimSpace(call.Name) }); at >= 0 {
		u.tool = &a.toolbox[at]
		u.in, u.bad = readInput(call.Input, u.tool.only)
	}
	if a.calls > a.callLimit() {
		u.bad = errTooMany
	}
	return u
}

var errTooMany = errors.New("no more calls are left for this question")

// perform runs the tool itself, or says why it does not run.
func (a *agent) perform(ctx context.Context, u *use) result {
	switch {
	case u.tool == nil:
		return refuse("There is no tool " + plain.OneLine(u.call.Name, 60) + ". The tools are: " + a.toolNames() + ".")
	case errors.Is(u.bad, errTooMany):
		return refuse(errTooMany.Error())
	case u.bad != nil:
		return failed("The call could not be read: " + u.bad.Error() + ". Call " + u.tool.Name + ` again with an object like {"` + u.tool.only + `": "…"}.`)
	}
	a.tell(u, result{state: contract.ToolRunning})
	began := a.search.Tell.Now()
	if !u.tool.waits {
		timed, cancel := context.WithTimeout(ctx, a.left())
		defer cancel()
		ctx = timed
	}
	h, err := u.tool.run(ctx, a, u.in)
	took := a.search.Tell.Now().Sub(began)
	if u.tool.waits {
		a.waited += took
	}
	r := result{Results: h, state: contract.ToolDone, ms: took.Milliseconds()}
	switch {
	case err == nil:
	case gather.Ended(err):
		r.Shown = cmp.Or(h.Shown, "cut short")
	case errors.Is(err, gather.ErrNotBrought):
		r = refuse("Refused: " + err.Error() + ".")
	default:
		r.state, r.Told, r.Shown = contract.ToolFailed, "Error: "+reasonOf(err)+".", reasonOf(err)
	}
	return r
}

func refuse(why string) result {
	return result{state: contract.ToolRefused, Results: gather.Results{Told: why, Shown: why}}
}

func failed(why string) result {
	return result{state: contract.ToolFailed, Results: gather.Results{Told: why, Shown: why}}
}

// reasonOf is an error for a model and a reader.
func reasonOf(err error) string {
	var f *fault.Fault
	if errors.As(err, &f) {
		return strings.TrimSuffix(f.Message, ".")
	}
	return err.Error()
}

// tell publishes how far a call has come.
func (a *agent) tell(u *use, r result) {
	in := u.in
	if in == nil {
		in = toolInput{}
	}
	a.search.Tell.Emit(contract.ToolPart{Call: u.id, Name: plain.OneLine(u.call.Name, 60), Input: in.json(), State: r.state, Output: plain.OneLine(r.Shown, 300), Ms: r.ms})
}

// collect adds what a call brought to the evidence.
func (a *agent) collect(u *use, r result) {
	fresh := a.search.Add(r.Results)
	if u.tool != nil && u.tool.Name == "web_search" && len(r.Engines) > 0 {
		key := wordsKey(u.in.text("query", "q"))
		a.searched[key] = max(a.searched[key], u.in.number("page", a.searched[key]+1, 1, 10))
	}
	for _, h := range a.hooks {
		if h.afterTool != nil {
			h.afterTool(a, u, r, fresh)
		}
	}
}

// nextPage is the page of results that a search for the same words would bring
// next.
func (a *agent) nextPage(query string) int { return a.searched[wordsKey(query)] + 1 }

func wordsKey(query string) string { return strings.Join(plain.Distinct(rank.Terms(query)), " ") }

func (a *agent) toolNames() string {
	var names []string
	for _, t := range a.toolbox {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// callLimit is how many calls of tools one question may have.
func (a *agent) callLimit() int {
	return max(a.search.Task.Settings.Limits.ToolCalls, a.search.Task.Settings.Agent.MaxSteps)
}
