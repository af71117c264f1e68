package store

import (
	"context"

	"footnote/backend/answer/contract"
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
