package command

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/eval"
)

// newEvalResearch puts questions to deep research and measures the reports.
func newEvalResearch(env *Env, flags *Flags) *cobra.Command {
	f := &askFlags{mode: "deep", quiet: true}
	var opt eval.ResearchOptions
	cmd := &cobra.Command{Use: "research [FILE...]", Short: "Research the questions of files in depth, or those of a made-up world, and measure the reports"}
	p := cmd.Flags()
	p.StringArrayVar(&f.files, "files", nil, "answer from this `file or folder`; may be repeated")
	p.BoolVar(&f.offline, "offline", false, "no connection beyond this computer")
	p.StringVar(&f.focus, "focus", "", "as in footnote ask")
	p.StringVar(&f.submode, "submode", "", "as in footnote ask")
	p.StringVar(&f.chat, "model", "", "as in footnote ask")
	p.StringVar(&f.system, "system", "", "as in footnote ask")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked of a file; 0 = all")
	p.IntVar(&opt.AtOnce, "at-once", 1, "questions at the same time")
	p.StringVar(&opt.ScoresFile, "scores", "", "write what became of each question, one JSON object a line")
	p.BoolVar(&f.json, "json", false, "print one JSON object a line")
	world := eval.ReportOptions{Seed: 1}
	p.StringVar(&world.Sheet, "world", "main", "without files: who wrote the world, main or aside")
	p.Uint64Var(&world.Seed, "seed", 1, "and what chooses its names and numbers")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			world.Limit, world.ScoresFile = opt.Limit, opt.ScoresFile
			return evalReports(cmd.Context(), env, *flags, f, world)
		}
		return withTemporaryHouse(cmd.Context(), env, *flags, "", func(ctx context.Context, h *House) error {
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

// evalReports measures the reports on a world of the project's own.
func evalReports(ctx context.Context, env *Env, flags Flags, f *askFlags, opt eval.ReportOptions) error {
	opt.Over = func(ctx context.Context, base, folder string, use func(eval.Reporting) error) error {
		flags := flags
		if base != "" {
			flags.Set = append(slices.Clone(flags.Set), "web.engines=searxng", "web.keyless=never", "web.searxng.url="+base, "privacy.allowed_private_origins="+base)
		}
		return withTemporaryHouse(ctx, env, flags, "", func(ctx context.Context, h *House) error {
			asked := *f
			if asked.focus, asked.offline = "web", false; folder != "" {
				asked.focus, asked.offline, asked.files = "", true, []string{folder}
			}
			q, err := (&asking{env: env, flags: &asked}).question(ctx, h, "?")
			if err != nil {
				return err
			}
			return use(func(ctx context.Context, question string, mode contract.SubMode) (contract.Answer, error) {
				m := measured{h.Engine, h.DB, q}
				m.like.SubMode = mode
				return m.Ask(ctx, question)
			})
		})
	}
	rows, err := eval.Reports(ctx, opt)
	return errors.Join(printRows(env, f.json, rows), unreadable(err))
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
