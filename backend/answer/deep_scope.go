package answer

import (
	"context"
	"encoding/json"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/rank"
)

const (
	longestDimension = 200 // characters
	longestBrief     = 1000
	mostCriteria     = 5
)

// diligence are the dimensions of due diligence, for every topic.
var diligence = []string{
	"performance and scalability evidence",
	"compatibility and integration risk",
	"community and maintenance",
	"alternatives",
	"real-world case studies",
}

// scope decides what is looked into: a light search first, then the system model,
// or rules where there is none.
func (r *research) scope(ctx context.Context) {
	if len(r.study.Dimensions) > 0 {
		return
	}
	r.begin(StageScope)
	warm, found := r.warmUp(ctx)
	s := &r.study
	s.Warm, s.By = warm, "model"
	if err := r.scopeByModel(ctx, warm, found); err != nil {
		s.By = "rules"
	}
	asked := subjectOfQuestion(r.plan.Standalone, textsOf(warm, found))
	s.Topic = first(s.Topic, asked.list, queryByRules(r.plan.Standalone, r.now()))
	s.Brief = first(s.Brief, r.plan.Standalone)
	if r.q.SubMode == DueDiligence {
		s.Dimensions = nil
		for _, side := range diligence {
			s.Dimensions = append(s.Dimensions, capital(s.Topic)+": "+side)
		}
	}
	if len(s.Dimensions) < r.s.Deep.DimensionsMin {
		byRules := dimensionsByRules(r.plan.Standalone, s.Topic, asked, facetsOf(asked, warm, found), r.s.Deep.DimensionsMax)
		s.Dimensions = cleanList(append(s.Dimensions, byRules...), max(r.s.Deep.DimensionsMin, len(byRules)), longestDimension)
	}
	r.emit(r.scoped(r.reviewWait().Milliseconds()))
	r.keepStudy(ctx)
	r.finish(len(warm)+len(found), len(s.Dimensions))
}

func (r *research) scoped(reviewMs int64) Scoped {
	s := r.study
	return Scoped{Brief: s.Brief, Dimensions: full(s.Dimensions), Criteria: full(s.Criteria), Notes: s.Notes, ReviewMs: reviewMs, By: s.By}
}

// warmUp is one light search on the raw question.
func (r *research) warmUp(ctx context.Context) ([]evidence.Lead, []evidence.Found) {
	n := r.s.Deep.WarmupResults
	var found []evidence.Found
	if r.plan.Shelf {
		h, err := r.searchFiles(ctx, r.plan.Standalone, n, 0)
		if err != nil {
			r.live.log.Info("warm-up of the library", "err", err)
		}
		found = h.found
		r.searchedOnce(addressesOf(nil, found))
	}
	if !r.plan.Search {
		return nil, found
	}
	query := WebQuery{Text: oneLine(r.plan.Standalone, r.s.Web.QueryChars), N: n, Page: 1}
	r.emit(Searching{Query: query.Text, Engine: "web", Page: 1})
	results := r.ask(ctx, query, r.webNames())
	var sets [][]evidence.Lead
	for _, result := range results {
		if result.Err != nil {
			r.searched = result.Err
		}
		sets = append(sets, result.Leads)
	}
	leads := r.unblocked(rank.DedupLeads(interleave(sets)))
	leads = leads[:min(n, len(leads))]
	r.searchedOnce(addressesOf(leads, nil))
	return leads, found
}

var scopeSchema = json.RawMessage(`{"type":"object","properties":{"topic":{"type":"string"},"brief":{"type":"string"},"dimensions":{"type":"array","items":{"type":"string"},"minItems":3,"maxItems":6},"criteria":{"type":"array","items":{"type":"string"},"maxItems":5},"notes":{"type":"string"}},"required":["brief","dimensions"]}`)

// planned is a plan as a model gives it.
type planned struct {
	Topic      string   `json:"topic"`
	Brief      string   `json:"brief"`
	Dimensions []string `json:"dimensions"`
	Criteria   []string `json:"criteria"`
	Notes      string   `json:"notes"`
}

// errNoPlan says that what a model planned cannot be followed.
var errNoPlan = fault.New(fault.ModelRefused, "The model gave no usable plan.", "")

func (r *research) scopeByModel(ctx context.Context, warm []evidence.Lead, found []evidence.Found) error {
	var material []string
	for _, l := range warm {
		material = append(material, oneLine(evidence.WithoutOrders(l.Source.Title), 160)+": "+oneLine(evidence.WithoutOrders(l.Snippet), r.s.Deep.WarmupSnippetChars))
	}
	for _, f := range found {
		material = append(material, oneLine(evidence.WithoutOrders(f.Source.Title), 160)+": "+oneLine(evidence.WithoutOrders(f.Passage.Text), r.s.Deep.WarmupSnippetChars))
	}
	asked := "Report: " + string(r.q.SubMode) + "\nDate: " + r.now().Format("Monday, 2 January 2006") + "\nNumber of dimensions: " +
		count("%d to %d", r.s.Deep.DimensionsMin, r.s.Deep.DimensionsMax) + "\n\n" +
		quotation("Titles and snippets of a first search", fitTokens(strings.Join(material, "\n"), r.systemRoom(800))) + "\n\nQuestion: " + oneLine(r.plan.Standalone, 1000)
	var p planned
	if err := r.consult(ctx, request{phasePlan, "scope", "deep_scope", asked, scopeSchema, 800}, &p); err != nil {
		return err
	}
	s := &r.study
	s.Topic, s.Brief, s.Notes = oneLine(p.Topic, 100), oneLine(p.Brief, longestBrief), oneLine(p.Notes, longestBrief)
	s.Criteria = cleanList(p.Criteria, mostCriteria, longestDimension)
	if s.Dimensions = cleanList(p.Dimensions, r.s.Deep.DimensionsMax, longestDimension); len(s.Dimensions) == 0 {
		return errNoPlan
	}
	return nil
}
