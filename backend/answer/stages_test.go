package answer

import (
	"slices"
	"testing"

	"footnote/backend/answer/answertest"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/recent"
	"footnote/backend/llm"
)

// Each stage by itself: its input is built by hand.

func TestPlanIsAQueryOfTheModel(t *testing.T) {
	models := &llm.RoleModels{System: llm.ResolvedModel{Name: "test/m", Model: answertest.Saying("Lorne bridge length")}}
	p := &planner{deps: PlanDeps{Models: answertest.Saying(""), rewrites: &recent.Values[string]{}}, tell: answertest.Teller(t, models), task: answertest.Task("How long is the bridge over the Lorne?"), models: models}
	plan, err := p.makePlan(t.Context(), t.Context())
	if err != nil || plan.By != "model" || !plan.Search || plan.Shelf || !slices.Equal(plan.Queries, []string{"Lorne bridge length"}) {
		t.Errorf("%+v, %v", plan.Planned, err)
	}
	if got := answertest.Told[contract.Planned](p.tell); len(got) != 1 || got[0].Queries[0] != "Lorne bridge length" || plan.RankBy.K == 0 {
		t.Errorf("told %+v", got)
	}
}

func TestPlanOfAnAddressReadsItAndSearchesNothing(t *testing.T) {
	p := &planner{tell: answertest.Teller(t, nil), task: answertest.Task("https://example.org/lorne"), models: &llm.RoleModels{}}
	plan, err := p.makePlan(t.Context(), t.Context())
	if err != nil || plan.Search || !plan.Summary || !slices.Equal(plan.Pages, []string{"https://example.org/lorne"}) {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestGatheringBringsLeadsAndPages(t *testing.T) {
	web, task, models := answertest.Web{Page: answertest.Page()}, answertest.Task("How long is the Lorne bridge?"), &llm.RoleModels{}
	tell := answertest.Teller(t, models)
	r := &gather.Retriever{
		Deps: gather.Deps{Web: web, Reader: web, Paces: &gather.Pace{}}, Tell: tell, Task: task, Models: models, Scorer: &gather.Scorer{Task: task, Tell: tell},
		Plan: gather.Plan{Planned: contract.Planned{Standalone: task.Question.Text, Search: true, Queries: []string{"Lorne bridge"}}},
	}
	r.SearchShelf(t.Context())
	r.Gather(t.Context())
	r.ReadPages(t.Context())
	got := r.Evidence
	if len(got.Leads) != 1 || len(got.Documents) != 1 || got.Documents[0].Text != answertest.Page().Text || !slices.Equal(got.Engines, []string{"frozen"}) || got.WebError != nil {
		t.Errorf("%+v", got)
	}
	if found := answertest.Told[contract.FoundLeads](tell); len(found) != 1 || found[0].Query != "Lorne bridge" || tell.Counters.Pages != 1 {
		t.Errorf("told %+v, %+v", found, tell.Counters)
	}
}
