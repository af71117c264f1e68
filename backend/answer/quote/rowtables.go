package quote

import (
	"context"
	"sync"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// table is a source with rows.
type table struct {
	rows []evidence.Row
	from rank.Candidate // one of its passages
}

// RowCache keeps the rows of the texts that were asked last: conversations stay
// with their files. The zero value is ready; safe for concurrent use.
type RowCache struct {
	mu    sync.Mutex
	rows  map[string][]evidence.Row // by digest
	order []string                  // oldest first
	size  int
}

const rowsCached = 20_000

func (c *RowCache) get(digest string) ([]evidence.Row, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows, ok := c.rows[digest]
	return rows, ok
}

func (c *RowCache) put(digest string, rows []evidence.Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.rows[digest]; known {
		return
	}
	if c.rows == nil {
		c.rows = map[string][]evidence.Row{}
	}
	c.rows[digest] = rows
	c.order = append(c.order, digest)
	for c.size += len(rows) + 1; c.size > rowsCached && len(c.order) > 1; c.order = c.order[1:] {
		c.size -= len(c.rows[c.order[0]]) + 1
		delete(c.rows, c.order[0])
	}
}

// tablesOf are the sources of the pool that have tables: pages that were read, and
// the best files.
func tablesOf(ctx context.Context, pool []rank.Candidate, sources int, d Deps) []table {
	var tables []table
	seen := map[string]bool{}
	for _, c := range pool {
		digest := c.Source.Digest
		if seen[digest] || c.Snippet || len(seen) == sources {
			continue
		}
		seen[digest] = true
		rows, known := d.Rows.get(digest)
		if !known {
			doc, ok := d.Texts.Document(ctx, c.Source)
			if !ok {
				continue
			}
			if rows = evidence.Rows(doc); len(rows) > rowsOfFile {
				rows = nil
			}
			d.Rows.put(digest, rows)
		}
		if len(rows) > 0 {
			tables = append(tables, table{rows, c})
		}
	}
	return tables
}
