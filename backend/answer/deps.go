package answer

import (
	"context"

	"footnote/backend/cite"
	"footnote/backend/evidence"
)

// What each stage of a run is given: the values of those before it, and the few
// ports it needs.

func (e *Engine) pipelineOf(l *live, meter *Meter) *pipeline {
	task := &Task{Question: l.run.Question, Settings: e.Settings(), Started: e.Now(), HasShelf: e.Shelf != nil, HasWeb: e.Web != nil}
	models := &RoleModels{}
	return e.newPipeline(task, &Teller{live: l, meter: meter, settings: task.Settings, models: models}, models, Plan{})
}

func (e *Engine) newPipeline(task *Task, tell *Teller, models *RoleModels, plan Plan) *pipeline {
	p := &pipeline{engine: e, tell: tell, task: task, models: models, plan: plan, kept: &keeper{archive: e.Archive}}
	p.draft.read = map[evidence.PassageID]*cite.Passage{}
	p.search = &Retriever{
		deps: RetrieveDeps{Web: e.Web, Reader: e.Reader, Shelf: e.Shelf, paces: &e.paces},
		Tell: tell, Task: task, Models: models, Plan: plan, scorer: p.scoring(),
	}
	return p
}

func (p *pipeline) scoring() *scorer {
	return &scorer{deps: ScoreDeps{Embedder: p.engine.Embedder, Meaning: p.engine.Meaning}, task: p.task, tell: p.tell}
}

func (p *pipeline) planning() *planner {
	return &planner{
		deps: PlanDeps{Models: p.engine.Models, rewrites: &p.engine.rewrites},
		tell: p.tell, task: p.task, models: p.models, early: p.search.early, plan: p.plan,
	}
}

func (p *pipeline) selecting() *selector {
	return &selector{
		deps: SelectDeps{Texts: p.engine.Texts, Checker: p.engine.Checker, Meaning: p.engine.Meaning, tableRows: &p.engine.tableRows},
		tell: p.tell, task: p.task, models: p.models, scorer: p.scoring(), kept: p.kept, plan: p.plan, evidence: p.evidence, selection: p.selection,
	}
}

// numbered numbers what was chosen without ranking, and keeps it.
func (p *pipeline) numbered(ctx context.Context) error {
	s := p.selecting()
	s.number()
	err := s.keep(ctx)
	if err == nil {
		s.tellPartial()
	}
	p.selection = s.selection
	return err
}

func (p *pipeline) binding() *binder {
	return &binder{checker: p.engine.Checker, task: p.task, selection: p.selection, draft: p.draft}
}

func (p *pipeline) composing() *composer {
	return &composer{tell: p.tell, task: p.task, models: p.models, binder: p.binding(), kept: p.kept, selection: p.selection}
}

// check has a text checked; from there on the cards are where their first
// citations are.
func (p *pipeline) check(ctx context.Context, text string) CheckedDraft {
	p.draft.Text = text
	x := &examiner{
		deps: CheckDeps{Checker: p.engine.Checker, Meaning: p.engine.Meaning, Texts: p.engine.Texts},
		tell: p.tell, task: p.task, models: p.models, scorer: p.scoring(), binder: p.binding(),
		plan: p.plan, evidence: p.evidence, selection: p.selection,
	}
	p.checked = x.check(ctx, text)
	p.selection.Cards = p.checked.Cards
	return p.checked
}
