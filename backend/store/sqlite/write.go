package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// Writer is the one connection that writes. The statements of its transactions stay
// compiled: to compile one takes longer than to run it.
type Writer struct {
	*sql.DB
	Before   func(context.Context, *sql.Tx) error // called in each transaction before its work; may be nil
	Shut     error                                // why nothing can be written; nil while it can
	Watcher  Watcher                              // of a connection that ConnectWatched made; may be nil
	compiled compiled
	once     sync.Once
	turns    chan struct{} // of transactions that are watched
}

// ExecContext runs one statement.
func (w *Writer) ExecContext(ctx context.Context, query string, args ...any) (result sql.Result, err error) {
	if w.Shut != nil {
		return nil, w.Shut
	}
	ended, err := w.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer ended(&err)
	return w.DB.ExecContext(ctx, query, args...)
}

// Write runs fn in one transaction. What it wrote is on disk when Write returns; an
// error of fn undoes it. Errors of the database are faults that say what was done.
func (w *Writer) Write(ctx context.Context, doing string, fn func(*Tx) error) error {
	if w.Shut != nil {
		return w.Shut
	}
	used, err := w.write(ctx, fn)
	if err != nil {
		return Explain(err, doing)
	}
	w.compiled.learn(ctx, w.DB, used)
	return nil
}

// write gives the statements that the transaction has used.
func (w *Writer) write(ctx context.Context, fn func(*Tx) error) (used map[string]*sql.Stmt, err error) {
	ended, err := w.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer ended(&err)
	begun, err := w.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	t := &Tx{Tx: begun, compiled: &w.compiled, ready: map[string]*sql.Stmt{}}
	if w.Before != nil {
		err = w.Before(ctx, begun)
	}
	if err == nil {
		err = fn(t)
	}
	if err != nil {
		if undo := begun.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return nil, err
	}
	return t.ready, begun.Commit()
}

// Close ends the connection; one that was never opened as well.
func (w *Writer) Close() error {
	err := w.compiled.close()
	if w.DB != nil {
		err = errors.Join(err, w.DB.Close())
	}
	return err
}

// Tx is a transaction. It takes the statements that are compiled and compiles the
// others once; those end with it.
type Tx struct {
	*sql.Tx
	compiled *compiled
	ready    map[string]*sql.Stmt
}

func (t *Tx) prepare(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
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
func (t *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(context.WithoutCancel(ctx), args...)
}

// QueryRowContext reads one row. An error of compiling comes with the row.
func (t *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := t.prepare(ctx, query)
	if err != nil {
		return t.Tx.QueryRowContext(ctx, query, args...) // fails in the same way
	}
	return stmt.QueryRowContext(context.WithoutCancel(ctx), args...)
}

// mostCompiled is how many statements stay compiled: about as many as a
// database has, each some kilobytes.
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

// Reader is the pool of readers for what every question reads: its statements
// stay compiled.
type Reader struct {
	*sql.DB
	compiled compiled
}

func (r *Reader) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := r.compiled.get(query); stmt != nil {
		return stmt, nil
	}
	stmt, err := r.PrepareContext(ctx, query)
	if err == nil && !r.compiled.put(query, stmt) { // another reader was first
		return r.compiled.get(query), stmt.Close()
	}
	return stmt, err
}

// QueryContext reads rows.
func (r *Reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext reads one row. An error of compiling comes with the row.
func (r *Reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := r.prepare(ctx, query)
	if err != nil {
		return r.DB.QueryRowContext(ctx, query, args...) // fails in the same way
	}
	return stmt.QueryRowContext(ctx, args...)
}

// Close ends what is compiled. The pool stays open.
func (r *Reader) Close() error { return r.compiled.close() }

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
