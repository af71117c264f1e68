package store

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/store/sqlite"
)

// Lenses lists what the reader prefers of domains and folders.
func (d *DB) Lenses(ctx context.Context) (contract.Lenses, error) {
	if known := d.lenses.Load(); known != nil {
		return *known, nil
	}
	list, err := d.Preferences.Lenses(ctx)
	if err != nil {
		return nil, err
	}
	d.lenses.CompareAndSwap(nil, &list)
	return list, nil
}

// SetLenses replaces all lenses.
func (d *DB) SetLenses(ctx context.Context, list contract.Lenses) error {
	if err := d.Preferences.SetLenses(ctx, list); err != nil {
		return err
	}
	d.lenses.Store(&list)
	return nil
}

// EditPreference changes what is stored under a key in one transaction.
func (d *DB) EditPreference(ctx context.Context, key string, change func(stored []byte) ([]byte, error)) error {
	return d.write(ctx, "change "+key, func(tx *sqlite.Tx) error {
		var before []byte
		stored, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT value FROM preferences WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if len(stored) > 0 {
			before = []byte(stored[0])
		}
		data, err := change(before)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(data))
		return err
	})
}
