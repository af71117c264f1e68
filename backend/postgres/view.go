package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/library"
)

// House is the person as whom Footnote itself reads files in. Nobody signs in as it.
const House = 0

// View is the library as one person sees it: what they may read of all
// collections, and, where it is of one collection, only that, which is then
// written to. It implements library.Catalog and gather.Texts; Index gives its
// library.Index. Rights are looked up in every transaction, so that one that was
// taken away is gone with the next statement.
type View struct {
	db     *DB
	person int64
	only   int // collection; 0: all that the person may read, and nothing is written
}

var _ library.Catalog = (*View)(nil)

// View is the whole library as a person sees it.
func (d *DB) View(person int64) *View { return &View{db: d, person: person} }

// Collection is one collection as a person sees it, to be read and written.
func (d *DB) Collection(person int64, collection int) *View { return &View{d, person, collection} }

// scope is what a transaction may touch by the program's own check: the first wall.
// The second is the database's, which is told only who asks.
type scope struct {
	reads, writes []int
	own           []int64  // whose records
	withheld      []string // runs of theirs, see the function of this name
}

// enter tells the database who asks, and looks up what they may.
func (v *View) enter(ctx context.Context, tx pgx.Tx) (s scope, err error) {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT set_config('footnote.person', $1, true)`, fmt.Sprint(v.person))
	s.own = []int64{v.person}
	withheld := `SELECT withheld()`
	rights := `SELECT collection, bool_or(level <> 'reader') FROM rights WHERE person = $1 AND ($2 = 0 OR collection = $2) GROUP BY collection`
	args := []any{v.person, v.only}
	if v.db.unchecked {
		withheld = `SELECT '{}'::text[]`
		rights, args = `SELECT DISTINCT collection, true FROM rights WHERE $1 = 0 OR collection = $1`, []any{v.only}
	}
	batch.Queue(rights, args...)
	batch.Queue(withheld)
	results := tx.SendBatch(ctx, batch)
	defer func() {
		if closed := results.Close(); err == nil {
			err = closed
		}
	}()
	if _, err = results.Exec(); err != nil {
		return s, err
	}
	rows, err := results.Query()
	if err != nil {
		return s, err
	}
	s.reads, s.writes = []int{}, []int{}
	var collection int
	var writes bool
	_, err = pgx.ForEachRow(rows, []any{&collection, &writes}, func() error {
		s.reads = append(s.reads, collection)
		if writes {
			s.writes = append(s.writes, collection)
		}
		return nil
	})
	if err == nil {
		err = results.QueryRow().Scan(&s.withheld)
	}
	if v.db.unchecked {
		s.own = v.db.everybody
	}
	return s, err
}

// begin runs fn in a transaction of a member. After a restart of the server all
// connections that are kept are dead: the first one that shows it lets go of the
// others, and as nothing was sent over it, the transaction is begun again.
func (d *DB) begin(ctx context.Context, options pgx.TxOptions, fn func(pgx.Tx) error) error {
	begun := false
	run := func() error {
		return pgx.BeginTxFunc(ctx, d.member, options, func(tx pgx.Tx) error {
			begun = true
			return fn(tx)
		})
	}
	err := run()
	if err != nil && !begun && ctx.Err() == nil {
		d.member.Reset()
		err = run()
	}
	return err
}

// read runs fn in one transaction that changes nothing. All of it sees one state.
func (v *View) read(ctx context.Context, doing string, fn func(pgx.Tx, []int) error) error {
	return v.look(ctx, doing, func(tx pgx.Tx, s scope) error { return fn(tx, s.reads) })
}

// look is read with all that the person may.
func (v *View) look(ctx context.Context, doing string, fn func(pgx.Tx, scope) error) error {
	err := v.db.begin(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly, IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		s, err := v.enter(ctx, tx)
		if err != nil {
			return err
		}
		return fn(tx, s)
	})
	return explain(err, doing)
}

// write runs fn in one transaction, for the one collection that this view is of.
func (v *View) write(ctx context.Context, doing string, fn func(tx pgx.Tx, collection int) error) error {
	if v.only == 0 {
		return fault.New(fault.InvalidRequest, "Nothing can be added to the whole library of a team.", "Choose one of its collections.")
	}
	err := v.db.begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		s, err := v.enter(ctx, tx)
		if err != nil {
			return err
		}
		if !slices.Contains(s.writes, v.only) {
			return fault.New(fault.PathNotAllowed, "You may not do this to this collection.", "Ask one of its owners.")
		}
		return fn(tx, v.only)
	})
	return explain(err, doing)
}

// list reads rows in a transaction of its own; the first argument of the query is
// the collections that may be read.
func list[T any](ctx context.Context, v *View, doing string, scan func(pgx.CollectableRow) (T, error), query string, args ...any) (found []T, err error) {
	err = v.read(ctx, doing, func(tx pgx.Tx, reads []int) (err error) {
		found, err = collect(ctx, tx, scan, query, append([]any{reads}, args...)...)
		return err
	})
	return found, err
}

// Text of PostgreSQL has no NUL, and no byte that is not UTF-8. In a text a blank
// of the same length stands for it, so that places stay; in a path a letter of the
// private use area, from which it comes back.
func plainText(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", " "), " ")
}

const private = 0xF700

func storedPath(path string) string {
	var b strings.Builder
	for i, r := range path {
		if r == 0 || r == 0xFFFD && path[i] != 0xEF {
			r = private + rune(path[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

func readPath(path string) string {
	if !strings.ContainsFunc(path, isPrivate) {
		return path
	}
	var b strings.Builder
	for _, r := range path {
		if isPrivate(r) {
			b.WriteByte(byte(r - private))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isPrivate(r rune) bool { return r >= private && r < private+256 }
