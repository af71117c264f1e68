package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"footnote/backend/library/topics"
	"footnote/backend/store/sqlite"
)

func putTopics(ctx context.Context, tx *sqlite.Tx, text int64, words []topics.Word, best []string) error {
	frequent, err := json.Marshal(words)
	if err != nil {
		return err
	}
	chosen, err := json.Marshal(best)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO topics (text, words, chosen) VALUES (?, ?, ?)`, text, string(frequent), string(chosen))
	return err
}

// TopicTexts counts the texts of the shelf that have topic words.
func (d *DB) TopicTexts(ctx context.Context) (n int, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT count(*) FROM topics o JOIN texts t ON t.n = o.text WHERE +t.shelved = 1`).Scan(&n)
	return n, sqlite.Explain(err, "count texts with topics")
}

// TopicWords gives the frequent words of the texts on the shelf, by their number.
func (d *DB) TopicWords(ctx context.Context) (map[int64][]topics.Word, error) {
	found := map[int64][]topics.Word{}
	scan := func(rows *sql.Rows) (struct{}, error) {
		var n int64
		var text string
		if err := rows.Scan(&n, &text); err != nil {
			return struct{}{}, err
		}
		var words []topics.Word
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			return struct{}{}, sqlite.Damaged(err)
		}
		found[n] = words
		return struct{}{}, nil
	}
	_, err := sqlite.Collect(ctx, d.r, scan, `SELECT o.text, o.words FROM topics o JOIN texts t ON t.n = o.text WHERE +t.shelved = 1`)
	return found, sqlite.Explain(err, "read topic words")
}

// topicsAtOnce bounds how long other writers wait for PutTopics.
const topicsAtOnce = 2000

// PutTopics sets the topics of texts; those that are gone are passed over.
func (d *DB) PutTopics(ctx context.Context, chosen map[int64][]string) error {
	texts := make([]int64, 0, len(chosen))
	for n := range chosen {
		texts = append(texts, n)
	}
	slices.Sort(texts)
	for part := range slices.Chunk(texts, topicsAtOnce) {
		err := d.write(ctx, "store topics", func(tx *sqlite.Tx) error {
			for _, n := range part {
				list, err := json.Marshal(chosen[n])
				if err != nil {
					return err
				}
				if _, err := tx.ExecContext(ctx, `UPDATE topics SET chosen = ?1 WHERE text = ?2 AND chosen <> ?1`, string(list), n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
