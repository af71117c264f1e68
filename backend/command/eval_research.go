package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/eval"
)

// newEvalResearch puts questions to deep research and measures the reports.
func newEvalResearch(env *Env, flags *Flags) *cobra.Command {
	f := &askFlags{mode: "deep", quiet: true}
	var opt eval.ResearchOptions
	cmd := &cobra.Command{Use: "research FILE...", Short: "Research the questions of files in depth and measure the reports", Args: atLeast(1, "at least one file of questions, or folder with queries.jsonl and qrels.tsv")}
	p := cmd.Flags()
	p.StringArrayVar(&f.files, "files", nil, "answer from these files and folders")
	p.BoolVar(&f.offline, "offline", false, "no connection beyond this computer")
	p.StringVar(&f.focus, "focus", "", "as in footnote ask")
	p.StringVar(&f.submode, "submode", "", "as in footnote ask")
	p.StringVar(&f.chat, "model", "", "as in footnote ask")
	p.StringVar(&f.system, "system", "", "as in footnote ask")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked of a file; 0 = all")
	p.IntVar(&opt.AtOnce, "at-once", 1, "questions at the same time")
	p.StringVar(&opt.ScoresFile, "scores", "", "write what became of each question, one JSON object a line")
	p.BoolVar(&f.json, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withTemporaryHouse(cmd.Context(), env, *flags, func(ctx context.Context, h *House) error {
			q, err := (&asking{env: env, flags: f}).question(ctx, h, "?")
			if err != nil {
				return err
			}
			deep := h.Engine.Settings().Deep
			opt.SubMode, opt.Minutes, opt.Turns, opt.WordsMin, opt.WordsMax = q.SubMode, deep.Minutes, deep.Turns, deep.WordsMin, deep.WordsMax
			rows, err := eval.Research(ctx, absolute(env.Dir, args), measured{h.Engine, h.DB, q}, opt)
			return errors.Join(printRows(env, f.json, rows), unreadable(err))
		})
	}
	return cmd
}

// Research puts one question to its end and gives all events of the run.
func (m measured) Research(ctx context.Context, question string) (contract.Answer, []contract.Event, error) {
	run, err := m.put(ctx, question)
	if err != nil {
		return contract.Answer{}, nil, err
	}
	var events []contract.Event
	for ev, err := range m.engine.Follow(ctx, run.ID, 0) {
		if err != nil {
			return contract.Answer{}, events, err
		}
		events = append(events, ev)
	}
	a, err := answerOf(events[len(events)-1])
	return a, events, err
}

var _ eval.Researcher = measured{}
