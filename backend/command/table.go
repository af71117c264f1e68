package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/export"
	"footnote/backend/library"
	"footnote/backend/plain"
	"footnote/backend/table"
)

type tableFlags struct {
	questions []string
	csv, xlsx string
	json      bool
	force     bool
}

func newTable(env *Env, flags *Flags) *cobra.Command {
	f := &tableFlags{}
	cmd := &cobra.Command{
		Use:   "table FILE... --ask QUESTION...",
		Short: "Ask each file the same questions: a table of quotations, without a model",
		Args:  atLeast(1, "at least one file or folder"),
		PreRunE: func(*cobra.Command, []string) error {
			if len(f.questions) == 0 {
				return usage("name at least one question with --ask")
			}
			return nil
		},
	}
	p := cmd.Flags()
	p.StringArrayVar(&f.questions, "ask", nil, "a `question`, a column; may be repeated")
	p.StringVar(&f.csv, "csv", "", "write the table to this `file`, with links to the passages")
	p.StringVar(&f.xlsx, "xlsx", "", "write the table to this `file` as a workbook, with links to the passages")
	p.BoolVar(&f.json, "json", false, "print one JSON object")
	p.BoolVar(&f.force, "force", false, "read files and folders of the system too")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		t, err := f.table(ctx, env, h, args)
		if err == nil {
			err = f.fill(ctx, env, h, &t)
		}
		if err != nil {
			return err
		}
		return f.write(env, t)
	})
	return cmd
}

// table reads the files and makes a row of each that has text.
func (f *tableFlags) table(ctx context.Context, env *Env, h *House, args []string) (table.Table, error) {
	t := table.Table{Files: []table.File{}, Questions: f.questions, Cells: []table.Cell{}}
	out := &asking{env: env, flags: &askFlags{force: f.force, quiet: f.json}}
	scope, err := out.attach(ctx, h, absolute(env.Dir, args))
	if err != nil {
		return t, err
	}
	files, err := filesOf(ctx, h, scope)
	for _, file := range files {
		t.Files = append(t.Files, table.File{ID: file.ID, Path: file.Path})
	}
	if err != nil {
		return t, err
	}
	return t, t.Check()
}

// filesOf are the readable files of a scope, by their paths.
func filesOf(ctx context.Context, h *House, scope contract.Scope) ([]library.File, error) {
	q := library.FileQuery{Under: slices.Concat(scope.Files, scope.Folders), States: []library.State{library.Ready}, Unlisted: true}
	files, _, err := h.Library.Files(ctx, q)
	slices.SortFunc(files, func(a, b library.File) int { return strings.Compare(a.Path, b.Path) })
	return files, err
}

// fill asks the questions and shows the cells as they come.
func (f *tableFlags) fill(ctx context.Context, env *Env, h *House, t *table.Table) error {
	for cell := range t.Fill(ctx, h.Engine, h.Engine.Defaults()) {
		t.Cells = append(t.Cells, cell)
		if f.json || f.csv != "" || f.xlsx != "" {
			continue
		}
		fmt.Fprintf(env.Stdout, "%s — %s\n  %s\n", safeLine(filepath.Base(t.Files[cell.Row].Path)), safeLine(t.Questions[cell.Column]), safeLine(export.CellText(cell)))
		if link := export.CellLink(cell); link != "" {
			fmt.Fprintf(env.Stdout, "  %s\n", link)
		}
	}
	slices.SortFunc(t.Cells, func(a, b table.Cell) int { return (a.Row-b.Row)*len(t.Questions) + a.Column - b.Column })
	return ctx.Err()
}

// write puts the table into the files that were named.
func (f *tableFlags) write(env *Env, t table.Table) error {
	if f.json {
		return printJSON(env.Stdout, t)
	}
	for _, form := range []struct {
		path  string
		write func(table.Table) ([]byte, error)
	}{{f.csv, export.TableCSV}, {f.xlsx, export.TableXLSX}} {
		if form.path == "" {
			continue
		}
		body, err := form.write(t)
		if err != nil {
			return err
		}
		path := absolute(env.Dir, []string{form.path})[0]
		if err := writeNew(path, body); err != nil {
			return err
		}
		say(env, "Written: %s (%s)", path, plain.Bytes(int64(len(body))))
	}
	return nil
}
