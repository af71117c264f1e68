package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// May is what a person may in one transaction, by the program's own check: whose
// records are theirs, and which collections they read.
type May struct {
	Own   []int64
	Reads []int
}

// Reading runs fn in a transaction that changes nothing, as a person.
func Reading(ctx context.Context, o *Own, doing string, fn func(pgx.Tx, May) error) error {
	return o.look(ctx, doing, func(tx pgx.Tx, s scope) error { return fn(tx, May{s.own, s.reads}) })
}

// Writing runs fn in a transaction that changes what a person keeps.
func Writing(ctx context.Context, o *Own, doing string, fn func(pgx.Tx, May) error) error {
	return o.change(ctx, doing, func(tx pgx.Tx, s scope) error { return fn(tx, May{s.own, s.reads}) })
}

// PersonOf is whose records these are.
func PersonOf(o *Own) int64 { return o.person }

// ReadPath is a path as it was before the database took it.
func ReadPath(path string) string { return readPath(path) }
