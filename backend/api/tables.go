package api

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"footnote/backend/export"
	"footnote/backend/fault"
	"footnote/backend/table"
)

// TableView is an evidence table. Lists leave its cells out.
type TableView struct {
	ID        string       `json:"id"`
	Title     string       `json:"title"`
	Made      time.Time    `json:"made"`
	Paused    bool         `json:"paused"`
	Filled    int          `json:"filled"` // cells that were asked
	Files     []table.File `json:"files"`
	Questions []string     `json:"questions"`
	Cells     []table.Cell `json:"cells"`
}

func tableView(t table.Kept) TableView {
	return TableView{t.ID, t.Title, t.Made, t.Paused, t.Filled, t.Files, t.Questions, append([]table.Cell{}, t.Cells...)}
}

// TableChange names an evidence table, its columns and what becomes its rows: ids
// of files, paths in the library, or a collection by id or name. In a change nil
// questions and an empty title leave what there is, and files come to those of the
// table; Without takes files out, by id.
type TableChange struct {
	Title      string   `json:"title"`
	Files      []string `json:"files"`
	Folders    []string `json:"folders"`
	Collection string   `json:"collection"`
	Questions  []string `json:"questions"`
	Without    []string `json:"without"`
}

// Tables are the same questions asked of each of many files.
type Tables struct{ *Rooms }

// List lists them without their cells.
func (s Tables) List(ctx context.Context, _ None) (Page[TableView], error) {
	list, err := s.DB.Tables(ctx)
	views := make([]TableView, 0, len(list))
	for _, t := range list {
		views = append(views, tableView(t))
	}
	return PageOf(views, ""), err
}

// Get gives one with its cells.
func (s Tables) Get(ctx context.Context, in ID) (TableView, error) {
	t, err := s.DB.Table(ctx, in.ID, 0)
	return tableView(t), err
}

// kept are the tables, where any are kept.
func (s Tables) kept() (*table.Tables, error) {
	if s.Rooms.Tables == nil {
		return nil, fault.New(fault.NotFound, "No evidence tables are kept here.", "Make them with a library of your own.")
	}
	return s.Rooms.Tables, nil
}

// Add makes one, which is filled from then on.
func (s Tables) Add(ctx context.Context, in TableChange) (TableView, error) {
	rows, err := s.rows(ctx, in)
	if err != nil {
		return TableView{}, err
	}
	kept, err := s.kept()
	if err != nil {
		return TableView{}, err
	}
	t, err := kept.Add(ctx, in.Title, rows, in.Questions)
	return tableView(t), err
}

// ChangeTable names a table and what is changed of it.
type ChangeTable struct {
	ID   string `path:"id"`
	Body TableChange
}

// Change renames a table, gives it other columns or more rows.
func (s Tables) Change(ctx context.Context, in ChangeTable) (TableView, error) {
	rows, err := s.rows(ctx, in.Body)
	if err != nil {
		return TableView{}, err
	}
	kept, err := s.kept()
	if err != nil {
		return TableView{}, err
	}
	t, err := kept.Change(ctx, in.ID, func(t *table.Kept) {
		t.Title = cmp.Or(in.Body.Title, t.Title)
		t.Files = slices.DeleteFunc(append(t.Files, rows...), func(f table.File) bool { return slices.Contains(in.Body.Without, f.ID) })
		if in.Body.Questions != nil {
			t.Questions = in.Body.Questions
		}
	})
	return tableView(t), err
}

// rows are the files that a change names, by their paths.
func (s Tables) rows(ctx context.Context, in TableChange) ([]table.File, error) {
	members := slices.Concat(in.Files, in.Folders)
	if in.Collection != "" {
		c, err := s.Library.Collection(ctx, in.Collection)
		if err != nil {
			return nil, err
		}
		members = slices.Concat(members, c.Files, c.Folders)
	}
	files, err := s.Library.Members(ctx, members)
	var rows []table.File
	for _, f := range files {
		rows = append(rows, table.File{ID: f.ID, Path: f.Path})
	}
	return rows, err
}

// Remove deletes a table.
func (s Tables) Remove(ctx context.Context, in ID) (Nothing, error) {
	kept, err := s.kept()
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, kept.Drop(ctx, in.ID)
}

// Stop asks nothing more.
func (s Tables) Stop(ctx context.Context, in ID) (TableView, error) {
	kept, err := s.kept()
	if err != nil {
		return TableView{}, err
	}
	t, err := kept.Change(ctx, in.ID, func(t *table.Kept) { t.Paused = true })
	return tableView(t), err
}

// Fill goes on, and asks again what could not be read.
func (s Tables) Fill(ctx context.Context, in ID) (TableView, error) {
	kept, err := s.kept()
	if err != nil {
		return TableView{}, err
	}
	t, err := kept.Again(ctx, in.ID)
	return tableView(t), err
}

// TableEvent tells of a cell; done ends the stream.
type TableEvent struct {
	Table string      `json:"table"`
	Seq   int         `json:"seq"`
	Kind  string      `json:"kind"` // cell or done
	Body  *table.Cell `json:"body"` // null at the end
}

// Follow tells the cells of a table as they are filled.
func (s Tables) Follow(ctx context.Context, in EventsOf) (Stream, error) {
	if _, err := s.DB.Table(ctx, in.ID, in.After); err != nil {
		return nil, err
	}
	return func(ctx context.Context) iter.Seq2[Told, error] {
		return func(yield func(Told, error) bool) {
			last := in.After
			for c, err := range s.Rooms.Tables.Follow(ctx, in.ID, in.After) {
				last = c.Seq
				if !yield(Told{c.Seq, "cell", TableEvent{in.ID, c.Seq, "cell", &c}}, err) || err != nil {
					return
				}
			}
			if ctx.Err() == nil {
				yield(Told{last + 1, "done", TableEvent{in.ID, last + 1, "done", nil}}, nil)
			}
		}
	}, nil
}

// ExportTable names a table and the form in which it is taken away.
type ExportTable struct {
	ID     string `path:"id"`
	Format string `query:"format" says:"xlsx or csv"`
}

// Export writes a table as a workbook or as comma-separated values.
func (s Tables) Export(ctx context.Context, in ExportTable) (File, error) {
	t, err := s.DB.Table(ctx, in.ID, 0)
	if err != nil {
		return File{}, err
	}
	name := FileName(t.Title, "table")
	switch in.Format {
	case "", "xlsx":
		body, err := export.TableXLSX(t.Table)
		return File{name + ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body}, err
	case "csv":
		body, err := export.TableCSV(t.Table)
		return File{name + ".csv", "text/csv; charset=utf-8", body}, err
	}
	return File{}, fault.New(fault.InvalidRequest, "Tables are not written in this form.", "Use xlsx or csv.")
}
