package store

import (
	"context"
	"encoding/json"
	"fmt"

	"footnote/backend/store/sqlite"
)

// Preference reads what the window remembers under a key into a value; ok is
// false when nothing is stored.
func (d *DB) Preference(ctx context.Context, key string, into any) (ok bool, err error) {
	var values []string
	values, err = sqlite.Collect(ctx, d.r, sqlite.ScanString[string], `SELECT value FROM preferences WHERE key = ?`, key)
	if err != nil || len(values) == 0 {
		return false, sqlite.Explain(err, "read preference")
	}
	if err := json.Unmarshal([]byte(values[0]), into); err != nil {
		return false, sqlite.Damaged(fmt.Errorf("read preference %s: %w", key, err))
	}
	return true, nil
}

// SetPreference stores a value as JSON; nil removes the key.
func (d *DB) SetPreference(ctx context.Context, key string, value any) error {
	if value == nil {
		_, err := d.w.ExecContext(ctx, `DELETE FROM preferences WHERE key = ?`, key)
		return sqlite.Explain(err, "remove preference")
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode preference %s: %w", key, err)
	}
	_, err = d.w.ExecContext(ctx, `INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(data))
	return sqlite.Explain(err, "store preference")
}

// Note gives a fact about a cache; a missing one is empty.
func (d *DB) Note(ctx context.Context, key string) (string, error) {
	values, err := sqlite.Collect(ctx, d.r, sqlite.ScanString[string], `SELECT value FROM meta WHERE key = ?`, key)
	if err != nil || len(values) == 0 {
		return "", sqlite.Explain(err, "read note")
	}
	return values[0], nil
}

// SetNote stores a fact about a cache.
func (d *DB) SetNote(ctx context.Context, key, value string) error {
	_, err := d.w.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	return sqlite.Explain(err, "store note")
}
