package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/team"
)

var (
	_ team.Accounts = (*DB)(nil)
	_ team.Passes   = (*DB)(nil)
)

// AccountOf implements team.Accounts.
func (d *DB) AccountOf(ctx context.Context, name string) (*team.Account, error) {
	accounts, err := collect(ctx, d.owner, func(row pgx.CollectableRow) (a team.Account, err error) {
		return a, row.Scan(&a.ID, &a.Name, &a.Administrator, &a.Password, &a.Failures, &a.Failed, &a.Blocked)
	}, `SELECT id, name, administrator, password, failures, CASE WHEN isfinite(failed) THEN failed ELSE 'epoch' END, blocked FROM people WHERE key = $1`, keyOf(name))
	if err != nil || len(accounts) == 0 {
		return nil, explain(err, "look up person")
	}
	return &accounts[0], nil
}

func keyOf(name string) string { return strings.ToLower(strings.TrimSpace(plainText(name))) }

// Tried implements team.Accounts.
func (d *DB) Tried(ctx context.Context, person int64, right bool) error {
	_, err := d.owner.Exec(ctx, `UPDATE people SET failures = CASE WHEN $2 THEN 0 ELSE failures + 1 END, failed = CASE WHEN $2 THEN failed ELSE now() END WHERE id = $1 AND NOT ($2 AND failures = 0)`, person, right)
	return explain(err, "note a sign-in")
}

// SetPassword implements team.Accounts: all that let somebody in as this person
// before has ended.
func (d *DB) SetPassword(ctx context.Context, person int64, hash string) error {
	err := pgx.BeginFunc(ctx, d.owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE people SET password = $2, failures = 0 WHERE id = $1`, person, hash); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM passes WHERE person = $1`, person)
		return err
	})
	return explain(err, "store password")
}

// Appoint makes a person an administrator, or one no more.
func (d *DB) Appoint(ctx context.Context, person int64, administrator bool) error {
	_, err := d.owner.Exec(ctx, `UPDATE people SET administrator = $2 WHERE id = $1`, person, administrator)
	return explain(err, "appoint administrator")
}

// PutPass implements team.Passes; what has ended goes.
func (d *DB) PutPass(ctx context.Context, p team.Pass) error {
	err := pgx.BeginFunc(ctx, d.owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM passes WHERE until < $1::timestamptz - interval '30 days' OR person = $2 AND kind = 'invitation' AND $3 = 'invitation'`, p.Made, p.Person, string(p.Kind)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO passes (hash, kind, id, person, name, made, used, until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			p.Hash, string(p.Kind), p.ID, p.Person, plainText(p.Name), p.Made, p.Used, p.Until)
		return err
	})
	return explain(err, "store pass")
}

// PassOf implements team.Passes, and notes once a minute that a pass is used.
func (d *DB) PassOf(ctx context.Context, hash []byte) (*team.Pass, *team.Person, error) {
	var p team.Pass
	var who team.Person
	err := d.owner.QueryRow(ctx, `SELECT s.id, s.kind, s.person, s.name, s.made, s.used, s.until, p.name, p.administrator
		FROM passes s JOIN people p ON p.id = s.person WHERE s.hash = $1 AND NOT p.blocked`, hash).
		Scan(&p.ID, &p.Kind, &p.Person, &p.Name, &p.Made, &p.Used, &p.Until, &who.Name, &who.Administrator)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, explain(err, "look up pass")
	}
	who.ID = p.Person
	_, err = d.owner.Exec(ctx, `UPDATE passes SET used = now() WHERE hash = $1 AND used < now() - interval '1 minute' AND used > now() - interval '12 hours'`, hash)
	return &p, &who, explain(err, "note that a pass is used")
}

// DropPass implements team.Passes.
func (d *DB) DropPass(ctx context.Context, person int64, id string) (bool, error) {
	tag, err := d.owner.Exec(ctx, `DELETE FROM passes WHERE person = $1 AND id = $2`, person, id)
	return tag.RowsAffected() > 0, explain(err, "end pass")
}

// PassesOf implements team.Passes, the newest first.
func (d *DB) PassesOf(ctx context.Context, person int64, kind team.Kind) ([]team.Pass, error) {
	list, err := collect(ctx, d.owner, func(row pgx.CollectableRow) (p team.Pass, err error) {
		return p, row.Scan(&p.ID, &p.Kind, &p.Person, &p.Name, &p.Made, &p.Used, &p.Until)
	}, `SELECT id, kind, person, name, made, used, until FROM passes WHERE person = $1 AND kind = $2 ORDER BY made DESC, id`, person, string(kind))
	return list, explain(err, "list passes")
}
