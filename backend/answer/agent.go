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
	p        *pipeline
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

func newAgent(p *pipeline) *agent {
	a := &agent{
		p: p, toolbox: p.tools(), brief: map[int]string{}, textual: !p.models.Chat.Ability.Tools,
		named: map[string]bool{}, searched: map[string]int{}, limit: p.tell.now().Add(agentTime),
	}
	a.hooks = agentHooks(p.task.Settings.Agent)
	a.open = termsIn(p.task.Question.Text) + termsIn(p.plan.Standalone)
	a.know(p.task.Question.Text + " " + p.task.Question.Context)
	for _, t := range p.task.History {
		a.know(t.Question)
		a.open += termsIn(t.Question)
	}
	return a
}

// retrieveByAgent gathers the evidence of agent mode.
func (p *pipeline) retrieveByAgent(retrieval, whole context.Context) error {
	local := p.searchShelf(whole)
	p.planAgent()
	switch {
	case p.plan.Search || p.plan.Shelf:
	case p.speaksOfEarlier():
		return nil
	default:
		return errNoSearch
	}
	return p.investigate(retrieval, whole, local)
}

// investigate has the chat model gather the evidence. The reader's files are
// searched for the question as typed whatever it does. What keeps the model from
// it is made good by the plan of balanced.
func (p *pipeline) investigate(ctx, whole context.Context, local <-chan shelved) error {
	p.tell.begin(StageGather)
	a := newAgent(p)
	err := a.work(ctx)
	if whole.Err() != nil {
		return whole.Err()
	}
	shelf := await(ctx, local)
	p.add(Results{Found: shelf.found})
	p.explainShelf(shelf.err)
	if errors.Is(err, errNoSearch) {
		p.tell.timing.Gather = p.tell.finish(0, 0)
		return err
	}
	if len(p.evidence.Leads) == 0 && !p.tell.cutShort() {
		a.searchPlainly(ctx, err)
	}
	if a.p.task.Settings.Agent.Planner {
		a.followNames(ctx)
	}
	if err != nil && len(p.evidence.Leads)+len(p.evidence.Found) > 0 && a.calls > 0 {
		p.tell.notice(Notice{Code: "mode-degraded", Level: "warn", Message: "The model could not go on searching, so the answer rests on what it had found. " + fault.Of(err).Message})
	}
	p.explainSearch()
	p.tell.emit(p.tell.counters)
	p.tell.timing.Gather = p.tell.finish(a.calls, len(p.evidence.Leads)+len(p.evidence.Found))
	return whole.Err()
}

// searchPlainly asks the web once, as balanced does, where the model found
// nothing.
func (a *agent) searchPlainly(ctx context.Context, err error) {
	if !a.p.wantsWeb() {
		return
	}
	why := "The model called no search"
	switch {
	case err != nil:
		why = strings.TrimSuffix(fault.Of(err).Message, ".")
	case a.calls > 0:
		why = "The model's searches found nothing"
	}
	a.p.tell.notice(Notice{Code: "mode-degraded", Level: "info", Message: why + ", so the question was searched for as it is."})
	a.p.add(a.p.searchWith(ctx, a.p.webQuery(queryByRules(a.p.plan.Standalone, a.p.tell.now()), 1), a.p.webNames()))
}

// planAgent plans nothing but the frame: what is searched for, the model decides.
func (p *pipeline) planAgent() {
	p.tell.begin(StagePlan)
	p.plan = Plan{Planned: Planned{
		Standalone: standaloneByRules(p.task.Question.Text, p.task.History), Queries: []string{}, By: "model", Search: p.wantsWeb(), Shelf: p.wantsShelf(),
		Reason: "the model decides step by step what to look for",
	}}
	if isSmallTalk(p.task.Question.Text, p.task.History) || p.task.Question.Focus == FocusWriting || p.task.Question.Focus == FocusCompute {
		p.plan.Search, p.plan.Shelf, p.plan.By, p.plan.Reason = false, false, "rules", "nothing has to be looked for"
	}
	p.explainOffline()
	p.choosePreset()
	p.tell.emit(p.plan.Planned)
	p.tell.timing.Plan = p.tell.finish(0, 0)
}

// work goes from step to step until the model has enough, or a limit or the
// reader ends it. The error is the model's, or errNoSearch.
func (a *agent) work(ctx context.Context) error {
	a.open += termsIn(a.p.task.Question.Instructions)
	a.start()
	for _, h := range a.hooks {
		if h.beforeAgent != nil {
			h.beforeAgent(ctx, a)
		}
		if h.afterAgent != nil {
			defer h.afterAgent(a)
		}
	}
	most := a.p.task.Settings.Agent.MaxSteps
	for a.step = 1; a.step <= most; a.step++ {
		if a.spent() || a.p.tell.cutShort() {
			return nil
		}
		a.p.tell.progress(count("Step %d of at most %d", a.step, most))
		done, err := a.stepOn(ctx)
		if done || err != nil {
			return a.sparing(err)
		}
	}
	if !a.p.tell.cutShort() {
		a.p.tell.emit(Answering{By: "steps"})
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
	what := a.p.tell.overBudget()
	switch {
	case what != "":
	case a.calls >= a.callLimit():
		what = count("%d tool calls", a.callLimit())
	case a.p.tell.counters.ModelCalls+1 >= a.p.task.Settings.Limits.ModelCalls: // one is left for the answer
		what = plural(a.p.task.Settings.Limits.ModelCalls, "model call", "model calls")
	case a.left() <= 0:
		what = count("%v", agentTime)
	default:
		return false
	}
	a.p.tell.endRetrieval(what)
	return true
}

// left is what remains of the time.
func (a *agent) left() time.Duration { return a.limit.Add(a.waited).Sub(a.p.tell.now()) }

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
