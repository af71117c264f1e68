package research

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
	"footnote/backend/research/copies"
	"footnote/backend/research/report"
	"footnote/backend/research/sentences"
	"footnote/backend/research/sides"
)

// report writes what was found, section by section, with its sources numbered
// once, and has it checked like any other answer.
func (r *research) report(ctx context.Context) (contract.Answer, error) {
	explored := report.OnePerQuestion(r.study.Productive())
	r.p.Tell.Begin(contract.StageSynthesis)
	r.p.Tell.UnsayTo(0) // what an earlier process had written
	r.p.Selection.Chosen = r.evidence(ctx, explored)
	if len(r.p.Selection.Chosen) == 0 {
		return r.p.NothingFound(ctx), nil
	}
	r.readOf(ctx, r.p, r.p.Selection.Chosen) // an earlier process may have read them
	explored = r.withoutCopies(explored)
	if err := r.p.Number(ctx); err != nil {
		return contract.Answer{}, err
	}
	r.p.Tell.InPhase(journal.PhaseAnswer)
	pictures := r.p.FetchPictures(ctx)
	written, err := report.Write(ctx, report.Input{
		Run: r, Pipeline: r.p, Study: r.soFar(), Explored: explored, Subject: r.subject, Calls: r.calls, Vectors: r.vectors, Asked: &r.remembers.asked, Limit: r.hardLimit(),
	})
	if err != nil {
		return contract.Answer{}, err
	}
	r.p.Tell.Timing.Compose = r.p.Tell.Finish(len(r.p.Selection.Chosen), written.Sections)
	if written.Outcome == contract.NoEvidence {
		return r.p.NothingFound(ctx), nil
	}
	followUps := r.chips(explored)
	r.p.Tell.Emit(contract.FollowUps{Questions: plain.Full(followUps)})
	c := r.p.Check(ctx, written.Text)
	r.p.AddPictures(pictures)
	a := r.p.Conclude(c.Text, written.Outcome, c.Citations, c.Report, followUps)
	a.Disagreements = append(a.Disagreements, untold(written.Disagreements, a.Disagreements)...)
	a.Research = r.told(explored, written.Topics)
	return a, ctx.Err()
}

// evidence is all that the report may cite, the best of each dimension first.
// What was read twice under one address counts as it was first read.
func (r *research) evidence(ctx context.Context, explored []contract.Explored) []rank.Candidate {
	var all []rank.Candidate
	for i := range report.MostEvidence * max(1, r.p.Task.Settings.Deep.Passes) {
		for _, x := range explored {
			if i < len(x.Evidence) {
				all = append(all, x.Evidence[i])
			}
		}
	}
	if len(all) == 0 {
		all = r.unextracted(ctx)
	}
	r.learnProducts(all)
	all = append(all, r.onSubject(ctx, all)...)
	return r.onePerText(r.texts(onePerAddress(all)))
}

// texts are candidates without what another form of the same text says, and without those
// that state nothing, as the index of a search.
func (r *research) texts(all []rank.Candidate) []rank.Candidate {
	all = slices.DeleteFunc(all, func(c rank.Candidate) bool { return c.Local() && sentences.IsListing(c.Passage.Text) })
	return copies.Without(copies.Of(all, r.subject.Year), all)
}

// withoutCopies leaves out what another form of the same text says, of what may be cited
// and of each dimension.
func (r *research) withoutCopies(explored []contract.Explored) []contract.Explored {
	all := slices.Clone(r.p.Selection.Chosen)
	for _, x := range explored {
		all = append(all, x.Evidence...)
	}
	copied := copies.Of(all, r.subject.Year)
	r.p.Selection.Chosen = copies.Without(copied, r.p.Selection.Chosen)
	for i := range explored {
		explored[i].Evidence = copies.Without(copied, explored[i].Evidence)
	}
	return explored
}

