package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// agentTime bounds how long a model may look for evidence in agent mode. Waiting
// for the reader is not counted.
const agentTime = 5 * time.Minute

// agent is a model that looks for evidence by itself: in a few steps it calls
// tools, and what they bring becomes the evidence of the run. It answers nothing;
// that is the business of the stages behind it.
type agent struct {
	search   *gather.Retriever
	toolbox  []tool
	hooks    []hook
	messages []llm.Message
	brief    map[int]string // messages of tools, by place, in a few words
	textual  bool           // the model writes its calls into its text
	parallel bool           // the calls of a step run side by side

	step     int
	calls    int            // calls so far, refused ones too
	searched map[string]int // pages of results, by words of the query
	asked    bool           // the reader was asked back
	outOf    bool           // no steps are left
	waited   time.Duration  // for the reader
	limit    time.Time      // of the time, before waiting
}

func newAgent(search *gather.Retriever) *agent {
	task := search.Task
	a := &agent{
		search: search, toolbox: toolsFor(search), brief: map[int]string{}, textual: !search.Models.Chat.Ability.Tools,
		searched: map[string]int{}, limit: search.Tell.Now().Add(agentTime),
	}
	a.hooks = agentHooks(task.Settings.Agent)
	return a
}

// Investigate has the chat model of a run gather the evidence. The reader's files are
// searched for the question as typed whatever it does. What keeps the model from
// it is made good by the plan of balanced.
func Investigate(ctx, whole context.Context, r *gather.Retriever) error {
	r.Tell.Begin(contract.StageGather)
	a := newAgent(r)
	err := a.work(ctx)
	if whole.Err() != nil {
		return whole.Err()
	}
	r.TakeShelf(ctx, r.Task.Settings.Agent.FileSearchThreshold)
	if errors.Is(err, answer.ErrNoSearch) {
		r.Tell.Timing.Gather = r.Tell.Finish(0, 0)
		return err
	}
	if len(r.Evidence.Leads) == 0 && !r.Tell.CutShort() {
		a.searchPlainly(ctx, err)
	}
	if r.Task.Settings.Agent.Planner && !a.outOf {
		a.followNames(ctx)
	}
	if a.outOf && !r.Tell.CutShort() { // told last: nothing is searched any more
		r.Tell.Emit(contract.Answering{By: "steps"})
	}
	if err != nil && len(r.Evidence.Leads)+len(r.Evidence.Found) > 0 && a.calls > 0 {
		r.Tell.Notice(contract.Notice{Code: "mode-degraded", Level: "warn", Message: "The model could not go on searching, so the answer rests on what it had found. " + fault.Of(err).Message})
	}
	r.ExplainSearch()
	r.Tell.Emit(r.Tell.Counters)
	r.Tell.Timing.Gather = r.Tell.Finish(a.calls, len(r.Evidence.Leads)+len(r.Evidence.Found))
	return whole.Err()
}

// searchPlainly asks the web once, as balanced does, where the model found
// nothing.
func (a *agent) searchPlainly(ctx context.Context, err error) {
	if !a.search.Task.WantsWeb() {
		return
	}
	why := "The model called no search"
	switch {
	case err != nil:
		why = strings.TrimSuffix(fault.Of(err).Message, ".")
	case a.calls > 0:
		why = "The model's searches found nothing"
	}
	a.search.Tell.Notice(contract.Notice{Code: "mode-degraded", Level: "info", Message: why + ", so the question was searched for as it is."})
	a.search.Add(a.search.SearchWith(ctx, a.search.Task.WebQuery(queries.ByRules(a.search.Plan.Standalone, a.search.Tell.Now()), 1), a.search.Task.WebEngines()))
}

// work goes from step to step until the model has enough, or a limit or the
// reader ends it. The error is the model's, or errNoSearch.
func (a *agent) work(ctx context.Context) error {
	a.start()
	for _, h := range a.hooks {
		if h.beforeAgent != nil {
			h.beforeAgent(ctx, a)
		}
		if h.afterAgent != nil {
			defer h.afterAgent(a)
		}
	}
	most := a.search.Task.Settings.Agent.MaxSteps
	for a.step = 1; a.step <= most; a.step++ {
		if a.spent() || a.search.Tell.CutShort() {
			return nil
		}
		a.search.Tell.Progress(fmt.Sprintf("Step %d of at most %d", a.step, most))
		done, err := a.stepOn(ctx)
		if done || err != nil {
			return a.sparing(err)
		}
	}
	a.outOf = true
	return nil
}

// sparing forgives an error that only says that the run was cut short.
func (a *agent) sparing(err error) error {
	if err != nil && gather.Ended(err) {
		a.spent()
		return nil
	}
	return err
}

// stepOn asks the model once and runs what it calls. done means that it calls
// nothing more.
func (a *agent) stepOn(ctx context.Context) (done bool, err error) {
	for _, h := range a.hooks {
		if h.beforeModel != nil {
			h.beforeModel(ctx, a)
		}
	}
	t, err := a.askModel(ctx)
	if err != nil {
		return false, err
	}
	for _, h := range a.hooks {
		if h.afterModel != nil {
			h.afterModel(ctx, a, &t)
		}
	}
	switch {
	case len(t.calls) > 0:
		a.act(ctx, t)
		return false, nil
	case t.broken:
		a.putBack(t, "Your call could not be read. Write exactly one JSON object for a call, like "+exampleCall+", and nothing else.")
		return false, nil
	case t.again != "":
		a.putBack(t, t.again)
		return false, nil
	case a.step == 1 && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(t.text)), "NO_SEARCH"):
		return true, answer.ErrNoSearch
	}
	return true, nil
}

// putBack puts what the model said and a word to it into the conversation.
func (a *agent) putBack(t turn, word string) {
	a.messages = append(a.messages, llm.Message{Author: llm.Assistant, Text: cmp.Or(t.text, "(nothing)")}, llm.Message{Author: llm.User, Text: word})
}

// spent ends retrieval when a limit of the run, or of the loop, is reached.
func (a *agent) spent() bool {
	what := a.search.Tell.OverBudget()
	switch {
	case what != "":
	case a.calls >= a.callLimit():
		what = fmt.Sprintf("%d tool calls", a.callLimit())
	case a.search.Tell.Counters.ModelCalls+1 >= a.search.Task.Settings.Limits.ModelCalls: // one is left for the answer
		what = plain.Plural(a.search.Task.Settings.Limits.ModelCalls, "model call", "model calls")
	case a.left() <= 0:
		what = fmt.Sprintf("%v", agentTime)
	default:
		return false
	}
	a.search.Tell.EndRetrieval(what)
	return true
}

// left is what remains of the time.
func (a *agent) left() time.Duration { return a.limit.Add(a.waited).Sub(a.search.Tell.Now()) }

// schemas are the tools as a model is offered them.
func (a *agent) schemas() []llm.Tool {
	out := make([]llm.Tool, len(a.toolbox))
	for i, t := range a.toolbox {
		out[i] = t.Tool
	}
	return out
}

func (a *agent) describeTools() string {
	var b strings.Builder
	for _, t := range a.schemas() {
		line, err := json.Marshal(t.Schema)
		if err != nil {
			continue // the schemas are constants
		}
		b.WriteString("- " + t.Name + ": " + t.Description + " Input: " + string(line) + "\n")
	}
	return strings.TrimSpace(b.String())
}
