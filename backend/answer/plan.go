package answer

import (
	"context"
	"fmt"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/recent"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// summaryAsks is what a question that is nothing but a page asks.
const summaryAsks = "Summarize this page."

// PlanDeps are the ports of planning.
type PlanDeps struct {
	Models    llm.ModelSource
	rewrites  *recent.Values[string]
	mayNotSee func(context.Context, llm.ResolvedModel) bool // whether text of files is withheld from a model
}

// planner decides what a run is going to do.
type planner struct {
	deps   PlanDeps
	tell   *journal.Teller
	task   *gather.Task
	models *llm.RoleModels
	early  *gather.Early
	plan   gather.Plan
}

// makePlan decides what to search for. The rewriter works under ctx's soft
// stop: answering now does not wait for it.
func (p *planner) makePlan(ctx, whole context.Context) (gather.Plan, error) {
	p.tell.Begin(contract.StagePlan)
	standalone := queries.Standalone(p.task.Question.Text, p.task.History)
	p.plan = gather.Plan{Planned: contract.Planned{Standalone: standalone, Queries: []string{}, By: "rules", Shelf: p.task.WantsShelf()}}
	switch {
	case p.task.Question.Focus == contract.FocusWriting || p.task.Question.Focus == contract.FocusCompute:
		p.plan.Reason = "this focus searches nothing"
	case queries.IsSmallTalk(p.task.Question.Text, p.task.History):
		p.plan.Reason = "small talk needs no search"
	case p.task.WantsWeb():
		if addresses, rest := queries.Addresses(p.task.Question.Text); len(addresses) > 0 {
			p.planNamed(addresses, rest)
			break
		}
		p.rewrite(ctx, standalone)
	default:
		p.plan.Reason = "only your files are searched"
	}
	if err := whole.Err(); err != nil {
		return gather.Plan{}, err
	}
	p.explainOffline()
	return p.tellPlan(), nil
}

// decided is the plan of a question that needs no planning.
func (p *planner) decided(planned contract.Planned) gather.Plan {
	p.tell.Begin(contract.StagePlan)
	p.plan = gather.Plan{Planned: planned}
	return p.tellPlan()
}

func (p *planner) tellPlan() gather.Plan {
	p.choosePreset()
	p.tell.Emit(p.plan.Planned)
	p.tell.Timing.Plan = p.tell.Finish(0, len(p.plan.Queries))
	return p.plan
}

// planAgent plans nothing but the frame: what is searched for, the model decides.
func (p *planner) planAgent() gather.Plan {
	p.tell.Begin(contract.StagePlan)
	p.plan = gather.Plan{Planned: contract.Planned{
		Standalone: queries.Standalone(p.task.Question.Text, p.task.History), Queries: []string{}, By: "model", Search: p.task.WantsWeb(), Shelf: p.task.WantsShelf(),
		Reason: "the model decides step by step what to look for",
	}}
	if queries.IsSmallTalk(p.task.Question.Text, p.task.History) || p.task.Question.Focus == contract.FocusWriting || p.task.Question.Focus == contract.FocusCompute {
		p.plan.Search, p.plan.Shelf, p.plan.By, p.plan.Reason = false, false, "rules", "nothing has to be looked for"
	}
	p.explainOffline()
	return p.tellPlan()
}

// explainOffline says why a question that could have used the web did not.
func (p *planner) explainOffline() {
	if !p.task.Question.Web || p.plan.Search || p.task.Question.Focus != contract.FocusAll && p.task.Question.Focus != contract.FocusWeb {
		return
	}
	if p.task.Question.Offline || p.task.Settings.Privacy.Scope == "local-only" {
		p.tell.Notice(contract.Notice{Code: "offline", Level: "info", Message: "“Local only” is on, so the web was not asked."})
	}
}

func (p *planner) choosePreset() {
	name := p.task.Question.Preset
	if name == "" || name == "auto" {
		name = p.task.Settings.Rank.Preset
	}
	if name == "" || name == "auto" {
		name = rank.PresetFor(p.plan.Standalone, string(p.task.Question.Focus))
	}
	set := p.task.Settings.Rank.Presets[name]
	preset := rank.Preset{Weights: rank.Weights{Semantic: set.Semantic, Keyword: set.Keyword, Freshness: set.Freshness, Authority: set.Authority}, K: set.K}
	if w := p.task.Question.Weights; w != nil {
		preset.Weights = *w
	}
	if p.task.Question.K > 0 {
		preset.K = p.task.Question.K
	}
	preset.K = min(max(1, preset.K), max(1, p.task.Settings.Rank.MaxPassages))
	p.plan.RankBy = preset
	p.plan.Preset, p.plan.K, p.plan.Weights = name, preset.K, preset.Weights
}

// rewrite asks the system model for a query, at most for the deadline; rules
// stand in when there is no model, no answer in time or nothing usable.
func (p *planner) rewrite(ctx context.Context, standalone string) {
	byRules := func(reason string) {
		p.plan.Search, p.plan.Reason = true, reason
		p.plan.Queries = []string{queries.ByRules(standalone, p.tell.Now())}
	}
	model, err := p.rewriter(ctx)
	if err != nil || model.Model == nil {
		byRules("no model rewrites questions here")
		return
	}
	limit := time.Duration(p.task.Settings.Ask.RewriteTimeoutMs) * time.Millisecond
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	said, by, err := p.reworded(timed, model)
	query, none := queries.Clean(said)
	query = p.task.Sendable(query)
	switch {
	case err == nil && none:
		p.plan.By, p.plan.Reason, p.plan.Shelf = by, "the model says no search is needed", p.plan.Shelf && p.task.Question.Focus == contract.FocusLocal
	case err == nil && query != "":
		p.plan.By, p.plan.Search, p.plan.Reason = by, true, "reworded by the model"
		p.plan.Queries = []string{query}
	case p.task.Settings.Ask.OnTimeout == "skip" && err != nil && !p.tell.CutShort():
		p.plan.Reason = "the question could not be reworded"
		p.tell.Notice(contract.Notice{Code: "search-skipped", Level: "warn", Message: "The web was not searched, because the question could not be reworded in time."})
	default:
		byRules("reworded by rules")
		p.rewriteFailed(ctx, timed, err, limit)
	}
}

func (p *planner) rewriteFailed(ctx, timed context.Context, err error, limit time.Duration) {
	if ctx.Err() != nil {
		return // cut short by the reader: nothing failed
	}
	why := "because the model gave nothing usable"
	switch {
	case timed.Err() != nil:
		why = fmt.Sprintf("because the model took longer than %v", limit)
		p.tell.Log.Warn("slow rewrite", "limit", limit)
	case err != nil:
		why = "because the model failed"
	}
	p.tell.Log.Warn("rewrite fell back to rules", "why", why, "err", err)
	p.tell.Notice(contract.Notice{Code: "rewrite-fallback", Level: "info", Message: "The question was reworded by rules, " + why + "."})
}

func (p *planner) rewriter(ctx context.Context) (llm.ResolvedModel, error) {
	if p.task.Settings.Models.Rewrite == "" || p.models.Held != nil {
		return p.models.System, nil
	}
	m, err := p.deps.Models.Resolve(ctx, p.task.Settings.Models.Rewrite)
	if err == nil && p.task.RecallsFiles() && p.deps.mayNotSee(ctx, m) {
		return p.models.System, nil // earlier answers hold text of files
	}
	return m, err
}

// planNamed plans to read the pages that a question names instead of searching.
func (p *planner) planNamed(addresses []string, rest string) {
	p.plan.Pages, p.plan.Shelf = addresses, false
	p.plan.Reason = "the page in the question is read, nothing is searched"
	p.plan.Standalone = rest
	if rest == "" {
		p.plan.Standalone, p.plan.Summary = summaryAsks, true
	}
}
