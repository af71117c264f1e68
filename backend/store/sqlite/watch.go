package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Watcher is told of rows that a Writer changes, on the goroutine that writes:
// Changed within a transaction, Ended after it. What a Writer did not change itself,
// such as a migration, is told by Changed alone.
type Watcher interface {
	Columns(table string) int // how many of a row's first columns are wanted; 0: nothing of the table
	Changed(table string, before, after []any, err error)
	Ended(kept bool)
}

// ConnectWatched opens a pool of one connection whose changes are told.
func ConnectWatched(path, options string, w Watcher) (*sql.DB, error) {
	base, err := sqlite.NewConnector(dsn(path, options))
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(watched{base, w})
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	return db, nil
}

type watched struct {
	driver.Connector
	watcher Watcher
}

// Connect has each connection tell, should one be opened anew.
func (c watched) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	hooks, ok := conn.(sqlite.HookRegisterer)
	if !ok {
		return nil, errors.Join(errors.New("the driver tells of no changes"), conn.Close())
	}
	hooks.RegisterPreUpdateHook(func(row sqlite.SQLitePreUpdateData) {
		columns := c.watcher.Columns(row.TableName)
		if columns == 0 || row.DatabaseName != "main" {
			return
		}
		var before, after []any
		var unread, unmade error
		if row.Op != sqlite3.SQLITE_INSERT {
			before = make([]any, columns)
			unread = row.Old(before...)
		}
		if row.Op != sqlite3.SQLITE_DELETE {
			after = make([]any, columns)
			unmade = row.New(after...)
		}
		c.watcher.Changed(row.TableName, before, after, errors.Join(unread, unmade))
	})
	return conn, nil
}

// turn has transactions that are watched end one after the other: the connection is
// free a moment before the watcher knows the end.
func (w *Writer) turn(ctx context.Context) (ended func(err *error), err error) {
	if w.Watcher == nil {
		return func(*error) {}, nil
	}
	w.once.Do(func() { w.turns = make(chan struct{}, 1) })
	select {
	case w.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func(err *error) {
		w.Watcher.Ended(*err == nil)
		<-w.turns
	}, nil
}
