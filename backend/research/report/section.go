package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"footnote/backend/answer/prompts"
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
	for i, x := range w.Explored {
		if s.about == nil || s.asks == "" || s.about[0] == i {
			notes = append(notes, "- "+x.Question+": "+plain.OneLine(cmp.Or(x.Summary, x.KeyFinding), 600))
		}
	}
	for _, c := range rank.PromptOrder(kept) {
		blocks = append(blocks, prompts.EvidenceBlock(w.Pipeline.Selection.Numbers[c.Source.ID], c, ""))
	}
	var b strings.Builder
	if len(notes) > 0 {
		b.WriteString(calls.Quotation("Notes on what was found", calls.Fit(strings.Join(notes, "\n"), notesRoom)) + "\n\n")
	}
	b.WriteString(calls.Quotation("Passages", strings.Join(blocks, "\n\n")) + "\n\n")
	b.WriteString("Section: " + s.title + "\nWhat belongs in it: " + s.task + "\nLength: " + fmt.Sprintf("about %d words", s.words) + "\n\n")
	if s.asks != "" {
		b.WriteString("The section is part of a report on: " + plain.OneLine(w.Pipeline.Plan.Standalone, 500) + "\n")
	}
	b.WriteString("Question: " + plain.OneLine(cmp.Or(s.asks, w.Pipeline.Plan.Standalone), 1000))
	return []llm.Message{{Author: llm.System, Text: prompts.Fill("deep_report", prompts.Voice(w.Pipeline.Task.Question)...)}, {Author: llm.User, Text: b.String()}}
}

func idsOf(cands []rank.Candidate) []evidence.PassageID {
	var ids []evidence.PassageID
	for _, c := range cands {
		ids = append(ids, c.Passage.ID)
	}
	return ids
}

// passagesFor are the best passages of the dimensions that a section is about, in
// turn.
func (w *reporter) passagesFor(s section) []rank.Candidate {
	var lists [][]rank.Candidate
	for i, x := range w.Explored {
		if s.about == nil || slices.Contains(s.about, i) {
			lists = append(lists, x.Evidence)
		}
	}
	if len(lists) == 0 {
		lists = [][]rank.Candidate{w.Pipeline.Selection.Chosen}
	}
	var out []rank.Candidate
	for i := range MostEvidence {
		for _, list := range lists {
			if i < len(list) && len(out) < w.Pipeline.Task.Settings.Rank.MaxPassages && w.Pipeline.Selection.Numbers[list[i].Source.ID] > 0 && !hasPassage(out, list[i]) {
				out = append(out, list[i])
			}
		}
	}
	return out
}

func hasPassage(list []rank.Candidate, c rank.Candidate) bool {
	return slices.ContainsFunc(list, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID })
}
