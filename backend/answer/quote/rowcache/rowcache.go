// Package rowcache keeps what was read of the texts that were asked last: rows of their tables,
// their lists, and how they open.
package rowcache

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
)

// Cache keeps the rows of the texts that were asked last, and how those open:
// conversations stay with their files. The zero value is ready; safe for concurrent
// use.
type Cache struct {
	mu    sync.Mutex
	texts map[string]readText // by digest
	order []string            // oldest first
	size  int
}

type readText struct {
	rows    []evidence.Row
	lists   []List
	opening string // of a long text
}

const (
	rowsOfFile   = 4000  // rows of a file that has more are left to the passages
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

// Opening is how a long text opens that was read; empty for others.
func (c *Cache) Opening(digest string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[digest].opening
}

// Lists are the lists of a text that was read.
func (c *Cache) Lists(digest string) []List {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[digest].lists
}

const rowsCached = 20_000

// Get gives the rows of a text; ok is false where it was not read.
func (c *Cache) Get(digest string) (rows []evidence.Row, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.texts[digest]
	return t.rows, ok
}

// Put reads a text and gives its rows.
func (c *Cache) Put(digest string, doc evidence.Document) []evidence.Row {
	t := readTextOf(doc)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.texts[digest]; known {
		return t.rows
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
	return t.rows
}

// List are the items of a list of a text, in code points.
type List []evidence.Span

// listsOf are the lists of a document: items with nothing but blanks between them.
func listsOf(doc evidence.Document) (lists []List) {
	end, last, at, runes := -1, evidence.Paragraph, 0, 0
	for _, b := range doc.Blocks {
		if b.Start < at || b.End < b.Start || b.End > len(doc.Text) {
			continue
		}
		gap := doc.Text[at:b.Start]
		runes += utf8.RuneCountInString(gap)
		item := evidence.Span{Start: runes, End: runes + utf8.RuneCountInString(doc.Text[b.Start:b.End])}
		goesOn := end >= 0 && last == evidence.ListItem && strings.TrimSpace(gap) == ""
		switch {
		case b.Kind != evidence.ListItem:
		case goesOn && !strings.Contains(gap, "\n"):
			items := lists[len(lists)-1]
			items[len(items)-1].End = item.End
		case goesOn:
			lists[len(lists)-1] = append(lists[len(lists)-1], item)
		default:
			lists = append(lists, List{item})
		}
		end, last, at, runes = b.End, b.Kind, b.End, item.End
	}
	return slices.DeleteFunc(lists, func(l List) bool { return len(l) < 2 })
}
