package answer

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// Each stage by itself: its input is built by hand.

func TestPlanIsAQueryOfTheModel(t *testing.T) {
	models := &llm.RoleModels{System: llm.ResolvedModel{Name: "test/m", Model: saying("Lorne bridge length")}}
	p := &planner{deps: PlanDeps{Models: saying(""), rewrites: &Recent[string]{}}, tell: aTeller(t, models), task: aTask("How long is the bridge over the Lorne?"), models: models}
	plan, err := p.makePlan(t.Context(), t.Context())
	if err != nil || plan.By != "model" || !plan.Search || plan.Shelf || !slices.Equal(plan.Queries, []string{"Lorne bridge length"}) {
		t.Errorf("%+v, %v", plan.Planned, err)
	}
	if got := told[contract.Planned](p.tell); len(got) != 1 || got[0].Queries[0] != "Lorne bridge length" || plan.RankBy.K == 0 {
		t.Errorf("told %+v", got)
	}
}

func TestPlanOfAnAddressReadsItAndSearchesNothing(t *testing.T) {
	p := &planner{tell: aTeller(t, nil), task: aTask("https://example.org/lorne"), models: &llm.RoleModels{}}
	plan, err := p.makePlan(t.Context(), t.Context())
	if err != nil || plan.Search || !plan.Summary || !slices.Equal(plan.Pages, []string{"https://example.org/lorne"}) {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestGatheringBringsLeadsAndPages(t *testing.T) {
	web, task, models := oneWeb{aPage()}, aTask("How long is the Lorne bridge?"), &llm.RoleModels{}
	tell := aTeller(t, models)
	r := &gather.Retriever{
		Deps: gather.Deps{Web: web, Reader: web, Paces: &gather.Pace{}}, Tell: tell, Task: task, Models: models, Scorer: &gather.Scorer{Task: task, Tell: tell},
		Plan: gather.Plan{Planned: contract.Planned{Standalone: task.Question.Text, Search: true, Queries: []string{"Lorne bridge"}}},
	}
	r.SearchShelf(t.Context())
	r.Gather(t.Context())
	r.ReadPages(t.Context())
	got := r.Evidence
	if len(got.Leads) != 1 || len(got.Documents) != 1 || got.Documents[0].Text != aPage().Text || !slices.Equal(got.Engines, []string{"frozen"}) || got.WebError != nil {
		t.Errorf("%+v", got)
	}
	if found := told[contract.FoundLeads](tell); len(found) != 1 || found[0].Query != "Lorne bridge" || tell.Counters.Pages != 1 {
		t.Errorf("told %+v, %+v", found, tell.Counters)
	}
}

func TestSelectingNumbersWhatFits(t *testing.T) {
	doc, task, models := aPage(), aTask("How long is the Lorne bridge?"), &llm.RoleModels{Chat: llm.ResolvedModel{Model: saying("")}}
	other := doc
	other.Source.Address, other.Text = "https://example.org/bread", "Bread dough rests overnight in a cool cellar."
	other.Source.Digest = evidence.Digest([]byte(other.Text))
	other.Source.ID = evidence.NewSourceID(other.Source.Kind, other.Source.Address, other.Source.Digest)
	tell := aTeller(t, models)
	b := aBinder(t, task)
	task.Question.Private = true // nothing is to be kept
	s := &selector{
		deps: SelectDeps{Checker: b.checker, tableRows: &quote.RowCache{}}, tell: tell, task: task, models: models, scorer: &gather.Scorer{Task: task, Tell: tell}, kept: &keeper{},
		plan:     gather.Plan{Planned: contract.Planned{Standalone: task.Question.Text}, RankBy: rank.Preset{Weights: rank.Weights{Semantic: 0.5, Keyword: 0.5}, K: 1}},
		evidence: gather.Evidence{Documents: []evidence.Document{other, doc}},
	}
	got, err := s.selectPassages(t.Context())
	if err != nil || len(got.Chosen) != 1 || got.Chosen[0].Source.ID != doc.Source.ID || got.Numbers[doc.Source.ID] != 1 || len(got.Cards) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestComposingIsTheTextOfTheModelWithItsMarkersBound(t *testing.T) {
	text := aSentence[:len(aSentence)-1] + " [1]."
	task, models := aTask("How long is the Lorne bridge?"), &llm.RoleModels{Chat: llm.ResolvedModel{Name: "test/m", Model: saying(text)}}
	tell := aTeller(t, models)
	c := &composer{tell: tell, task: task, models: models, binder: aBinder(t, task), kept: &keeper{}, selection: aSelection()}
	draft, err := c.composeFitted(t.Context())
	if err != nil || draft.Text != text || tell.Partial() != text {
		t.Errorf("%q, %v", draft.Text, err)
	}
	if got := told[contract.Cited](tell); len(got) != 1 || got[0].Passage != aSelection().Chosen[0].Passage.ID || tell.Usage.Chat.Calls != 1 {
		t.Errorf("told %+v, %+v", got, tell.Usage)
	}
}

func TestCheckingJudgesEachMarker(t *testing.T) {
	task, models := aTask("How long is the Lorne bridge?"), &llm.RoleModels{}
	tell, b := aTeller(t, models), aBinder(t, task)
	x := &examiner{
		deps: CheckDeps{Checker: b.checker}, tell: tell, task: task, models: models, scorer: &gather.Scorer{Task: task, Tell: tell}, binder: b,
		evidence: gather.Evidence{Documents: []evidence.Document{aPage()}}, selection: aSelection(),
	}
	got := x.check(t.Context(), "The Lorne bridge is 503 metres long [1]. Bread dough rests overnight in a cool cellar [1].")
	var verdicts []string
	for _, c := range got.Citations {
		verdicts = append(verdicts, string(c.Verdict))
	}
	if strings.Join(verdicts, " ") != "quoted not-found" || got.Report.Verdicts[contract.QuotedIn] != 1 || len(got.Cards) != 1 {
		t.Errorf("%v, %+v", verdicts, got.Report)
	}
}
