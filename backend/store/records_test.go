package store

import (
	"testing"
	"time"

	"footnote/backend/records/recordstest"
)

func TestRecords(t *testing.T) {
	recordstest.Run(t, func(t *testing.T) recordstest.Store {
		db, err := Open(t.Context(), t.TempDir(), quiet(), func() time.Time { return recordstest.Start })
		must(t, err)
		t.Cleanup(func() { must(t, db.Close()) })
		return db
	})
}
