package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// shut is the fault of a folder that takes no file.
var shut = sqlite.CannotWrite("/data", fs.ErrPermission)

func TestAFolderThatTakesNoFileSaysWhy(t *testing.T) {
	vague := sqlite.CannotWrite("/data", errors.New("disk I/O error"))
	for _, c := range []struct {
		err   error
		free  int64
		known bool
		want  string
	}{
		{vague, 0, true, "The disk with Footnote's data is full."}, {shut, 4096, true, "The disk with Footnote's data is full."},
		{vague, 1 << 30, true, "Footnote cannot use the data folder /data."}, {shut, 0, false, "Footnote cannot write to the folder /data."},
	} {
		got := withCause(c.err, func(string) (int64, bool) { return c.free, c.known }, "/data")
		if f := fault.Of(got); f.Code != fault.DiskFull || f.Message != c.want {
			t.Errorf("with %d bytes free: %v", c.free, got)
		}
	}
	if err := withCause(nil, nil, "/data"); err != nil {
		t.Error(err)
	}
}

func TestADataFolderOfANewerFootnoteIsNotRead(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(t.Context(), dir, quiet(), clock())
	if err != nil {
		t.Fatal(err)
	}
	if _, err = d.w.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err = d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err = Open(t.Context(), dir, quiet(), clock()); fault.CodeOf(err) != fault.DataLocked || !strings.Contains(fault.Of(err).Message, "newer Footnote") {
		t.Errorf("opened to be written: %v", err)
	}
	// to whom it may not write, write access would be no help
	if _, err = OpenReading(t.Context(), dir, shut, quiet(), clock()); fault.CodeOf(err) != fault.DataLocked || !strings.Contains(fault.Of(err).Message, "newer Footnote") {
		t.Errorf("opened to be read: %v", err)
	}
}

func TestADataFolderThatTakesNoFileIsRead(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(t.Context(), dir, quiet(), clock())
	if err != nil {
		t.Fatal(err)
	}
	if err = d.SetPreference(t.Context(), "colour", "green"); err != nil {
		t.Fatal(err)
	}
	if err = d.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(after string) {
		before := names(t, dir)
		r, err := OpenReading(t.Context(), dir, shut, quiet(), clock())
		if err != nil {
			t.Fatalf("%s: %v", after, err)
		}
		var colour string
		if _, err := r.Preference(t.Context(), "colour", &colour); err != nil || colour != "green" || !r.Reading() {
			t.Errorf("%s: %q, %v", after, colour, err)
		}
		if err := r.SetPreference(t.Context(), "colour", "red"); !errors.Is(err, r.Refused()) || !strings.Contains(fault.Of(err).Hint, "start Footnote again") {
			t.Errorf("%s: it is written: %v", after, err)
		}
		if err := r.write(t.Context(), "try", func(*sqlite.Tx) error { return nil }); r.Refused() == nil {
			t.Errorf("%s: nobody is told that nothing is stored (%v)", after, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if left := names(t, dir); len(left) > len(before) {
			t.Errorf("%s: there were %v, there are %v", after, before, left)
		}
	}
	read("a clean end")
	if err = os.Remove(filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	if err = os.Mkdir(filepath.Join(dir, lockName), 0o700); err != nil {
		t.Fatal(err)
	}
	read("no lock can be had")
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReadingNeedsADatabaseThatNobodyWrites(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReading(t.Context(), dir, shut, quiet(), clock()); fault.CodeOf(err) != fault.DiskFull {
		t.Errorf("an empty folder: %v", err)
	}
	openIn(t, dir)
	if _, err := OpenReading(t.Context(), dir, shut, quiet(), clock()); fault.CodeOf(err) != fault.DataLocked {
		t.Errorf("beside a writer: %v", err)
	}
}

func TestAFullDiskIsToldUntilThereIsSpace(t *testing.T) {
	db := open(t)
	store := func() error {
		return db.write(t.Context(), "store", func(tx *sqlite.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO preferences (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, "b", strings.Repeat("x", 100_000))
			return err
		})
	}
	if why := db.Refused(); why != nil {
		t.Errorf("before the first write: %v", why)
	}
	_, err := db.w.Exec(`PRAGMA max_page_count = 1`)
	must(t, err)
	wantFault(t, store(), fault.DiskFull)
	if why := db.Refused(); why == nil || !strings.Contains(why.Message, "full") {
		t.Errorf("nobody is told: %v", why)
	}
	_, err = db.w.Exec(`PRAGMA max_page_count = 1000000`)
	must(t, err)
	must(t, store())
	if why := db.Refused(); why != nil {
		t.Errorf("with space again: %v", why)
	}
}

// crashed is a data folder as a killed process leaves it: the last commits stand
// in the log of the database only.
func crashed(t *testing.T, key string) (dir string) {
	t.Helper()
	db := open(t)
	_, err := db.w.Exec(`PRAGMA wal_autocheckpoint = 0`)
	must(t, err)
	must(t, db.SetPreference(t.Context(), key, "kept"))
	dir = t.TempDir()
	for _, end := range []string{"", "-wal"} {
		body, err := os.ReadFile(filepath.Join(db.Dir(), fileName+end))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, fileName+end), body, 0o600))
	}
	return dir
}

// TestReadingSeesWhatACrashLeftInTheLog: also where no index of the log can be
// made beside the database, as in a folder that takes no file.
func TestReadingSeesWhatACrashLeftInTheLog(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := crashed(t, "last")
	must(t, os.Mkdir(filepath.Join(dir, fileName+"-shm"), 0o500)) // refuses the superuser as well
	db, err := OpenReading(t.Context(), dir, shut, quiet(), clock())
	must(t, err)
	var got string
	if ok, err := db.Preference(t.Context(), "last", &got); !ok || err != nil || got != "kept" {
		t.Errorf("the last commit reads %q, %v, %v", got, ok, err)
	}
	if err := db.SetPreference(t.Context(), "other", 1); err == nil {
		t.Error("a copy was written to")
	}
	must(t, db.Close())
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
