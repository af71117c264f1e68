// Package sqlite opens a SQLite file as one writer and many readers, whose statements
// stay compiled, and says what its errors mean. It knows no table.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// Connect opens a pool. busy_timeout stands first: the pragmas after it may have
// to wait for a lock themselves.
func Connect(path, options string, conns int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, options))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func dsn(path, options string) string {
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(at.Path, "/") {
		at.Path = "/" + at.Path // a drive letter
	}
	return at.String() + "?_pragma=busy_timeout(10000)&_pragma=temp_store(memory)" + options
}

// Function gives SQL a function of one value, which must always give the same for the
// same. It is for package initialisation: connections that are open do not have it.
func Function(name string, fn func(value driver.Value) (driver.Value, error)) {
	sqlite.MustRegisterDeterministicScalarFunction(name, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		return fn(args[0])
	})
}

// Querier is a connection pool or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Collect reads all rows of a query.
func Collect[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// JSONList makes one parameter of many ids, for json_each.
func JSONList[T ~string | ~int64](ids []T) (string, error) {
	data, err := json.Marshal(ids)
	return string(data), err
}

// ScanString reads the one column of a row.
func ScanString[T ~string](rows *sql.Rows) (T, error) {
	var s T
	err := rows.Scan(&s)
	return s, err
}
