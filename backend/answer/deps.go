package answer

import (
	"context"

	"footnote/backend/answer/check"
	"footnote/backend/answer/compose"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/selection"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/privacy"
)

// What each stage of a run is given: the values of those before it, and the few
// ports it needs.

func (e *Engine) pipelineOf(l *journal.Live, meter *privacy.Meter, taint *privacy.Taint) *Pipeline {
	task := &gather.Task{Question: l.Run.Question, Taint: taint, Settings: e.Settings(), Started: e.Now(), HasShelf: e.Shelf != nil, HasWeb: e.Web != nil}
	models := &llm.RoleModels{}
	return e.newPipeline(task, journal.NewTeller(l, meter, task.Settings, models), models, gather.Plan{})
}

func (e *Engine) newPipeline(task *gather.Task, tell *journal.Teller, models *llm.RoleModels, plan gather.Plan) *Pipeline {
	p := &Pipeline{engine: e, Tell: tell, Task: task, Models: models, Plan: plan, kept: &keeper{archive: e.Archive}}
	p.draft = check.NewDraft()
	p.Search = &gather.Retriever{
		Deps: gather.Deps{Web: e.Web, Reader: e.Reader, Shelf: e.Shelf, Paces: &e.paces},
		Tell: tell, Task: task, Models: models, Plan: plan, Scorer: p.scoring(), Settled: p.settled,
	}
	return p
}

func (p *Pipeline) scoring() *gather.Scorer {
	return &gather.Scorer{Deps: gather.ScoreDeps{Embedder: p.engine.Embedder, Meaning: p.engine.Meaning}, Task: p.Task, Tell: p.Tell}
}

func (p *Pipeline) planning() *planner {
	return &planner{
		deps: PlanDeps{Models: p.engine.Models, rewrites: &p.engine.rewrites, mayNotSee: p.mayNotSee},
		tell: p.Tell, task: p.Task, models: p.Models, early: p.Search.Early, plan: p.Plan,
	}
}

func (p *Pipeline) selecting() *selection.Selector {
	return &selection.Selector{
		Deps: selection.Deps{Texts: p.engine.Texts, Checker: p.engine.Checker, Meaning: p.engine.Meaning, Models: p.engine.Models, TableRows: &p.engine.tableRows, MayNotSee: p.mayNotSee},
		Tell: p.Tell, Task: p.Task, Models: p.Models, Scorer: p.scoring(), Plan: p.Plan, Evidence: p.Evidence, Selection: p.Selection,
	}
}

// Number numbers what was chosen without ranking, and keeps it.
func (p *Pipeline) Number(ctx context.Context) error {
	s := p.selecting()
	s.Number()
	p.Selection = s.Selection
	return p.keep(ctx)
}

func (p *Pipeline) binding() *check.Binder {
	return &check.Binder{Checker: p.engine.Checker, Task: p.Task, Selection: p.Selection, Draft: p.draft}
}

func (p *Pipeline) composing() *compose.Composer {
	return &compose.Composer{Tell: p.Tell, Task: p.Task, Models: p.Models, Binder: p.binding(), Settled: p.kept.settled, Selection: p.Selection}
}

// Check has a text checked; from there on the cards are where their first
// citations are.
func (p *Pipeline) Check(ctx context.Context, text string) check.Checked {
	p.draft.Text = text
	p.checked = p.examining().Check(ctx, text)
	p.Selection.Cards = p.checked.Cards
	return p.checked
}

// Unborne are the sentences of a part of an answer that the passages they cite do not bear, in
// bytes of it, in order.
func (p *Pipeline) Unborne(ctx context.Context, text string) []evidence.Span {
	return p.examining().Unborne(ctx, text)
}

func (p *Pipeline) examining() *check.Examiner {
	return &check.Examiner{
		Deps: check.Deps{Checker: p.engine.Checker, Meaning: p.engine.Meaning, Texts: p.engine.Texts},
		Tell: p.Tell, Task: p.Task, Models: p.Models, Scorer: p.scoring(), Binder: p.binding(),
		Plan: p.Plan, Evidence: p.Evidence, Selection: p.Selection,
	}
}
