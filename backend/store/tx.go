package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"footnote/backend/fault"
)

// write runs fn in one transaction and maps errors to faults.
func (d *DB) write(ctx context.Context, doing string, fn func(*tx) error) error {
	err := d.transact(ctx, doing, fn)
	switch {
	case fault.CodeOf(err) == fault.DiskFull:
		d.refused.Store(fault.Of(err))
	case err == nil && !d.reading:
		d.refused.Store(nil)
	}
	return err
}

// Refused is why nothing can be stored: the fault of the last write where it found
// the disk full or shut; nil while writing works.
func (d *DB) Refused() *fault.Fault { return d.refused.Load() }

func (d *DB) transact(ctx context.Context, doing string, fn func(*tx) error) error {
	begun, err := d.w.BeginTx(ctx, nil)
	if err != nil {
		return explain(err, doing)
	}
	if err := d.shred(ctx, begun); err != nil {
		return explain(errors.Join(err, begun.Rollback()), doing)
	}
	t := &tx{Tx: begun, compiled: &d.compiled, ready: map[string]*sql.Stmt{}}
	if err := fn(t); err != nil {
		if undo := begun.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return explain(err, doing)
	}
	if err := begun.Commit(); err != nil {
		return explain(err, doing)
	}
	d.compiled.learn(ctx, d.w, t.ready)
	return nil
}

// tx is a transaction. It takes the statements that are compiled and compiles the
// others once; those end with it.
type tx struct {
	*sql.Tx
	compiled *compiled
	ready    map[string]*sql.Stmt
}

func (t *tx) prepare(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
	if stmt = t.ready[query]; stmt != nil {
		return stmt, nil
	}
	if known := t.compiled.get(query); known != nil {
		stmt = t.StmtContext(ctx, known)
	} else if stmt, err = t.PrepareContext(ctx, query); err != nil {
		return nil, err
	}
	t.ready[query] = stmt
	return stmt, nil
}

// ExecContext runs a statement. The end of ctx ends the transaction, between two
// statements.
func (t *tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(context.WithoutCancel(ctx), args...)
}

// QueryRowContext reads one row. An error of compiling comes with the row.
func (t *tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := t.prepare(ctx, query)
	if err != nil {
		return t.Tx.QueryRowContext(ctx, query, args...) // fails in the same way
	}
	return stmt.QueryRowContext(context.WithoutCancel(ctx), args...)
}

// mostCompiled is how many statements stay compiled: about as many as are
// written in this package, each some kilobytes.
const mostCompiled = 96

// compiled are the statements of the writing connection that transactions have
// used: to compile one takes longer than to run it. The zero value is ready.
// Safe for concurrent use.
type compiled struct {
	mu sync.Mutex
	by map[string]*sql.Stmt
}

func (c *compiled) get(query string) *sql.Stmt {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.by[query]
}

// learn compiles the statements that a transaction has used and that are not yet
// known. One that does not compile is left to the transactions that want it. The
// connection is waited for without the lock: whoever has it may want a statement.
func (c *compiled) learn(ctx context.Context, db *sql.DB, used map[string]*sql.Stmt) {
	for query := range used {
		if c.get(query) != nil || c.full() {
			continue
		}
		if stmt, err := db.PrepareContext(ctx, query); err == nil && !c.put(query, stmt) {
			_ = stmt.Close() // another transaction was first
		}
	}
}

func (c *compiled) full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.by) >= mostCompiled
}

func (c *compiled) put(query string, stmt *sql.Stmt) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by[query] != nil {
		return false
	}
	if c.by == nil {
		c.by = map[string]*sql.Stmt{}
	}
	c.by[query] = stmt
	return true
}

// reader is the pool of readers for what every question reads: its statements
// stay compiled.
type reader struct {
	*sql.DB
	compiled compiled
}

func (r *reader) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := r.compiled.get(query); stmt != nil {
		return stmt, nil
	}
	stmt, err := r.PrepareContext(ctx, query)
	if err == nil && !r.compiled.put(query, stmt) { // another reader was first
		return r.compiled.get(query), stmt.Close()
	}
	return stmt, err
}

func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext reads one row. An error of compiling comes with the row.
func (r *reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := r.prepare(ctx, query)
	if err != nil {
		return r.DB.QueryRowContext(ctx, query, args...) // fails in the same way
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (c *compiled) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	for _, stmt := range c.by {
		err = errors.Join(err, stmt.Close())
	}
	c.by = nil
	return err
}
