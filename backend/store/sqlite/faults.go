package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"footnote/backend/fault"
)

// Explain turns an error of the driver into one a person can act on. Faults and
// the context's errors pass unchanged; nil gives nil.
func Explain(err error, doing string) error {
	var known *fault.Fault
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	err = fmt.Errorf("%s: %w", doing, err)
	var engine *sqlite.Error
	if !errors.As(err, &engine) {
		return err
	}
	switch engine.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return Full(err)
	case sqlite3.SQLITE_READONLY:
		return readOnly(err)
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return fault.Wrap(err, fault.DiskFull, "Footnote cannot read or write its data folder.",
			"Check that the disk is there, has free space and may be written to; a window or server that is open goes on by itself.")
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fault.Wrap(err, fault.DataLocked, "Another program holds Footnote's database.", "Close that program and try again.")
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return Damaged(err)
	}
	return err
}

// Full is the fault of a disk that is full.
func Full(err error) error {
	return fault.Wrap(err, fault.DiskFull, "The disk with Footnote's data is full.",
		"Free some space and try again; a window or server that is open goes on by itself.")
}

func readOnly(err error) error {
	return fault.Wrap(err, fault.DiskFull, "Footnote's data folder cannot be written to.",
		"Give your user write access to it, or choose another folder with --data.")
}

var harms atomic.Int64

// Harms is how often this process met a damaged database.
func Harms() int64 { return harms.Load() }

// Damaged is the fault of a database that is not as it was written.
func Damaged(err error) error {
	harms.Add(1)
	return fault.Wrap(err, fault.DataDamaged, "Footnote's database is damaged.",
		"Start Footnote again: it saves what can be read, and takes the rest from the newest backup.")
}

// LockedElsewhere is the fault of a data folder that another process works on.
func LockedElsewhere(dir string, err error) error {
	return fault.Wrap(err, fault.DataLocked, "Another Footnote is using the data folder "+dir+".",
		"Use that one, close it, or choose another folder with --data.")
}

// CannotWrite is the fault of a folder that takes no file, for data as a rule.
func CannotWrite(dir string, err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return Full(err)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fault.Wrap(err, fault.DiskFull, "Footnote cannot write to the folder "+dir+".",
			"Give your user write access to it, or choose another data folder with --data.")
	}
	return fault.Wrap(err, fault.DiskFull, "Footnote cannot use the data folder "+dir+".", "Choose another folder with --data.")
}

// NotFound turns the absence of a row into a fault.
func NotFound(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, "There is no such "+what+".", "It may have been deleted.")
	}
	return Explain(err, "read "+what)
}

// IsConstraint reports whether a row was refused by a rule of its table.
func IsConstraint(err error) bool {
	var engine *sqlite.Error
	return errors.As(err, &engine) && engine.Code()&0xff == sqlite3.SQLITE_CONSTRAINT
}

// IsDuplicate reports whether a row was refused because there is one like it.
func IsDuplicate(err error) bool {
	var engine *sqlite.Error
	return errors.As(err, &engine) && engine.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
