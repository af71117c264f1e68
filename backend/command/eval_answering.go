package command

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"footnote/backend/eval"
)

// newEvalAnswering measures what is answered, what is refused and how sure the
// answers are, without a model.
func newEvalAnswering(env *Env, flags *Flags) *cobra.Command {
	var opt eval.AnsweringOptions
	cmd := &cobra.Command{Use: "answering DIR", Short: "Ask the questions of labelled sets, some of which nothing answers", Args: exactArgs(1, "one folder with passages/, languages/ or tables/")}
	p := cmd.Flags()
	p.StringVar(&opt.Part, "part", "test", "documents, by their names: test, train or all")
	p.StringArrayVar(&opt.Only, "only", nil, "only this `set`; may be repeated")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked of a set; 0 = all")
	p.StringVar(&opt.LearnDir, "learn", "", "write what the scorer is trained with to this folder")
	scores(cmd, &opt.ScoresFile, "what became of each question")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.AnsweringRow, error) {
		if err := oneOf("part", opt.Part, "test", "train", "all"); err != nil {
			return nil, err
		}
		opt.Over = func(ctx context.Context, files string, use func(eval.Program) error) error {
			f := &askFlags{files: []string{files}, offline: true, quiet: true}
			return withMeasured(ctx, env, *flags, f, func(_ context.Context, m measured) error { return use(m) })
		}
		rows, err := eval.Answering(ctx, filepath.Clean(paths[0]), opt)
		return rows, unreadable(err)
	})
}
