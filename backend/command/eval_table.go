package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/eval"
	"footnote/backend/table"
)

// newEvalTable measures how many filled cells of an evidence table are right.
func newEvalTable(env *Env, flags *Flags) *cobra.Command {
	var opt eval.TableOptions
	cmd := &cobra.Command{Use: "table DIR", Short: "Fill cells of tables whose answers people labelled; choose the threshold on one half", Args: exactArgs(1, "one folder with tables/")}
	cmd.Flags().IntVar(&opt.Files, "files", 60, "rows")
	cmd.Flags().IntVar(&opt.Questions, "questions", 8, "columns")
	scores(cmd, &opt.ScoresFile, "what became of each cell")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.TableRow, error) {
		opt.Over = func(ctx context.Context, files string, use func(eval.Filler) error) error {
			return withTemporaryHouse(ctx, env, *flags, "", func(ctx context.Context, h *House) error {
				scope, err := (&asking{env: env, flags: &askFlags{quiet: true}}).attach(ctx, h, []string{files})
				if err != nil {
					return err
				}
				return use(filler{h, scope})
			})
		}
		rows, err := eval.Table(ctx, filepath.Clean(paths[0]), opt)
		return rows, unreadable(err)
	})
}

// filler fills cells in a house.
type filler struct {
	house *House
	scope contract.Scope
}

// Fill implements eval.Filler.
func (f filler) Fill(ctx context.Context, file string, questions []string) ([]table.Cell, error) {
	files, err := filesOf(ctx, f.house, f.scope)
	if err != nil {
		return nil, err
	}
	t := table.Table{Questions: questions}
	for _, each := range files {
		if filepath.Base(each.Path) == file {
			t.Files = []table.File{{ID: each.ID, Path: each.Path}}
		}
	}
	if len(t.Files) == 0 {
		return nil, fmt.Errorf("%s was not read", file)
	}
	return slices.Collect(t.Fill(ctx, f.house.Engine, f.house.Engine.Defaults())), ctx.Err()
}

// Opens implements eval.Filler.
func (f filler) Opens(ctx context.Context, c table.Cell) bool {
	passage, _, err := f.house.DB.Passage(ctx, c.Passage)
	return err == nil && strings.Contains(passage.Text, c.Quote)
}
