package answer

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"footnote/backend/fault"
	"footnote/backend/plain"
)

// pipeline is one question on its way: plan → gather → read → select →
// compose → check → finish. Its fields fill up in that order.
type pipeline struct {
	engine *Engine
	tell   *Teller
	task   *Task
	models *RoleModels
	search *Retriever
	kept   *keeper

	plan      Plan
	evidence  Evidence
	selection Selection
	draft     Draft
	checked   CheckedDraft
}

// guarded runs the pipeline; a panic in any stage is an internal fault of this
// run alone, with its stack in the log.
func (p *pipeline) guarded(ctx context.Context) (a Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.tell.Log.Error("run panicked", "panic", r, "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "Footnote could not finish this answer because of an internal error.", "Ask again; the log has the details.")
		}
	}()
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	defer p.logChoices()
	if a, err = p.answer(ctx); err == nil && p.models.held == nil {
		p.keepAnswer(a)
	}
	if err == nil {
		a.Diff = p.diff(ctx, a)
	}
	return a, err
}

func (p *pipeline) answer(ctx context.Context) (Answer, error) {
	unnamed := p.lookUpNames(ctx)
	p.recall(ctx)
	p.takeLenses(ctx)
	kept := p.storedAnswer(ctx)
	opening := p.opening()
	opening.Cached = kept != nil
	if past, _ := p.tell.since(0); len(past) == 0 { // an earlier process may have told it
		p.tell.Emit(opening)
	}
	if unnamed != nil {
		return Answer{}, unnamed
	}
	if kept != nil {
		return p.giveAgain(kept), nil
	}
	p.tellNames()
	if a, done := p.smallTalk(); done {
		return a, nil
	}
	if err := p.resolveModels(ctx); err != nil {
		return Answer{}, err
	}
	p.withhold(ctx)
	p.degrade()
	p.compact()
	if p.task.Question.Mode == ModeDeep {
		return p.research(ctx)
	}
	if a, done, err := p.aboutSelection(ctx); done || err != nil {
		return a, err
	}
	if a, done, err := p.counted(ctx); done || err != nil {
		return a, err
	}
	if a, done, err := p.computed(ctx); done || err != nil {
		return a, err
	}
	retrieval, cancel := p.tell.retrieval(ctx)
	defer cancel()
	retrieve := p.retrieveOnce
	if p.task.Question.Mode == ModeAgent {
		retrieve = p.retrieveByAgent
	}
	err := cmp.Or(retrieve(retrieval, ctx), ctx.Err())
	p.plan, p.evidence = p.search.Plan, p.search.Evidence
	p.release()
	switch {
	case errors.Is(err, ErrNoSearch):
		return p.converse(ctx)
	case err != nil:
		return Answer{}, err
	}
	p.evidence = p.task.withPasted(ctx, p.evidence, p.tell, p.models.Chat.Model != nil)
	if p.selection, err = p.selecting().selectPassages(ctx); err != nil {
		return Answer{}, err
	}
	a, err := p.write(ctx)
	return a, cmp.Or(err, p.kept.settled())
}

// errNoSearch says that a message needs no evidence.
var ErrNoSearch = errors.New("no search is needed")

// retrieveOnce gathers the evidence of the quick modes: one plan, one search on
// each side. retrieval ends with "answer now", whole with the run.
func (p *pipeline) retrieveOnce(retrieval, whole context.Context) error {
	p.search.searchShelf(whole)
	p.search.searchEarly(retrieval)
	var err error
	if p.plan, err = p.planning().makePlan(retrieval, whole); err != nil {
		p.search.early.drop()
		return err
	}
	if p.search.Plan = p.plan; p.plan.Summary {
		p.task.Question.Instructions = strings.TrimSpace(summaryAsks + "\n" + p.task.Question.Instructions)
	}
	if !p.plan.Search {
		p.search.early.drop()
	}
	switch {
	case len(p.plan.Pages) > 0:
		p.search.readNamed(retrieval)
	case !p.plan.Search && !p.plan.Shelf && (p.speaksOfEarlier() || p.task.asksOfPasted(p.models.Chat.Model != nil)):
	case !p.plan.Search && !p.plan.Shelf:
		return ErrNoSearch
	default:
		p.search.gather(retrieval)
		p.search.readPages(retrieval)
	}
	return nil
}

// retrieveByAgent gathers the evidence of agent mode.
func (p *pipeline) retrieveByAgent(retrieval, whole context.Context) error {
	p.search.searchShelf(whole)
	p.plan = p.planning().planAgent()
	p.search.Plan = p.plan
	switch {
	case p.plan.Search || p.plan.Shelf:
	case p.speaksOfEarlier():
		return nil
	default:
		return ErrNoSearch
	}
	return p.engine.Investigate(retrieval, whole, p.search)
}

