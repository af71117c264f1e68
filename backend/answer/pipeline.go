package answer

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"footnote/backend/answer/check"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/recent"
	"footnote/backend/answer/selection"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// Pipeline is one question on its way: plan → gather → read → select →
// compose → check → finish. Its fields fill up in that order.
type Pipeline struct {
	engine *Engine
	Tell   *journal.Teller
	Task   *gather.Task
	Models *llm.RoleModels
	Search *gather.Retriever
	kept   *keeper

	Plan      gather.Plan
	Evidence  gather.Evidence
	Selection selection.Selection
	draft     check.Draft
	checked   check.Checked

	cacheKey     recent.Digest // of what the answer depends on
	introduction string        // what is said of Footnote unless the sources answer; empty for most questions
}

// guarded runs the pipeline; a panic in any stage is an internal fault of this
// run alone, with its stack in the log.
func (p *Pipeline) guarded(ctx context.Context) (a contract.Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.Tell.Log.Error("run panicked", "panic", r, "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "Footnote could not finish this answer because of an internal error.", "Ask again; the log has the details.")
		}
	}()
	if err := ctx.Err(); err != nil {
		return contract.Answer{}, err
	}
	defer p.logChoices()
	if a, err = p.answer(ctx); err == nil && p.Models.Held == nil {
		p.keepAnswer(a)
	}
	if err == nil {
		a.Diff = p.diff(ctx, a)
	}
	return a, err
}

