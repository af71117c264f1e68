package answer

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

// rowCache keeps the rows of the texts that were asked last: conversations stay
// with their files. The zero value is ready; safe for concurrent use.
type rowCache struct {
	mu    sync.Mutex
	rows  map[string][]evidence.Row // by digest
	order []string                  // oldest first
	size  int
}

const rowsCached = 20_000

func (c *rowCache) get(digest string) ([]evidence.Row, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows, ok := c.rows[digest]
	return rows, ok
}

func (c *rowCache) put(digest string, rows []evidence.Row) {
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

// tables are the sources of the pool that have tables: pages that were read, and
// the best files.
func (p *pipeline) tables(ctx context.Context, pool []rank.Candidate) []table {
	var tables []table
	seen := map[string]bool{}
	for _, c := range pool {
		digest := c.Source.Digest
		if seen[digest] || c.Snippet || len(seen) == rowFiles+len(p.pages) {
			continue
		}
		seen[digest] = true
		rows, known := p.tableRows.get(digest)
		if !known {
			doc, err := p.wholeText(ctx, c.Source)
			if err != nil {
				p.live.log.Warn("read tables", "source", c.Source.ID, "err", err)
				continue
			}
			if rows = evidence.Rows(doc); len(rows) > rowsOfFile {
				rows = nil
			}
			p.tableRows.put(digest, rows)
		}
		if len(rows) > 0 {
			tables = append(tables, table{rows, c})
		}
	}
	return tables
}

// wholeText is what was read of a source: a page of this run, or a stored file.
func (p *pipeline) wholeText(ctx context.Context, src evidence.Source) (evidence.Document, error) {
	for _, doc := range p.pages {
		if doc.Source.Digest == src.Digest {
			return doc, nil
		}
	}
	doc := evidence.Document{Source: src}
	if p.Texts == nil || src.Kind != evidence.File {
		return doc, nil
	}
	var err error
	doc.Text, doc.Blocks, err = p.Texts.Text(ctx, src.Digest)
	return doc, err
}

// splitAgain makes the passages of a candidate's source as the library does.
func (p *pipeline) splitAgain(ctx context.Context, c rank.Candidate) []rank.Candidate {
	doc, err := p.wholeText(ctx, c.Source)
	if err != nil {
		p.live.log.Warn("read text of a table", "source", c.Source.ID, "err", err)
	}
	return p.splitDocument(doc, c)
}

func (p *pipeline) splitDocument(doc evidence.Document, c rank.Candidate) []rank.Candidate {
	c.Score = evidence.Score{Boost: c.Score.Boost, Partial: c.Score.Partial}
	out := []rank.Candidate{}
	for _, c.Passage = range evidence.Split(doc, evidence.SplitOptions{Max: p.s.Library.ChunkChars, Overlap: p.s.Library.ChunkOverlap, Whole: p.s.Library.WholeChars}) {
		out = append(out, c)
	}
	return out
}
