// Package store is the one truth: a SQLite file with threads, runs, events,
// sources, texts, passages, vectors, files and preferences.
//
// Map: db.go opens and closes, reading.go opens what cannot be written, health.go
// checks after an unclean end, mend.go saves what a damaged file still tells,
// rehead.go gives it the first bytes that it lost, harm.go sends damaged texts back
// to be read again, and daily.go the backups it falls back on, deleted.go what they must not bring back, secure.go overwrites what is deleted,
// migrate.go brings old files up to date. The room sqlite has the connections, the
// lock and what errors mean.
// journal.go, records.go, recover.go and threads.go serve answer and the mouths;
// subscriptions.go has the answers that are kept fresh; archive.go what was read; roots.go, files.go, texts.go, words.go, vectors.go and
// encoded.go are library's catalog, which the room tally counts; fresh.go has the texts that wait for the index;
// ids.go, pack and quantize keep rows small.
//
// One connection writes (BEGIN IMMEDIATE, synchronous=FULL), a pool reads; in WAL
// mode readers never wait for the writer. What a method wrote is on disk when it
// returns.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/records"
	"footnote/backend/refresh"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
	"footnote/backend/store/tally"
)

var (
	_ journal.Store   = (*DB)(nil)
	_ answer.Records  = (*DB)(nil)
	_ answer.Archive  = (*DB)(nil)
	_ refresh.Store   = (*DB)(nil)
	_ library.Catalog = (*DB)(nil)
)

const (
	fileName   = "footnote.db"
	lockName   = "footnote.lock"
	openName   = "footnote.open" // exists while the database is open: after a crash it is still there
	metDamage  = "damaged"       // is in it after a process that met damage
	backupsDir = "backups"
)

const readCache = 8 << 10 // KB of pages that all readers together keep; the system keeps the file besides

// DB is an open data directory. Safe for concurrent use. Close it once.
type DB struct {
	records.Preferences
	dir       string
	log       *slog.Logger
	now       func() time.Time
	lock      *os.File
	w         sqlite.Writer
	r         *sql.DB
	often     sqlite.Reader // r, for what every question reads
	packer    pack.Packer
	recent    pack.Recent
	fresh     freshTexts
	counts    tally.Tally
	unclean   bool
	reading   bool                            // nothing can be written
	copied    string                          // the folder of the copy that is read; empty for none
	refused   atomic.Pointer[fault.Fault]     // of the last write
	mended    string                          // tells people what became of a damaged database
	lenses    atomic.Pointer[contract.Lenses] // as stored; nil until they were read
	shredding shredding
	damage    damage
}

// shredding is whether what is deleted is overwritten.
type shredding struct {
	wanted  func() bool // may be nil
	on      bool        // of the writing connection
	deleted deletions
}

// damage is what was met of it while the database was open.
type damage struct {
	before   int64    // harms of the process, when it was opened
	texts    sync.Map // that were found damaged, by number
	requeued func()   // told when their files are due again; may be nil
}

// Open opens the database of a data directory and makes both when they are new.
// The directory is locked until Close or the end of the process: a second opener
// gets fault data-locked, as does a file that a newer Footnote wrote; the other
// fault is disk-full. A damaged database is mended, which Mended tells.
func Open(ctx context.Context, dir string, log *slog.Logger, now func() time.Time) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find data directory: %w", err)
	}
	if err := prepareDir(dir); err != nil {
		return nil, sqlite.CannotWrite(dir, err)
	}
	lock, err := sqlite.Lock(filepath.Join(dir, lockName))
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, sqlite.LockedElsewhere(dir, err)
	}
	if err != nil {
		return nil, sqlite.CannotWrite(dir, err)
	}
	d := &DB{dir: dir, log: log, now: now, lock: lock}
	d.Preferences = records.Preferences{Kept: d, Now: now}
	if err := d.openMended(ctx); err != nil {
		return nil, errors.Join(withCause(err, disk.Free, dir), d.release())
	}
	return d, nil
}

func prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(dir, 0o700)
}

