package store

import (
	"context"
	"database/sql"

	"footnote/backend/answer/contract"
	"footnote/backend/library"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
	"footnote/backend/store/tally"
)

// RootCounts counts the files of a root; partly read ones count as ready.
func (d *DB) RootCounts(ctx context.Context, root string) (c records.Counts, err error) {
	err = d.counts.Read(ctx, d.r, func(all tally.Classes) {
		for class, sum := range all.Files[root] {
			if !class.Listed || library.State(class.State) == library.Removed {
				continue
			}
			c.Files += int(sum.N)
			switch library.State(class.State) {
			case library.Ready, library.Partial:
				c.Ready += int(sum.N)
			case library.Waiting:
				c.Waiting += int(sum.N)
			}
		}
	})
	return c, sqlite.Explain(err, "count files")
}

func (d *DB) dropFrom(ctx context.Context, tx *sqlite.Tx, thread contract.ThreadID, run contract.RunID) (sql.Result, error) {
	const later = `FROM runs WHERE thread = ?1 AND aside = 0 AND n >= (SELECT n FROM runs WHERE id = ?2 AND thread = ?1)`
	ids, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT id `+later, thread, run)
	if err == nil {
		err = d.noteDeleted("runs", ids...)
	}
	if err != nil {
		return nil, err
	}
	return tx.ExecContext(ctx, `DELETE `+later, thread, run)
}

// DropFrom takes a run and all later ones out of a thread.
func (d *DB) DropFrom(ctx context.Context, thread contract.ThreadID, run contract.RunID) error {
	err := d.write(ctx, "replace runs", func(tx *sqlite.Tx) error {
		return affected(d.dropFrom(ctx, tx, thread, run))
	})
	if err != nil {
		return err
	}
	return d.leaveNoTrace(ctx)
}
