package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
)

func open(t *testing.T) *Writer {
	t.Helper()
	db, err := Connect(filepath.Join(t.TempDir(), "a.db"), "&_txlock=immediate&_journal_mode=wal", 1)
	if err != nil {
		t.Fatal(err)
	}
	w := &Writer{DB: db}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestManyWritersWithNewStatementsDoNotBlockEachOther(t *testing.T) {
	w := open(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				err := w.Write(t.Context(), "write", func(tx *Tx) error {
					for k := range 3 { // some known to others, some new, more than are kept
						if _, err := tx.ExecContext(t.Context(), fmt.Sprintf(`UPDATE meta SET value = ? WHERE %d = %d`, k*i+j, -1), "x"); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(w.compiled.by); n == 0 || n > mostCompiled+8 {
		t.Errorf("%d statements are kept", n)
	}
}

func TestATransactionWhoseContextEndsLeavesNothing(t *testing.T) {
	w := open(t)
	for range 3 { // compiled for itself, then once for all
		ctx, cancel := context.WithCancel(t.Context())
		err := w.Write(ctx, "write", func(tx *Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ('x', 'y')`)
			cancel()
			return errors.Join(err, ctx.Err())
		})
		if err == nil {
			t.Fatal("the transaction went through")
		}
		if err := w.Write(t.Context(), "write", func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO meta (key, value) VALUES ('x', 'y')`)
			if err == nil {
				_, err = tx.ExecContext(t.Context(), `DELETE FROM meta WHERE key = 'x'`)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}