func (d *DB) open(ctx context.Context) error {
	path := filepath.Join(d.dir, fileName)
	d.unclean, d.damage.before = exists(filepath.Join(d.dir, openName)), sqlite.Harms()
	if err := touch(path); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	if err := touch(filepath.Join(d.dir, openName)); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	var err error
	// Of a page of 8 KB less stays empty behind packed texts and vectors; a database
	// that is there keeps the size it has. _journal_mode comes after _pragma.
	d.w.Watcher = &d.counts
	if d.w.DB, err = sqlite.ConnectWatched(path, "&_txlock=immediate&_journal_mode=wal&_pragma=page_size(8192)&_pragma=synchronous(full)"+
		"&_pragma=foreign_keys(1)&_pragma=cache_size(-16384)&_pragma=journal_size_limit(67108864)", d.w.Watcher); err != nil {
		return sqlite.Explain(err, "open database")
	}
	readers := max(4, runtime.NumCPU())
	if d.r, err = sqlite.Connect(path, fmt.Sprintf("&_pragma=query_only(1)&_pragma=cache_size(-%d)", readCache/readers), readers); err != nil {
		return sqlite.Explain(err, "open database")
	}
	d.often.DB = d.r
	d.w.Before = d.shred
	if d.unclean {
		if err := d.quickCheck(ctx); err != nil {
			return err
		}
	}
	if err := d.migrate(ctx); err != nil {
		return d.unmigrated(ctx, sqlite.Explain(err, "bring database up to date"))
	}
	if d.unclean { // a digest that was harmed on disk is no damage that SQLite sees
		if err = straighten(ctx, &d.w); err == nil {
			_, err = d.w.ExecContext(ctx, readLostAgain+`;`+unshelveLost)
		}
	}
	d.counts.Begin()
	return sqlite.Explain(err, "look for lost texts")
}

// Close ends all work, notes the clean end and gives the directory free. Writes
// that returned before are safe whether Close runs or not.
func (d *DB) Close() error {
	err := d.closePools()
	if err == nil {
		err = d.noteClosed()
	}
	return errors.Join(err, d.dropCopy(), d.unlock())
}

func (d *DB) release() error { return errors.Join(d.closePools(), d.unlock()) }

func (d *DB) closePools() error {
	err := d.often.Close()
	if d.r != nil {
		err = errors.Join(err, d.r.Close())
	}
	return errors.Join(err, d.w.Close()) // last: it folds the log into the file
}

// write runs fn in one transaction and maps errors to faults.
func (d *DB) write(ctx context.Context, doing string, fn func(*sqlite.Tx) error) error {
	err := d.w.Write(ctx, doing, fn)
	if d.reading {
		return err
	}
	switch err = withCause(err, disk.Free, d.dir); {
	case fault.CodeOf(err) == fault.DiskFull:
		d.refused.Store(fault.Of(err))
	case err == nil:
		d.refused.Store(nil)
	}
	return err
}

// leastFree is what SQLite needs to write anything.
const leastFree = 64 << 10

// withCause says of a folder that takes no file that its disk is full, where it is:
// SQLite does not always tell.
func withCause(err error, free func(dir string) (int64, bool), dir string) error {
	if fault.CodeOf(err) != fault.DiskFull {
		return err
	}
	if left, known := free(dir); known && left < leastFree {
		return sqlite.Full(err)
	}
	return err
}

// Refused is why nothing can be stored: the fault of the last write where it found
// the disk full or shut; nil while writing works.
func (d *DB) Refused() *fault.Fault { return d.refused.Load() }

// GiveBack has the writer give back the memory of pages that it does not need.
func (d *DB) GiveBack(ctx context.Context) error {
	if d.reading {
		return nil
	}
	_, err := d.w.ExecContext(ctx, `PRAGMA shrink_memory`)
	return sqlite.Explain(err, "give back memory")
}

// Unclean reports whether the last process ended without Close. Caches beside
// the database deserve a probe then.
func (d *DB) Unclean() bool { return d.unclean }

// Dir is the data directory.
func (d *DB) Dir() string { return d.dir }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// millis and moment turn times to and from the integers of the tables.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