// unextracted is the best of what was found when no dimension came to an end: a
// reader who wants the answer now gets it from that.
func (r *research) unextracted(ctx context.Context) []rank.Candidate {
	b := r.p.Branch(r.p.Plan.Standalone)
	b.Evidence.Leads, b.Evidence.Found, b.Evidence.Documents = r.p.Evidence.Leads, r.p.Evidence.Found, r.p.Evidence.Documents
	for _, x := range r.study.Done {
		b.Selection.Pool = append(b.Selection.Pool, x.Evidence...)
	}
	if len(b.Evidence.Leads)+len(b.Evidence.Found) == 0 {
		b.Evidence.Leads = r.study.Warm
	}
	ranked := rank.Rank(r.p.Plan.Standalone, b.Pool(ctx), r.p.Plan.RankBy, r.p.Tell.Now(), r.p.Task.RankOptions())
	ranked = rank.DedupAbove(append(b.Selection.Pool, ranked...), r.p.Task.Settings.Rank.Jaccard)
	return rank.Balance(ranked, report.MostEvidence, r.p.Task.Settings.Rank.Floor)
}

// onePerAddress leaves out repeats, and other readings of an address.
func onePerAddress(all []rank.Candidate) []rank.Candidate {
	read := map[string]rank.Candidate{}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c rank.Candidate) bool {
		at := rank.NormalizeURL(c.Source.Address)
		first, known := read[at]
		if !known {
			read[at] = c
		}
		id := string(c.Passage.ID)
		again := seen[id] || known && first.Source.ID != c.Source.ID
		seen[id] = true
		return again
	})
}

// untold are the disagreements that are not among those told already.
func untold(all, told []contract.Disagreement) []contract.Disagreement {
	return slices.DeleteFunc(all, func(d contract.Disagreement) bool {
		return slices.ContainsFunc(told, func(o contract.Disagreement) bool { return hasSides(o, d) })
	})
}

// hasSides reports whether a disagreement has all sides of another.
func hasSides(o, d contract.Disagreement) bool {
	return !slices.ContainsFunc(d.Sides, func(s contract.Side) bool {
		return !slices.ContainsFunc(o.Sides, func(t contract.Side) bool { return t.Source == s.Source && t.Quote == s.Quote })
	})
}

// Wrote implements report.Run.
func (r *research) Wrote(ctx context.Context, section contract.SectionDraft, whole bool, took time.Duration, used llm.Usage) {
	r.mu.Lock()
	r.p.Tell.CountIn(journal.PhaseAnswer, took, &r.p.Tell.Usage.Chat, r.p.Models.Chat.Name, used)
	if whole {
		r.study.Drafts = append(r.study.Drafts, section)
	}
	r.mu.Unlock()
	if whole {
		r.keepStudy(ctx)
	}
}

// onePerText leaves out passages that nearly repeat an earlier one: copies of a
// page under another address.
func (r *research) onePerText(all []rank.Candidate) []rank.Candidate {
	return rank.DedupAbove(all, r.p.Task.Settings.Rank.Jaccard)
}

var relatedSchema = json.RawMessage(`{"type":"object","properties":{"topics":{"type":"array","items":{"type":"string"},"minItems":3,"maxItems":5}},"required":["topics"]}`)

const mostRelated = 5

// Related are topics beside the question: by the system model, else what stayed
// open and what the first search found besides.
func (r *research) Related(ctx context.Context) []string {
	var said struct {
		Topics []string `json:"topics"`
	}
	asked := r.coverage() + "\n\nQuestion: " + plain.OneLine(r.p.Plan.Standalone, 1000)
	if !r.p.Tell.CutShort() {
		_ = r.calls.Consult(ctx, calls.Request{Phase: journal.PhaseAnswer, Purpose: "related", Template: "deep_related", Asked: asked, Schema: relatedSchema, Tokens: 300}, &said) // which has logged it; the rules stand in
	}
	topics, side := said.Topics, func(q string) bool { return sides.Is(r.code(), q) }
	if s := r.soFar(); len(topics) < 3 {
		topics = append(topics, slices.DeleteFunc(slices.Clone(s.Gaps), side)...)
		topics = append(topics, slices.DeleteFunc(s.Unproductive(), func(q string) bool { return side(q) || q == r.p.Plan.Standalone })...)
		for _, l := range s.Warm {
			if title := strings.Trim(evidence.WithoutOrders(l.Source.Title), "[]. "); !slices.Contains(s.Dimensions, title) {
				topics = append(topics, title)
			}
		}
	}
	topics = answer.CleanList(topics, mostRelated, 120)
	for i := range topics {
		topics[i] = plain.EscapeMarkdown(topics[i])
	}
	return topics
}
