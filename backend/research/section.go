package research

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
)

// sectionMessages asks for one section: the notes as background, the passages to
// cite, and what belongs in it.
func (w *reporter) sectionMessages(s section, kept []rank.Candidate, notesRoom int) []llm.Message {
	var notes, blocks []string
	for i, x := range w.explored {
		if s.about == nil || s.asks == "" || s.about[0] == i {
			notes = append(notes, "- "+x.Question+": "+plain.OneLine(cmp.Or(x.Summary, x.KeyFinding), 600))
		}
	}
	for _, c := range rank.PromptOrder(kept) {
		blocks = append(blocks, prompts.EvidenceBlock(w.r.p.Selection.Numbers[c.Source.ID], c, ""))
	}
	var b strings.Builder
	if len(notes) > 0 {
		b.WriteString(calls.Quotation("Notes on what was found", calls.Fit(strings.Join(notes, "\n"), notesRoom)) + "\n\n")
	}
	b.WriteString(calls.Quotation("Passages", strings.Join(blocks, "\n\n")) + "\n\n")
	b.WriteString("Section: " + s.title + "\nWhat belongs in it: " + s.task + "\nLength: " + fmt.Sprintf("about %d words", s.words) + "\n\n")
	if s.asks != "" {
		b.WriteString("The section is part of a report on: " + plain.OneLine(w.r.p.Plan.Standalone, 500) + "\n")
	}
	b.WriteString("Question: " + plain.OneLine(cmp.Or(s.asks, w.r.p.Plan.Standalone), 1000))
	return []llm.Message{{Author: llm.System, Text: prompts.Fill("deep_report", prompts.Voice(w.r.p.Task.Question)...)}, {Author: llm.User, Text: b.String()}}
}

func idsOf(cands []rank.Candidate) []evidence.PassageID {
	var ids []evidence.PassageID
	for _, c := range cands {
		ids = append(ids, c.Passage.ID)
	}
	return ids
}

var relatedSchema = json.RawMessage(`{"type":"object","properties":{"topics":{"type":"array","items":{"type":"string"},"minItems":3,"maxItems":5}},"required":["topics"]}`)

const mostRelated = 5

// related are topics beside the question: by the system model, else what stayed
// open and what the first search found besides.
func (r *research) related(ctx context.Context) []string {
	var said struct {
		Topics []string `json:"topics"`
	}
	asked := r.coverage() + "\n\nQuestion: " + plain.OneLine(r.p.Plan.Standalone, 1000)
	if !r.p.Tell.CutShort() {
		_ = r.calls.Consult(ctx, calls.Request{Phase: journal.PhaseAnswer, Purpose: "related", Template: "deep_related", Asked: asked, Schema: relatedSchema, Tokens: 300}, &said) // consult has logged it; the rules stand in
	}
	topics := said.Topics
	if s := r.soFar(); len(topics) < 3 {
		topics = append(topics, slices.DeleteFunc(slices.Clone(s.Gaps), r.isSide)...)
		topics = append(topics, slices.DeleteFunc(unproductive(&s), func(q string) bool { return r.isSide(q) || q == r.p.Plan.Standalone })...)
		for _, l := range s.Warm {
			if title := strings.Trim(evidence.WithoutOrders(l.Source.Title), "[]. "); !slices.Contains(s.Dimensions, title) {
				topics = append(topics, title)
			}
		}
	}
	topics = answer.CleanList(topics, mostRelated, 120)
	for i := range topics {
		topics[i] = quote.EscapeMarkdown(topics[i])
	}
	return topics
}

// passagesFor are the best passages of the dimensions that a section is about, in
// turn.
func (w *reporter) passagesFor(s section) []rank.Candidate {
	var lists [][]rank.Candidate
	for i, x := range w.explored {
		if s.about == nil || slices.Contains(s.about, i) {
			lists = append(lists, x.Evidence)
		}
	}
	if len(lists) == 0 {
		lists = [][]rank.Candidate{w.r.p.Selection.Chosen}
	}
	var out []rank.Candidate
	for i := range mostEvidence {
		for _, list := range lists {
			if i < len(list) && len(out) < w.r.p.Task.Settings.Rank.MaxPassages && w.r.p.Selection.Numbers[list[i].Source.ID] > 0 && !hasPassage(out, list[i]) {
				out = append(out, list[i])
			}
		}
	}
	return out
}

func hasPassage(list []rank.Candidate, c rank.Candidate) bool {
	return slices.ContainsFunc(list, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID })
}
