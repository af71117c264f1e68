package command

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"footnote/backend/eval"
	"footnote/backend/fault"
)

// newEvalAnswering measures what is answered, what is refused and how sure the
// answers are, without a model.
func newEvalAnswering(env *Env, flags *Flags) *cobra.Command {
	opt := eval.AnsweringOptions{}
	var asJSON bool
	cmd := &cobra.Command{Use: "answering DIR", Short: "Ask the questions of labelled sets, some of which nothing answers", Args: exactArgs(1, "one folder with passages/, languages/ or tables/")}
	p := cmd.Flags()
	p.StringVar(&opt.Part, "part", "test", "documents, by their names: test, train or all")
	p.StringArrayVar(&opt.Only, "only", nil, "only this set; may be repeated")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked of a set; 0 = all")
	p.StringVar(&opt.ScoresFile, "scores", "", "write what became of each question, one JSON object a line")
	p.StringVar(&opt.LearnDir, "learn", "", "write what the scorer is trained with to this folder")
	p.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains([]string{"test", "train", "all"}, opt.Part) {
			return fault.New(fault.InvalidRequest, "There is no part "+opt.Part+".", "Use test, train or all.")
		}
		opt.Over = func(ctx context.Context, files string, use func(eval.Program) error) error {
			f := &askFlags{files: []string{files}, offline: true, quiet: true}
			return withTemporaryHouse(ctx, env, *flags, func(ctx context.Context, h *House) error {
				q, err := (&asking{env: env, flags: f}).question(ctx, h, "?")
				if err != nil {
					return err
				}
				return use(measured{h.Engine, h.DB, q})
			})
		}
		rows, err := eval.Answering(cmd.Context(), filepath.Clean(absolute(env.Dir, args)[0]), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}