func (p *pipeline) opening() Started {
	q, scope := p.task.Question, p.task.Names.Ticked
	scope.Files, scope.Folders, scope.Collections = plain.Full(scope.Files), plain.Full(scope.Folders), plain.Full(scope.Collections)
	return Started{
		Thread: q.Thread, Question: p.tell.run.Question.Text, Focus: q.Focus, Mode: q.Mode, SubMode: q.SubMode, Scope: scope, Web: q.Web, Offline: q.Offline,
		Models: ModelNames{
			Chat: cmp.Or(q.Models.Chat, p.task.Settings.Models.Chat), System: cmp.Or(q.Models.System, p.task.Settings.Models.System), Rewrite: p.task.Settings.Models.Rewrite,
			Embedding: p.task.Settings.Models.Embedding, Rerank: p.task.Settings.Models.Rerank,
		},
		PromptHash: promptHash,
	}
}

// degrade turns a mode that cannot be had into the nearest one that can, and
// says so.
func (p *pipeline) degrade() {
	why := ""
	switch {
	case p.task.Question.Mode == ModeAgent && (p.models.Chat.Model == nil || p.engine.Investigate == nil):
		why = "Agent needs a model that searches, and there is none"
	case p.task.Question.Mode == ModeDeep && (p.task.Question.Focus == FocusWriting || p.task.Question.Focus == FocusCompute || isSmallTalk(p.task.Question.Text, p.task.History)):
		why = "There is nothing to research in this"
	default:
		return
	}
	p.tell.Notice(Notice{Code: "mode-degraded", Level: "warn", Message: why + ", so the question was answered in Balanced."})
	p.task.Question.Mode = ModeBalanced
}

// resolveModels finds the models of this run. A model that was chosen by name
// and is not there fails the run; with "auto" the answer is then extractive.
func (p *pipeline) resolveModels(ctx context.Context) error {
	want := cmp.Or(p.task.Question.Models.Chat, p.task.Settings.Models.Chat)
	var err error
	if p.models.Chat, err = p.engine.Models.Resolve(ctx, want); err != nil {
		if named(want) {
			return err
		}
		p.models.Why = err
		p.tell.Log.Warn("provider down", "model", want, "err", err)
	}
	wantSystem := cmp.Or(p.task.Question.Models.System, p.task.Settings.Models.System)
	if wantSystem == "" {
		p.models.System = p.models.Chat
		return nil
	}
	if p.models.System, err = p.engine.Models.Resolve(ctx, wantSystem); err != nil {
		p.tell.Log.Warn("resolve system model", "model", wantSystem, "err", err)
		p.models.System = p.models.Chat
	}
	return nil
}

func named(model string) bool { return model != "" && model != "auto" && model != "none" }

// converse replies where no evidence is wanted: writing, and what a model finds to
// be small talk.
func (p *pipeline) converse(ctx context.Context) (Answer, error) {
	p.tell.Begin(StageCompose)
	if p.task.Question.Focus != FocusWriting {
		p.tell.Notice(Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	}
	text, outcome := "", Chatted
	switch {
	case p.models.Chat.Model == nil && p.task.Question.Focus == FocusWriting:
		text, outcome = "Writing needs a model, and none is set up. Choose one in Settings, or ask a question: those are answered from your files and the web without one.", NoEvidence
		p.tell.say(text)
	case p.models.Chat.Model == nil:
		text = "Ask a question, and the answer comes with footnotes from your files and the web."
		p.tell.say(text)
	default:
		name := "chat"
		if p.task.Question.Focus == FocusWriting {
			name = "writing"
		}
		var err error
		if text, err = p.composing().stream(ctx, chatMessages(name, p.task.Question, p.task.History), 0, nil); err != nil {
			return Answer{}, err
		}
	}
	p.tell.Timing.Compose = p.tell.Finish(0, 1)
	return p.conclude(text, outcome, nil, noReport(), nil), nil
}

// conclude closes the run: the last stage and the answer object.
func (p *pipeline) conclude(text string, outcome Outcome, citations []Citation, report Report, followUps []string) Answer {
	p.tell.Begin(StageFinish)
	p.remember(citations)
	now := p.tell.Now().UTC()
	p.tell.Timing.Waited = p.tell.meter.Waited().Milliseconds()
	grade := GradeAnswers
	if outcome == NoEvidence {
		grade = GradeNone
	}
	a := Answer{
		Question: p.tell.run.Question.Text, Answer: text, Outcome: outcome, Grade: grade, Citations: plain.Full(citations), Sources: plain.Full(p.selection.Cards), Report: report,
		Disagreements: plain.Full(p.checked.Disagreements), FollowUps: plain.Full(followUps), Usage: p.tell.Usage, Timing: p.tell.Timing, Ledger: p.tell.meter.Entries(),
		Notices: plain.Full(p.tell.notices), Compacted: p.task.Compacted, Run: p.tell.run.ID, Thread: p.task.Question.Thread, Timestamp: now.Truncate(time.Millisecond), LatencyMs: max(1, now.Sub(p.task.Started).Milliseconds()),
	}
	p.tell.Finish(0, len(a.Sources))
	return a
}

func noVerdicts() map[Verdict]int {
	return map[Verdict]int{QuotedIn: 0, Supported: 0, Partly: 0, NotFound: 0, Contradicted: 0}
}

// ended reports whether err only says that ctx was cut short.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
