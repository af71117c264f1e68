package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/team"
)

// auditQuestion notes who asked, and which collections could be read then; not what.
func (o *Own) auditQuestion(batch *pgx.Batch, s scope, run contract.Run) {
	about := string(run.ID) + " of collections " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.reads)), ", "), "[]")
	batch.Queue(`INSERT INTO audit (person, what, about) VALUES ($1, 'asked', $2)`, o.person, about)
}

// Note writes a line of the audit log; person is who did it.
func (d *DB) Note(ctx context.Context, person int64, what, about string) error {
	_, err := d.owner.Exec(ctx, `INSERT INTO audit (person, what, about) VALUES ($1, $2, $3)`, person, what, plainText(about))
	return explain(err, "write audit log")
}

// Audit gives the newest lines of the audit log, at most n before a number; 0 is
// from the end.
func (d *DB) Audit(ctx context.Context, before int64, n int) ([]team.Entry, error) {
	entries, err := collect(ctx, d.owner, pgx.RowToStructByPos[team.Entry], `SELECT a.n, a.at, coalesce(p.name, CASE WHEN a.person < 0 THEN '(erased)' ELSE '' END), a.what, a.about FROM audit a LEFT JOIN people p ON p.id = a.person
		WHERE $1 = 0 OR a.n < $1 ORDER BY a.n DESC LIMIT $2`, before, n)
	return entries, explain(err, "read audit log")
}
