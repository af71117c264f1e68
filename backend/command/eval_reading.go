package command

import (
	"context"

	"github.com/spf13/cobra"

	"footnote/backend/eval"
)

// newEvalDocuments reads files as the library does and compares their words with
// references.
func newEvalDocuments(env *Env, flags *Flags) *cobra.Command {
	var opt eval.DocumentOptions
	cmd := &cobra.Command{Use: "documents DIR...", Short: "Read the files of manifest.jsonl and compare them with their references", Args: atLeast(1, "at least one folder")}
	scores(cmd, &opt.ScoresFile, "what became of each file")
	return measuring(env, cmd, func(ctx context.Context, paths []string) (rows []eval.DocumentRow, err error) {
		err = withTemporaryHouse(ctx, env, *flags, "", func(ctx context.Context, h *House) (err error) {
			opt.Extract = h.Library.Extract
			rows, err = eval.Documents(ctx, paths, opt)
			return unreadable(err)
		})
		return rows, err
	})
}

// newEvalPages measures how the article of a page is found.
func newEvalPages(env *Env) *cobra.Command {
	var opt eval.PageOptions
	cmd := &cobra.Command{Use: "pages DIR...", Short: "Read web pages and compare them with what people marked", Args: atLeast(1, "at least one folder")}
	cmd.Flags().StringVar(&opt.Method, "method", "footnote", "footnote, readability or all")
	scores(cmd, &opt.ScoresFile, "the score of each page")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.PageRow, error) {
		if err := oneOf("method", opt.Method, "footnote", "readability", "all"); err != nil {
			return nil, err
		}
		rows, err := eval.Pages(ctx, paths, opt)
		return rows, unreadable(err)
	})
}
