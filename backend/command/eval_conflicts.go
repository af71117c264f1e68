package command

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/eval"
	"footnote/backend/fault"
)

// newEvalConflicts measures what is said where documents disagree, without a model.
func newEvalConflicts(env *Env, flags *Flags) *cobra.Command {
	opt := eval.ConflictOptions{}
	var asJSON bool
	cmd := &cobra.Command{Use: "conflicts FILE...", Short: "Ask questions over documents that disagree, and over some that do not", Args: atLeast(1, "at least one file of questions with their documents")}
	p := cmd.Flags()
	p.StringVar(&opt.Part, "part", "test", "documents, by their names: test, train or all")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked of a file; 0 = all")
	p.StringVar(&opt.ScoresFile, "scores", "", "write what became of each question, one JSON object a line")
	p.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains([]string{"test", "train", "all"}, opt.Part) {
			return fault.New(fault.InvalidRequest, "There is no part "+opt.Part+".", "Use test, train or all.")
		}
		opt.Over = func(ctx context.Context, files string, use func(eval.Folders) error) error {
			return withTemporaryHouse(ctx, env, *flags, func(ctx context.Context, h *House) error {
				f := &askFlags{files: []string{files}, offline: true, quiet: true}
				q, err := (&asking{env: env, flags: f}).question(ctx, h, "?")
				if err != nil {
					return err
				}
				return use(measured{h.Engine, h.DB, q})
			})
		}
		rows, err := eval.Conflicts(cmd.Context(), absolute(env.Dir, args), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}

// In is the program over one folder of its library.
func (m measured) In(folder string) eval.Program {
	m.like.Scope = contract.Scope{Folders: []string{folder}}
	return m
}

var _ eval.Folders = measured{}
