package quote

import (
	"context"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// table is a source with rows.
type table struct {
	rows []evidence.Row
	from rank.Candidate // one of its passages
}

// RowCache keeps the rows of the texts that were asked last, and how those open:
// conversations stay with their files. The zero value is ready; safe for concurrent
// use.
type RowCache struct {
	mu    sync.Mutex
	texts map[string]readText // by digest
	order []string            // oldest first
	size  int
}

type readText struct {
	rows    []evidence.Row
	lists   []list
	opening string // of a long text
}

const (
	openingRunes = 1_500 // of a text, in which it says what it is
	longText     = 6_000 // bytes from which that is not most of it
)

func readTextOf(doc evidence.Document) (t readText) {
	if t.rows = evidence.Rows(doc); len(t.rows) > rowsOfFile {
		t.rows = nil
	}
	t.rows = slices.DeleteFunc(t.rows, func(r evidence.Row) bool { return statements.HasLeaders(r.Label) })
	t.lists = listsOf(doc)
	if len(doc.Text) >= longText {
		opening := []rune(strings.ToValidUTF8(doc.Text[:longText], ""))
		t.opening = string(opening[:min(openingRunes, len(opening))])
	}
	return t
}

// size is what a text takes of the cache.
func (t readText) size() int { return len(t.rows) + len(t.lists) + 1 }

// Opening is how a long text opens that FindRows read; empty for others.
func (c *RowCache) Opening(digest string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[digest].opening
}

// lists are the lists of a text that FindRows read.
func (c *RowCache) lists(digest string) []list {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[digest].lists
}

const rowsCached = 20_000

func (c *RowCache) get(digest string) ([]evidence.Row, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.texts[digest]
	return t.rows, ok
}

func (c *RowCache) put(digest string, t readText) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.texts[digest]; known {
		return
	}
	if c.texts == nil {
		c.texts = map[string]readText{}
	}
	c.texts[digest] = t
	c.order = append(c.order, digest)
	for c.size += t.size(); c.size > rowsCached && len(c.order) > 1; c.order = c.order[1:] {
		c.size -= c.texts[c.order[0]].size()
		delete(c.texts, c.order[0])
	}
}

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
		rows, known := d.Rows.get(digest)
		if !known {
			doc, ok := d.Texts.Document(ctx, c.Source)
			if !ok {
				continue
			}
			read := readTextOf(doc)
			rows = read.rows
			d.Rows.put(digest, read)
		}
		if len(rows) > 0 {
			tables = append(tables, table{rows, c})
		}
	}
	return tables
}
