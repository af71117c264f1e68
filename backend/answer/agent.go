package answer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// agentTime bounds how long a model may look for evidence in agent mode. Waiting
// for the reader is not counted.
const agentTime = 5 * time.Minute

// agent is a model that looks for evidence by itself: in a few steps it calls
// tools, and what they bring becomes the evidence of the run. It answers nothing;
// that is the business of the stages behind it.
type agent struct {
	search   *retriever
	toolbox  []tool
	hooks    []hook
	messages []llm.Message
	brief    map[int]string // messages of tools, by place, in a few words
	textual  bool           // the model writes its calls into its text
	parallel bool           // the calls of a step run side by side

	step     int
	calls    int             // calls so far, refused ones too
	named    map[string]bool // addresses the reader gave
	open     string          // words the reader said, which may leave
	searched map[string]int  // pages of results, by words of the query
	asked    bool            // the reader was asked back
	waited   time.Duration   // for the reader
	limit    time.Time       // of the time, before waiting
}

func newAgent(search *retriever) *agent {
	task := search.task
	a := &agent{
		search: search, toolbox: search.tools(), brief: map[int]string{}, textual: !search.models.Chat.Ability.Tools,
		named: map[string]bool{}, searched: map[string]int{}, limit: search.tell.now().Add(agentTime),
	}
	a.hooks = agentHooks(task.Settings.Agent)
	a.open = termsIn(task.Question.Text) + termsIn(search.plan.Standalone)
	a.know(task.Question.Text + " " + task.Question.Context)
	for _, t := range task.History {
		a.know(t.Question)
		a.open += termsIn(t.Question)
	}
	return a
}

// retrieveByAgent gathers the evidence of agent mode.
func (p *pipeline) retrieveByAgent(retrieval, whole context.Context) error {
	local := p.search.searchShelf(whole)
	p.plan = p.planning().planAgent()
	p.search.plan = p.plan
	switch {
	case p.plan.Search || p.plan.Shelf:
	case p.speaksOfEarlier():
		return nil
	default:
		return errNoSearch
	}
	return p.search.investigate(retrieval, whole, local)
}

// investigate has the chat model gather the evidence. The reader's files are
// searched for the question as typed whatever it does. What keeps the model from
// it is made good by the plan of balanced.
func (r *retriever) investigate(ctx, whole context.Context, local <-chan shelved) error {
	r.tell.begin(StageGather)
	a := newAgent(r)
	err := a.work(ctx)
	if whole.Err() != nil {
		return whole.Err()
	}
	shelf := await(ctx, local)
	r.add(Results{Found: shelf.found})
	r.explainShelf(shelf.err)
	if errors.Is(err, errNoSearch) {
		r.tell.timing.Gather = r.tell.finish(0, 0)
		return err
	}
	if len(r.evidence.Leads) == 0 && !r.tell.cutShort() {
		a.searchPlainly(ctx, err)
	}
	if r.task.Settings.Agent.Planner {
		a.followNames(ctx)
	}
	if err != nil && len(r.evidence.Leads)+len(r.evidence.Found) > 0 && a.calls > 0 {
		r.tell.notice(Notice{Code: "mode-degraded", Level: "warn", Message: "The model could not go on searching, so the answer rests on what it had found. " + fault.Of(err).Message})
	}
	r.explainSearch()
	r.tell.emit(r.tell.counters)
	r.tell.timing.Gather = r.tell.finish(a.calls, len(r.evidence.Leads)+len(r.evidence.Found))
	return whole.Err()
}

// searchPlainly asks the web once, as balanced does, where the model found
// nothing.
func (a *agent) searchPlainly(ctx context.Context, err error) {
	if !a.search.task.wantsWeb() {
		return
	}
	why := "The model called no search"
	switch {
	case err != nil:
		why = strings.TrimSuffix(fault.Of(err).Message, ".")
	case a.calls > 0:
		why = "The model's searches found nothing"
	}
	a.search.tell.notice(Notice{Code: "mode-degraded", Level: "info", Message: why + ", so the question was searched for as it is."})
	a.search.add(a.search.searchWith(ctx, a.search.task.webQuery(queryByRules(a.search.plan.Standalone, a.search.tell.now()), 1), a.search.task.webNames()))
}

// planAgent plans nothing but the frame: what is searched for, the model decides.
func (p *planner) planAgent() Plan {
	p.tell.begin(StagePlan)
	p.plan = Plan{Planned: Planned{
		Standalone: standaloneByRules(p.task.Question.Text, p.task.History), Queries: []string{}, By: "model", Search: p.task.wantsWeb(), Shelf: p.task.wantsShelf(),
		Reason: "the model decides step by step what to look for",
	}}
	if isSmallTalk(p.task.Question.Text, p.task.History) || p.task.Question.Focus == FocusWriting || p.task.Question.Focus == FocusCompute {
		p.plan.Search, p.plan.Shelf, p.plan.By, p.plan.Reason = false, false, "rules", "nothing has to be looked for"
	}
	p.explainOffline()
	return p.tellPlan()
}

// work goes from step to step until the model has enough, or a limit or the
// reader ends it. The error is the model's, or errNoSearch.
func (a *agent) work(ctx context.Context) error {
	a.open += termsIn(a.search.task.Question.Instructions)
	a.start()
	for _, h := range a.hooks {
		if h.beforeAgent != nil {
			h.beforeAgent(ctx, a)
		}
		if h.afterAgent != nil {
			defer h.afterAgent(a)
		}
	}
	most := a.search.task.Settings.Agent.MaxSteps
	for a.step = 1; a.step <= most; a.step++ {
		if a.spent() || a.search.tell.cutShort() {
			return nil
		}
		a.search.tell.progress(count("Step %d of at most %d", a.step, most))
		done, err := a.stepOn(ctx)
		if done || err != nil {
			return a.sparing(err)
		}
	}
	if !a.search.tell.cutShort() {
		a.search.tell.emit(Answering{By: "steps"})
	}
	return nil
}

// sparing forgives an error that only says that the run was cut short.
func (a *agent) sparing(err error) error {
	if err != nil && ended(err) {
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
		return true, errNoSearch
	}
	return true, nil
}

// putBack puts what the model said and a word to it into the conversation.
func (a *agent) putBack(t turn, word string) {
	a.messages = append(a.messages, llm.Message{Author: llm.Assistant, Text: first(t.text, "(nothing)")}, llm.Message{Author: llm.User, Text: word})
}

// spent ends retrieval when a limit of the run, or of the loop, is reached.
func (a *agent) spent() bool {
	what := a.search.tell.overBudget()
	switch {
	case what != "":
	case a.calls >= a.callLimit():
		what = count("%d tool calls", a.callLimit())
	case a.search.tell.counters.ModelCalls+1 >= a.search.task.Settings.Limits.ModelCalls: // one is left for the answer
		what = plural(a.search.task.Settings.Limits.ModelCalls, "model call", "model calls")
	case a.left() <= 0:
		what = count("%v", agentTime)
	default:
		return false
	}
	a.search.tell.endRetrieval(what)
	return true
}

// left is what remains of the time.
func (a *agent) left() time.Duration { return a.limit.Add(a.waited).Sub(a.search.tell.now()) }

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
