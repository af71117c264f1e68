package selection

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

const (
	reranked    = 20 // passages that a model orders
	rerankChars = 700
	rerankTime  = 15 * time.Second
)

// rerank has the model of models.rerank order the best candidates. Whatever goes
// wrong leaves the computed order, and is said.
func (s *Selector) rerank(ctx context.Context, cands []rank.Candidate) []rank.Candidate {
	want := s.Task.Settings.Models.Rerank
	if want == "" || want == "none" || len(cands) < 2 {
		return cands
	}
	top := cands[:min(len(cands), reranked)]
	m, err := s.Deps.Models.Resolve(ctx, want)
	if err != nil || m.Model == nil {
		s.notReranked(want, err)
		return cands
	}
	if (s.Task.RecallsFiles() || slices.ContainsFunc(top, rank.Candidate.Local)) && s.Deps.MayNotSee(ctx, m) {
		s.Tell.Notice(contract.Notice{Code: "rerank-withheld", Level: "info", Action: "allow-cloud:" + m.Provider,
			Message: m.Name + " orders passages beyond this computer and was sent no text of files. Allow it once: footnote models allow " + m.Provider + "."})
		return cands
	}
	order, err := s.askOrder(ctx, m, top)
	if len(order) == 0 {
		s.notReranked(m.Name, err)
		return cands
	}
	return inOrder(cands, order)
}

func (s *Selector) notReranked(model string, err error) {
	s.Tell.Log.Warn("passages were not reranked", "model", model, "err", err)
	s.Tell.Notice(contract.Notice{Code: "rerank-failed", Level: "info", Message: "The passages keep their computed order, because " + model + " did not order them."})
}

// askOrder asks a model for the order of candidates, as their places.
func (s *Selector) askOrder(ctx context.Context, m llm.ResolvedModel, top []rank.Candidate) ([]int, error) {
	timed, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "rerank"), rerankTime)
	defer cancel()
	sent := make([]evidence.PassageID, len(top))
	for i, c := range top {
		sent[i] = c.Passage.ID
	}
	said, usage, err := llm.Complete(privacy.Carrying(timed, sent...), m, llm.Call{Messages: rerankMessages(s.Plan.Standalone, top), MaxTokens: 200, Purpose: "rerank"})
	s.Tell.Count(&s.Tell.Usage.System, cmp.Or(s.Models.System.Name, m.Name), usage)
	return parseOrder(said, len(top)), err
}

func rerankMessages(question string, top []rank.Candidate) []llm.Message {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n", plain.OneLine(question, 1000))
	for i, c := range top {
		fmt.Fprintf(&b, "\n[%d] %s\n%s\n", i+1, plain.OneLine(c.Source.Title, 200), plain.OneLine(c.Passage.Text, rerankChars))
	}
	return []llm.Message{{Author: llm.System, Text: prompts.Fill("rerank")}, {Author: llm.User, Text: b.String()}}
}

// parseOrder reads the places of a reply, from 0. What was not asked about, and
// what is named twice, is left out.
func parseOrder(said string, n int) (order []int) {
	for value := range llm.Values(said) {
		var numbers []int
		if json.Unmarshal([]byte(value), &numbers) != nil {
			continue
		}
		for _, number := range numbers {
			if at := number - 1; at >= 0 && at < n && !slices.Contains(order, at) {
				order = append(order, at)
			}
		}
		if len(order) > 0 {
			return order
		}
	}
	return nil
}

// inOrder puts the named places first; the others follow as they were.
func inOrder(cands []rank.Candidate, order []int) []rank.Candidate {
	out := make([]rank.Candidate, 0, len(cands))
	for _, at := range order {
		out = append(out, cands[at])
	}
	for i, c := range cands {
		if !slices.Contains(order, i) {
			out = append(out, c)
		}
	}
	for i := range out {
		out[i].After = i + 1
	}
	return out
}
