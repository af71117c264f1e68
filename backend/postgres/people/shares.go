package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/postgres"
	"footnote/backend/team/sharing"
)

// Sharing is what one person shares, and what others share with them.
type Sharing struct {
	DB  *postgres.DB
	Own *postgres.Own
}

var _ sharing.Store = Sharing{}

// Shares lists with whom a conversation of this person is shared; of a link not who
// came by it.
func (s Sharing) Shares(ctx context.Context, thread contract.ThreadID) (list []sharing.Share, err error) {
	if _, err := s.Own.Title(ctx, thread); err != nil {
		return nil, err
	}
	err = postgres.Reading(ctx, s.Own, "list shares", func(tx pgx.Tx, may postgres.May) error {
		list, err = rowsOf(ctx, tx, func(row pgx.CollectableRow) (g sharing.Share, err error) {
			return g, row.Scan(&g.ID, &g.Kind, &g.To, &g.Made)
		}, `SELECT s.id, CASE WHEN s.link IS NOT NULL THEN 'link' WHEN s.grp IS NULL THEN 'person' ELSE 'group' END, n.name, s.made
			FROM shares s JOIN shared d ON d.id = s.shared JOIN share_names n ON n.id = s.id WHERE d.person = ANY ($1) AND d.thread = $2 AND s.via IS NULL ORDER BY s.made, s.id`, may.Own, thread)
		return err
	})
	return list, err
}

// Give shares a conversation with a person, or with a group that this person is in.
func (s Sharing) Give(ctx context.Context, thread contract.ThreadID, name string) (sharing.Share, error) {
	if _, err := s.Own.Title(ctx, thread); err != nil {
		return sharing.Share{}, err
	}
	to, err := s.DB.GranteeNamed(ctx, name)
	if err != nil {
		return sharing.Share{}, err
	}
	if err := s.mayBeGiven(ctx, to); err != nil {
		return sharing.Share{}, err
	}
	return s.share(ctx, thread, to, nil)
}

func (s Sharing) mayBeGiven(ctx context.Context, to postgres.Grantee) error {
	me := postgres.PersonOf(s.Own)
	if to.Person == me {
		return fault.New(fault.InvalidRequest, "This conversation is yours.", "Name somebody else.")
	}
	if to.Person != 0 {
		return nil
	}
	return postgres.Owning(ctx, s.DB, "look at group", func(tx pgx.Tx) error {
		var member bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM members WHERE grp = $1 AND person = $2)`, to.Group, me).Scan(&member)
		if err == nil && !member {
			err = fault.New(fault.NotFound, "You are in no such group.", "Share with people, or with a group that you are in.")
		}
		return err
	})
}

// Link shares a conversation with whoever of the team has its secret, which is told
// once.
func (s Sharing) Link(ctx context.Context, thread contract.ThreadID) (sharing.Share, error) {
	var bits [32]byte
	rand.Read(bits[:])
	secret := base64.RawURLEncoding.EncodeToString(bits[:])
	if _, err := s.Own.Title(ctx, thread); err != nil {
		return sharing.Share{}, err
	}
	share, err := s.share(ctx, thread, postgres.Grantee{}, hashOf(secret))
	share.Secret = secret
	return share, err
}

func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// share adds a share, and gives the one that there is.
func (s Sharing) share(ctx context.Context, thread contract.ThreadID, to postgres.Grantee, link []byte) (g sharing.Share, err error) {
	err = postgres.Writing(ctx, s.Own, "share conversation", func(tx pgx.Tx, may postgres.May) error {
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO shared (id, person, thread) VALUES ($1, $2, $3) ON CONFLICT (person, thread) DO NOTHING`, evidence.ID("shd", rand.Text()), postgres.PersonOf(s.Own), thread)
		batch.Queue(`INSERT INTO shares (id, shared, person, grp, link) SELECT $1, id, nullif($4::bigint, 0), nullif($5::bigint, 0), $6 FROM shared WHERE person = $2 AND thread = $3 ON CONFLICT DO NOTHING`,
			evidence.ID("shr", rand.Text()), postgres.PersonOf(s.Own), thread, to.Person, to.Group, link)
		batch.Queue(`INSERT INTO audit (person, what, about) SELECT $1, 'shared', $2 || ' with ' || coalesce('person ' || nullif($3::bigint, 0), 'group ' || nullif($4::bigint, 0), 'a link')`, postgres.PersonOf(s.Own), string(thread), to.Person, to.Group)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT s.id, CASE WHEN s.link IS NOT NULL THEN 'link' WHEN s.grp IS NULL THEN 'person' ELSE 'group' END, n.name, s.made FROM shares s JOIN shared d ON d.id = s.shared JOIN share_names n ON n.id = s.id
			WHERE d.person = ANY ($1) AND d.thread = $2 AND s.via IS NULL AND (s.person = $3 OR s.grp = $4 OR s.link = $5)`, may.Own, thread, to.Person, to.Group, link).Scan(&g.ID, &g.Kind, &g.To, &g.Made)
	})
	return g, err
}

// Take ends a share, and with a link all that came by it. The next statement of
// whoever had it knows nothing of the conversation.
func (s Sharing) Take(ctx context.Context, thread contract.ThreadID, share string) error {
	return postgres.Writing(ctx, s.Own, "end share", func(tx pgx.Tx, may postgres.May) error {
		tag, err := tx.Exec(ctx, `DELETE FROM shares s USING shared d WHERE d.id = s.shared AND d.person = ANY ($1) AND d.thread = $2 AND s.id = $3`, may.Own, thread, share)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return missing()
		}
		_, err = tx.Exec(ctx, `INSERT INTO audit (person, what, about) VALUES ($1, 'ended share', $2)`, postgres.PersonOf(s.Own), string(thread))
		return err
	})
}

func missing() error {
	return fault.New(fault.NotFound, "There is nothing of this name that is shared with you.", "It may have been taken back.")
}
