package store

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/store/sqlite"
)

// Repair takes the runs out of a thread that have no answer to show: broken off,
// failed or damaged. Runs in progress must be stopped first. Damaged records
// stay aside. It returns how many runs went; an unknown thread is fault
// not-found.
func (d *DB) Repair(ctx context.Context, thread contract.ThreadID) (int, error) {
	before, err := d.Thread(ctx, thread) // sets damaged records aside
	if err != nil {
		return 0, err
	}
	gone := 0
	err = d.write(ctx, "repair thread", func(tx *sqlite.Tx) error {
		for _, run := range before.Items {
			if run.Status != contract.Running && run.Status != contract.Failed {
				continue
			}
			if err := d.noteDeleted("runs", string(run.ID)); err != nil {
				return err
			}
			result, err := tx.ExecContext(ctx, `DELETE FROM runs WHERE id = ?`, run.ID)
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			gone += int(n)
		}
		return nil
	})
	return gone, err
}
