package command

import (
	"context"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/eval"
)

// newEvalConflicts measures what is said where documents disagree, without a model.
func newEvalConflicts(env *Env, flags *Flags) *cobra.Command {
	var opt eval.ConflictOptions
	cmd := &cobra.Command{Use: "conflicts FILE...", Short: "Ask questions over documents that disagree, and over some that do not", Args: atLeast(1, "at least one file of questions with their documents")}
	cmd.Flags().StringVar(&opt.Part, "part", "test", "documents, by their names: test, train or all")
	cmd.Flags().IntVar(&opt.Limit, "limit", 0, "questions asked of a file; 0 = all")
	scores(cmd, &opt.ScoresFile, "what became of each question")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.ConflictRow, error) {
		if err := oneOf("part", opt.Part, "test", "train", "all"); err != nil {
			return nil, err
		}
		opt.Over = func(ctx context.Context, files string, use func(eval.Folders) error) error {
			f := &askFlags{files: []string{files}, offline: true, quiet: true}
			return withMeasured(ctx, env, *flags, f, func(_ context.Context, m measured) error { return use(m) })
		}
		rows, err := eval.Conflicts(ctx, paths, opt)
		return rows, unreadable(err)
	})
}

// In is the program over one folder of its library.
func (m measured) In(folder string) eval.Program {
	m.like.Scope = contract.Scope{Folders: []string{folder}}
	return m
}

var _ eval.Folders = measured{}
