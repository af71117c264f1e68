package store

import (
	"context"
	"fmt"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// A disk may change what stands on it. Each packed part has a sum, and the id of a
// passage is made of its place: a text that does not fit them is never shown. The
// files that have it are read again, and take its place with what they say.

// OnRequeued has fn called after files were sent back to be read again because
// their stored text is damaged. Call it before the first read.
func (d *DB) OnRequeued(fn func()) { d.damage.requeued = fn }

// harmedText is the fault of a text of which a part is not what was stored.
func harmedText(err error) error {
	return fault.Wrap(err, fault.DataDamaged, "The stored text of this source is damaged on the disk, so it is not shown.",
		"A file that is unchanged is read again by itself: try again in a moment. Of a web page, open its address.")
}

// harmed notes that a text is damaged, once: it leaves the shelf, gives way to the
// next reading of the same bytes, and the files that have it are due for that.
func (d *DB) harmed(ctx context.Context, text int64, cause error) {
	if _, known := d.damage.texts.LoadOrStore(text, true); known {
		return
	}
	d.log.Error("a stored text is damaged and is read again", "text", text, "err", cause)
	if d.reading {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err := d.write(ctx, "send a damaged text back", func(tx *sqlite.Tx) error {
		var digest string
		if err := tx.QueryRowContext(ctx, `UPDATE texts SET brought = 1 WHERE n = ? RETURNING digest`, text).Scan(&digest); err != nil {
			return err
		}
		if err := requeue(ctx, tx, digest); err != nil {
			return err
		}
		return unshelve(ctx, tx, digest)
	})
	if err != nil {
		d.damage.texts.Delete(text)
		d.log.Warn("a damaged text could not be sent back to be read again", "text", text, "err", err)
		return
	}
	if d.damage.requeued != nil {
		d.damage.requeued()
	}
}

// displaced tells why a passage cannot be what its id says; nil when it can.
func (r placedRow) displaced() error {
	p := r.Passage
	if _, made := p.ID.Key(); !made || evidence.NewPassageID(r.Digest, p.At.Start, p.At.End) == p.ID {
		return nil
	}
	return fmt.Errorf("passage %s does not stand at %d to %d", p.ID, p.At.Start, p.At.End)
}

// whyGone is the fault of a passage that is not to be had: its text is damaged, or
// it is not there.
func (d *DB) whyGone(ctx context.Context, id evidence.PassageID) error {
	var text int64
	err := d.r.QueryRowContext(ctx, `SELECT text FROM passages WHERE id = ?`, storedID(id)).Scan(&text)
	if _, harmed := d.damage.texts.Load(text); err == nil && harmed {
		return harmedText(fmt.Errorf("passage %s", id))
	}
	return sqlite.NotFound(err, "passage")
}
