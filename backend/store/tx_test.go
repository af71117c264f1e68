package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

func TestManyWritersWithNewStatementsDoNotBlockEachOther(t *testing.T) {
	db := open(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				err := db.write(t.Context(), "write", func(tx *tx) error {
					for k := range 3 { // some known to others, some new, more than are kept
						if _, err := tx.ExecContext(t.Context(), fmt.Sprintf(`UPDATE threads SET title = ? WHERE %d = %d`, k*i+j, -1), "x"); err != nil {
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
	if n := len(db.compiled.by); n == 0 || n > mostCompiled+8 {
		t.Errorf("%d statements are kept", n)
	}
}

func TestATransactionWhoseContextEndsLeavesNothing(t *testing.T) {
	db := open(t)
	for range 3 { // compiled for itself, then once for all
		ctx, cancel := context.WithCancel(t.Context())
		err := db.write(ctx, "write", func(tx *tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ('x', 'y')`)
			cancel()
			return errors.Join(err, ctx.Err())
		})
		if err == nil {
			t.Fatal("the transaction went through")
		}
		must(t, db.write(t.Context(), "write", func(tx *tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO meta (key, value) VALUES ('x', 'y')`)
			if err == nil {
				_, err = tx.ExecContext(t.Context(), `DELETE FROM meta WHERE key = 'x'`)
			}
			return err
		}))
	}
}
