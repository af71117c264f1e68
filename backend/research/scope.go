package research

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
	"footnote/backend/research/facets"
	"footnote/backend/research/sides"
	"footnote/backend/research/subject"
)

const (
	longestBrief = 1000
	mostCriteria = 5
	warmFiles    = 2 // times as many passages of files as results of the web: several stand under one heading
)

// scope decides what is looked into: a light search first, then the system model,
// or rules where there is none.
func (r *research) scope(ctx context.Context) {
	if len(r.study.Dimensions) > 0 {
		return
	}
	r.p.Tell.Begin(contract.StageScope)
	warm, found := r.warmUp(ctx)
	s := &r.study
	s.Warm, s.By = warm, "model"
	if err := r.scopeByModel(ctx, warm, found); err != nil {
		s.By = "rules"
	}
	asked := subject.TopicOf(r.p.Plan.Standalone, facets.TextsOf(warm, found))
	s.Topic = cmp.Or(s.Topic, subject.NamedTopic(r.p.Plan.Standalone, asked.List, r.p.Task.Question.SubMode == contract.DueDiligence), queries.ByRules(r.p.Plan.Standalone, r.p.Tell.Now()))
	s.Brief = cmp.Or(s.Brief, r.p.Plan.Standalone)
	if r.p.Task.Question.SubMode == contract.DueDiligence {
		s.Dimensions = nil
		for _, side := range sides.Diligence {
			s.Dimensions = append(s.Dimensions, plain.Capital(s.Topic)+": "+r.say(side))
		}
	}
	if len(s.Dimensions) < r.p.Task.Settings.Deep.DimensionsMin {
		near, known := r.facetsNear(ctx, found)
		if len(near) > 0 && !asked.Compares { // the files' own headings say more than its things by themselves
			asked.Things = asked.Things[:min(len(asked.Things), 1)]
		}
		rest := found
		if known {
			rest = nil
		}
		near = append(near, facets.Of(asked, warm, rest)...)
		byRules := dimensionsByRules(r.p.Plan.Standalone, s.Topic, asked, near, r.p.Task.Settings.Deep.DimensionsMax)
		s.Dimensions = answer.CleanList(append(s.Dimensions, byRules...), max(r.p.Task.Settings.Deep.DimensionsMin, len(byRules)), answer.LongestDimension)
	}
	r.p.Tell.Emit(r.scoped(r.reviewWait().Milliseconds()))
	r.keepStudy(ctx)
	r.p.Tell.Finish(len(warm)+len(found), len(s.Dimensions))
}

func (r *research) scoped(reviewMs int64) contract.Scoped {
	s := &r.study
	return contract.Scoped{Brief: s.Brief, Dimensions: plain.Full(s.Dimensions), Criteria: plain.Full(s.Criteria), Notes: s.Notes, ReviewMs: reviewMs, By: s.By}
}

// facetsNear are the headings of files that are near the question; ok is false where
// nothing can tell.
func (r *research) facetsNear(ctx context.Context, found []evidence.Found) (all []string, ok bool) {
	if r.vectors == nil {
		return nil, false
	}
	all, err := facets.Near(ctx, r.vectors, r.p.Plan.Standalone, found)
	if err != nil {
		r.p.Tell.Log.Warn("headings were not compared with the question", "err", err)
	}
	return all, err == nil
}

// warmUp is one light search on the raw question.
func (r *research) warmUp(ctx context.Context) ([]evidence.Lead, []evidence.Found) {
	n := r.p.Task.Settings.Deep.WarmupResults
	var found []evidence.Found
	if r.p.Plan.Shelf {
		h, err := r.p.Search.SearchFiles(ctx, r.p.Plan.Standalone, warmFiles*n, 0)
		if err != nil {
			r.p.Tell.Log.Info("warm-up of the library", "err", err)
		}
		found = r.withShelf(ctx, h.Found)
		r.searchedOnce(addressesOf(nil, found))
	}
	if !r.p.Plan.Search {
		return nil, found
	}
	query := gather.WebQuery{Text: plain.OneLine(r.p.Plan.Standalone, r.p.Task.Settings.Web.QueryChars), N: n, Page: 1}
	r.p.Tell.Emit(contract.Searching{Query: query.Text, Engine: "web", Page: 1})
	results := r.p.Search.Ask(ctx, query, r.p.Task.WebEngines())
	var sets [][]evidence.Lead
	for _, result := range results {
		if result.Err != nil {
			r.p.Evidence.WebError = result.Err
		}
		sets = append(sets, result.Leads)
	}
	leads := r.p.Task.Unblocked(rank.DedupLeads(gather.Interleave(sets)))
	leads = leads[:min(n, len(leads))]
	r.searchedOnce(addressesOf(leads, nil))
	return leads, found
}

