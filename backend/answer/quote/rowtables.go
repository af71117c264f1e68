package quote

import (
	"context"

	"footnote/backend/answer/quote/rowcache"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// table is a source with rows.
type table struct {
	rows []evidence.Row
	from rank.Candidate // one of its passages
}

// RowCache keeps the rows of the texts that were asked last.
type RowCache = rowcache.Cache

// tablesOf are the sources of the pool that have tables: pages that were read, and
// the best files.
func tablesOf(ctx context.Context, pool []rank.Candidate, sources int, d Deps) []table {
	var tables []table
	seen := map[string]bool{}
	for _, c := range pool {
		digest := c.Source.Digest
		if seen[digest] || c.Snippet || len(tables) == sources || len(seen) == 4*sources { // most have none
			continue
		}
		seen[digest] = true
		rows, known := d.Rows.Get(digest)
		if !known {
			doc, ok := d.Texts.Document(ctx, c.Source)
			if !ok {
				continue
			}
			rows = d.Rows.Put(digest, doc)
		}
		if len(rows) > 0 {
			tables = append(tables, table{rows, c})
		}
	}
	return tables
}