func (p *Pipeline) answer(ctx context.Context) (contract.Answer, error) {
	unnamed := p.lookUpNames(ctx)
	p.recall(ctx)
	p.takeLenses(ctx)
	kept := p.storedAnswer(ctx)
	opening := p.opening()
	opening.Cached = kept != nil
	if past, _ := p.Tell.Since(0); len(past) == 0 { // an earlier process may have told it
		p.Tell.Emit(opening)
	}
	if unnamed != nil {
		return contract.Answer{}, unnamed
	}
	if kept != nil {
		return p.giveAgain(kept), nil
	}
	p.tellNames()
	if a, done, err := p.inventoried(ctx); done || err != nil {
		return a, err
	}
	if a, done, err := p.overall(ctx); done || err != nil {
		return a, err
	}
	if a, done := p.smallTalk(ctx); done {
		return a, nil
	}
	if err := p.resolveModels(ctx); err != nil {
		return contract.Answer{}, err
	}
	p.withhold(ctx)
	p.degrade()
	p.compact()
	if p.Task.Question.Mode == contract.ModeDeep {
		return p.engine.Research(ctx, p)
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
	p.spell(ctx)
	retrieval, cancel := p.Tell.Retrieval(ctx)
	defer cancel()
	retrieve := p.retrieveOnce
	if p.Task.Question.Mode == contract.ModeAgent {
		retrieve = p.retrieveByAgent
	}
	err := cmp.Or(retrieve(retrieval, ctx), ctx.Err())
	p.Plan, p.Evidence = p.Search.Plan, p.Search.Evidence
	p.Release()
	switch {
	case errors.Is(err, ErrNoSearch):
		return p.converse(ctx)
	case err != nil:
		return contract.Answer{}, err
	}
	p.Evidence = p.Task.WithPasted(ctx, p.Evidence, p.Tell, p.Models.Chat.Model != nil)
	p.Selection, err = p.selecting().Select(ctx)
	p.keepBeside(ctx)
	if err != nil {
		return contract.Answer{}, err
	}
	if a, done := p.introduced(ctx); done {
		return a, nil
	}
	a, err := p.write(ctx)
	return a, cmp.Or(err, p.kept.settled())
}

// ErrNoSearch says that a message needs no evidence.
var ErrNoSearch = errors.New("no search is needed")

// retrieveOnce gathers the evidence of the quick modes: one plan, one search on
// each side. retrieval ends with "answer now", whole with the run.
func (p *Pipeline) retrieveOnce(retrieval, whole context.Context) error {
	p.Search.SearchShelf(whole)
	p.Search.SearchEarly(retrieval)
	var err error
	if p.Plan, err = p.planning().makePlan(retrieval, whole); err != nil {
		p.Search.Early.Drop()
		return err
	}
	if p.Search.Plan = p.Plan; p.Plan.Summary {
		p.Task.Question.Instructions = strings.TrimSpace(summaryAsks + "\n" + p.Task.Question.Instructions)
	}
	if !p.Plan.Search {
		p.Search.Early.Drop()
	}
	switch {
	case len(p.Plan.Pages) > 0:
		p.Search.ReadNamed(retrieval)
	case !p.Plan.Search && !p.Plan.Shelf && (p.speaksOfEarlier() || p.Task.AsksOfPasted(p.Models.Chat.Model != nil)):
	case !p.Plan.Search && !p.Plan.Shelf:
		return ErrNoSearch
	default:
		p.Search.Gather(retrieval)
		p.Search.ReadPages(retrieval)
	}
	return nil
}

// retrieveByAgent gathers the evidence of agent mode.
func (p *Pipeline) retrieveByAgent(retrieval, whole context.Context) error {
	p.Search.SearchShelf(whole)
	p.Plan = p.planning().planAgent()
	p.Search.Plan = p.Plan
	switch {
	case p.Plan.Search || p.Plan.Shelf:
	case p.speaksOfEarlier():
		return nil
	default:
		return ErrNoSearch
	}
	return p.engine.Investigate(retrieval, whole, p.Search)
}

func (p *Pipeline) opening() contract.Started {
	q, scope := p.Task.Question, p.Task.Names.Ticked
	scope.Files, scope.Folders, scope.Collections = plain.Full(scope.Files), plain.Full(scope.Folders), plain.Full(scope.Collections)
	return contract.Started{
		Thread: q.Thread, Question: p.Tell.Run.Question.Text, Focus: q.Focus, Mode: q.Mode, SubMode: q.SubMode, Scope: scope, Web: q.Web, Offline: q.Offline,
		Models: contract.ModelNames{
			Chat: cmp.Or(q.Models.Chat, p.Task.Settings.Models.Chat), System: cmp.Or(q.Models.System, p.Task.Settings.Models.System), Rewrite: p.Task.Settings.Models.Rewrite,
			Embedding: p.Task.Settings.Models.Embedding, Rerank: p.Task.Settings.Models.Rerank,
		},
		PromptHash: prompts.Hash,
	}
}

// degrade turns a mode that cannot be had into the nearest one that can, and
// says so.
func (p *Pipeline) degrade() {
	why := ""
	switch {
	case p.Task.Question.Mode == contract.ModeAgent && (p.Models.Chat.Model == nil || p.engine.Investigate == nil):
		why = "Agent needs a model that searches, and there is none"
	case p.Task.Question.Mode == contract.ModeDeep && p.engine.Research == nil:
		why = "There is no deep research here"
	case p.Task.Question.Mode == contract.ModeDeep && (p.Task.Question.Focus == contract.FocusWriting || p.Task.Question.Focus == contract.FocusCompute || queries.IsSmallTalk(p.Task.Question.Text, p.Task.History)):
		why = "There is nothing to research in this"
	default:
		return
	}
	p.Tell.Notice(contract.Notice{Code: "mode-degraded", Level: "warn", Message: why + ", so the question was answered in Balanced."})
	p.Task.Question.Mode = contract.ModeBalanced
}

// resolveModels finds the models of this run. A model that was chosen by name
// and is not there fails the run; with "auto" the answer is then extractive.
func (p *Pipeline) resolveModels(ctx context.Context) error {
	want := cmp.Or(p.Task.Question.Models.Chat, p.Task.Settings.Models.Chat)
	var err error
	if p.Models.Chat, err = p.engine.Models.Resolve(ctx, want); err != nil {
		if named(want) {
			return err
		}
		p.Models.Why = err
		p.Tell.Log.Warn("provider down", "model", want, "err", err)
	}
	wantSystem := cmp.Or(p.Task.Question.Models.System, p.Task.Settings.Models.System)
	if wantSystem == "" {
		p.Models.System = p.Models.Chat
		return nil
	}
	if p.Models.System, err = p.engine.Models.Resolve(ctx, wantSystem); err != nil {
		p.Tell.Log.Warn("resolve system model", "model", wantSystem, "err", err)
		p.Models.System = p.Models.Chat
	}
	return nil
}

func named(model string) bool { return model != "" && model != "auto" && model != "none" }

// converse replies where no evidence is wanted: writing, and what a model finds to
// be small talk.
func (p *Pipeline) converse(ctx context.Context) (contract.Answer, error) {
	p.Tell.Begin(contract.StageCompose)
	if p.Task.Question.Focus != contract.FocusWriting {
		p.Tell.Notice(contract.Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	}
	text, outcome := "", contract.Chatted
	switch {
	case p.Models.Chat.Model == nil && p.Task.Question.Focus == contract.FocusWriting:
		text, outcome = "Writing needs a model, and none is set up. Choose one in Settings, or ask a question: those are answered from your files and the web without one.", contract.NoEvidence
		p.Tell.Say(text)
	case p.Models.Chat.Model == nil && p.Task.Question.Focus.Reachable(true) != nil:
		text = "This looks on the web alone, and the web is switched off. Choose All sources to ask your files, or switch the web on."
		p.Tell.Say(text)
	case p.Models.Chat.Model == nil:
		text = "Ask a question, and the answer comes with footnotes from your files and the web."
		p.Tell.Say(text)
	default:
		name := "chat"
		if p.Task.Question.Focus == contract.FocusWriting {
			name = "writing"
		}
		var err error
		if text, err = p.composing().Stream(ctx, prompts.Chat(name, p.Task.Question, p.Task.History), 0, nil); err != nil {
			return contract.Answer{}, err
		}
	}
	p.Tell.Timing.Compose = p.Tell.Finish(0, 1)
	return p.Conclude(text, outcome, nil, noReport(), nil), nil
}

// Conclude closes the run: the last stage and the answer object.
func (p *Pipeline) Conclude(text string, outcome contract.Outcome, citations []contract.Citation, report contract.Report, followUps []string) contract.Answer {
	p.Tell.Begin(contract.StageFinish)
	p.tellHeld()
	p.remember(citations)
	now := p.Tell.Now().UTC()
	p.Tell.Timing.Waited = p.Tell.Meter.Waited().Milliseconds()
	grade := contract.GradeAnswers
	if outcome == contract.NoEvidence {
		grade = contract.GradeNone
	}
	a := contract.Answer{
		Question: p.Tell.Run.Question.Text, Answer: text, Outcome: outcome, Grade: grade, Citations: plain.Full(citations), Sources: plain.Full(p.Selection.Cards), Report: report,
		Disagreements: plain.Full(p.checked.Disagreements), FollowUps: plain.Full(followUps), Usage: p.Tell.Usage, Timing: p.Tell.Timing, Ledger: p.Tell.Meter.Entries(),
		Notices: plain.Full(p.Tell.Notices), Compacted: p.Task.Compacted, Run: p.Tell.Run.ID, Thread: p.Task.Question.Thread, Timestamp: contract.StampOf(now), LatencyMs: max(1, now.Sub(p.Task.Started).Milliseconds()),
	}
	p.Tell.Finish(0, len(a.Sources))
	return a
}