// withShelf are passages with those that the question finds without the names in it, in
// turn: in folders called after the subject these tell nothing apart.
func (r *research) withShelf(ctx context.Context, found []evidence.Found) (all []evidence.Found) {
	question := r.p.Plan.Standalone
	bare := facets.Without(subject.Names(question), question)
	if bare == question || bare == "" {
		return found
	}
	h, err := r.p.Search.SearchFiles(ctx, bare, len(found), 0)
	if err != nil {
		r.p.Tell.Log.Info("warm-up of the library", "err", err)
	}
	lists, known := [][]evidence.Found{found, subject.Shelved(question, h.Found)}, map[evidence.PassageID]bool{}
	for i := range max(len(lists[0]), len(lists[1])) {
		for _, list := range lists {
			if i < len(list) && !known[list[i].Passage.ID] {
				known[list[i].Passage.ID], all = true, append(all, list[i])
			}
		}
	}
	return all
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
		material = append(material, plain.OneLine(evidence.WithoutOrders(l.Source.Title), 160)+": "+plain.OneLine(evidence.WithoutOrders(l.Snippet), r.p.Task.Settings.Deep.WarmupSnippetChars))
	}
	for _, f := range found {
		material = append(material, plain.OneLine(evidence.WithoutOrders(f.Source.Title), 160)+": "+plain.OneLine(evidence.WithoutOrders(f.Passage.Text), r.p.Task.Settings.Deep.WarmupSnippetChars))
	}
	asked := "Report: " + string(r.p.Task.Question.SubMode) + "\nDate: " + r.p.Tell.Now().Format("Monday, 2 January 2006") + "\nNumber of dimensions: " +
		fmt.Sprintf("%d to %d", r.p.Task.Settings.Deep.DimensionsMin, r.p.Task.Settings.Deep.DimensionsMax) + "\n\n" +
		calls.Quotation("Titles and snippets of a first search", calls.Fit(strings.Join(material, "\n"), r.calls.Room(800))) + "\n\nQuestion: " + plain.OneLine(r.p.Plan.Standalone, 1000)
	var p planned
	if err := r.calls.Consult(ctx, calls.Request{Phase: phasePlan, Purpose: "scope", Template: "deep_scope", Asked: asked, Schema: scopeSchema, Tokens: 800}, &p); err != nil {
		return err
	}
	s := &r.study
	s.Topic, s.Brief, s.Notes = plain.OneLine(p.Topic, 100), plain.OneLine(p.Brief, longestBrief), plain.OneLine(p.Notes, longestBrief)
	s.Criteria = answer.CleanList(p.Criteria, mostCriteria, answer.LongestDimension)
	if s.Dimensions = answer.CleanList(p.Dimensions, r.p.Task.Settings.Deep.DimensionsMax, answer.LongestDimension); len(s.Dimensions) == 0 {
		return errNoPlan
	}
	return nil
}

// fairScope is how many subquestions the rules make, if nothing calls for more.
const fairScope = 4

// dimensionsByRules makes subquestions without a model, worded as a person would:
// the question itself, the facets that the first results have headings for, then
// what can be asked of any topic. A question about several things is asked of each
// of them first, and at last as a whole; one that asks several things is taken apart.
func dimensionsByRules(question, topic string, s subject.Topic, near []string, most int) []string {
	first, last := []string{question}, []string(nil)
	if parts := s.Parts(question); len(parts) > 0 {
		first = parts
	} else if len(s.Things) > 1 {
		first, last = nil, first
		for _, thing := range s.Things {
			first = append(first, s.AskedOf(question, thing))
		}
	}
	enough := min(max(fairScope, len(first)+len(last)), most)
	first = append(first, near...)
	if lang.Spoken(question) == lang.English { // what bears on a side is known by English words
		for _, side := range []string{sides.Evidence, sides.Causes, sides.Limits} {
			first = append(first, plain.Capital(topic)+": "+lang.English.Say(side))
		}
	}
	return append(answer.CleanList(first, enough-len(last), answer.LongestDimension), answer.CleanList(last, 1, answer.LongestDimension)...)
}
