package command

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"footnote/backend/eval"
	"footnote/backend/fault"
)

// newEvalDocuments reads files as the library does and compares their words with
// references.
func newEvalDocuments(env *Env, flags *Flags) *cobra.Command {
	var opt eval.DocumentOptions
	var asJSON bool
	cmd := &cobra.Command{Use: "documents DIR...", Short: "Read the files of manifest.jsonl and compare them with their references", Args: atLeast(1, "at least one folder")}
	cmd.Flags().StringVar(&opt.ScoresFile, "scores", "", "write what became of each file, one JSON object a line")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withTemporaryHouse(cmd.Context(), env, *flags, func(ctx context.Context, h *House) error {
			opt.Extract = h.Library.Extract
			rows, err := eval.Documents(ctx, absolute(env.Dir, args), opt)
			return errors.Join(printRows(env, asJSON, rows), unreadable(err))
		})
	}
	return cmd
}

// newEvalPages measures how the article of a page is found.
func newEvalPages(env *Env) *cobra.Command {
	var opt eval.PageOptions
	var asJSON bool
	cmd := &cobra.Command{Use: "pages DIR...", Short: "Read web pages and compare them with what people marked", Args: atLeast(1, "at least one folder")}
	p := cmd.Flags()
	p.StringVar(&opt.Method, "method", "footnote", "footnote, readability or all")
	p.StringVar(&opt.ScoresFile, "scores", "", "write the score of each page, one JSON object a line")
	p.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains([]string{"footnote", "readability", "all"}, opt.Method) {
			return fault.New(fault.InvalidRequest, "There is no method "+opt.Method+".", "Use footnote, readability or all.")
		}
		rows, err := eval.Pages(cmd.Context(), absolute(env.Dir, args), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}
