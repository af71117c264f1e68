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
	return d.EditPreference(ctx, key, func([]byte) ([]byte, error) { return json.Marshal(value) })
}

// EditPreference changes what is stored under a key in one transaction. What it
// takes out of a list is noted as deleted.
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
		if err := d.noteDeleted("preferences", takenOut(key, before, data)...); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(data))
		return err
	})
}

// takenOut names the elements of a list that a new one has no more.
func takenOut(key string, before, after []byte) (names []string) {
	kept := map[string]bool{}
	for _, e := range elementsOf(after) {
		kept[elementName(key, e)] = true
	}
	for _, e := range elementsOf(before) {
		if name := elementName(key, e); !kept[name] {
			names = append(names, name)
		}
	}
	return names
}

// elementsOf are the elements of a value that is a list; any other has none.
func elementsOf(value []byte) (list []json.RawMessage) {
	if json.Unmarshal(value, &list) != nil {
		return nil
	}
	return list
}

// elementName names an element of a list: by its id, where it has one.
func elementName(key string, element json.RawMessage) string {
	var named struct{ ID string }
	if json.Unmarshal(element, &named) == nil && named.ID != "" {
		return key + " " + named.ID
	}
	return key + " " + string(element)
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
