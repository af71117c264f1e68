// Package tally knows how many files and passages there are of each class. A page asks
// twice a second how far the work is, and so does whoever waits for it or searches
// meanwhile. To count the rows takes as long as there are many, so they are counted
// once, and what the writer changes is added up from there (ADR 103).
package tally

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"footnote/backend/store/sqlite"
)

// FileClass and TextClass are what files and texts are told apart by.
type (
	FileClass struct {
		State  string
		Listed bool
	}
	TextClass struct {
		Indexed  bool
		Vectored string // embedder
	}
)

// Sum is how many files there are, and how large they are.
type Sum struct{ N, Bytes int64 }

// Shelf is how many texts there are, and of how many passages.
type Shelf struct{ N, Passages int64 }

// Classes are files by root, and texts on the shelf.
type Classes struct {
	Files map[string]map[FileClass]Sum
	Texts map[TextClass]Shelf
}

func newClasses() Classes {
	return Classes{map[string]map[FileClass]Sum{}, map[TextClass]Shelf{}}
}

func (c *Classes) addFiles(root string, class FileClass, more Sum) {
	of := c.Files[root]
	if of == nil {
		of = map[FileClass]Sum{}
		c.Files[root] = of
	}
	sum := Sum{of[class].N + more.N, of[class].Bytes + more.Bytes}
	if of[class] = sum; sum == (Sum{}) {
		delete(of, class)
	}
	if len(of) == 0 {
		delete(c.Files, root)
	}
}

func (c *Classes) addTexts(class TextClass, more Shelf) {
	sum := Shelf{c.Texts[class].N + more.N, c.Texts[class].Passages + more.Passages}
	if c.Texts[class] = sum; sum == (Shelf{}) {
		delete(c.Texts, class)
	}
}

// Tally is a watcher of the writer. The zero value knows nothing; it begins with Begin.
// Safe for concurrent use.
type Tally struct {
	mu      sync.Mutex
	begun   bool // changes are watched from here on
	known   bool // all is as the rows say that are on disk
	doubt   bool // a row of the transaction could not be read
	running bool // a transaction has changed rows and has not ended
	version int  // grows with each such end
	all     Classes
	changes Classes // of the transaction
}

// Begin is called when the database is open: what a migration changed counts no more.
func (c *Tally) Begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun, c.known, c.doubt, c.running, c.changes = true, false, false, false, newClasses()
}

// Places of the columns that are counted, and how many columns that takes.
const (
	fileRoot, fileListed, fileSize, fileState, fileColumns          = 4, 5, 7, 10, 11
	textPassages, textShelved, textIndexed, textVectored, textWidth = 9, 10, 11, 12, 13
)

// Columns tells the writer what is wanted of a table.
func (c *Tally) Columns(table string) int {
	switch table {
	case "files":
		return fileColumns
	case "texts":
		return textWidth
	}
	return 0
}

// Changed takes a row of the transaction that is going on.
func (c *Tally) Changed(table string, before, after []any, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun {
		return
	}
	add := c.changes.changeFile
	if table == "texts" {
		add = c.changes.changeText
	}
	c.running = true
	if err != nil || !add(before, -1) || !add(after, 1) {
		c.doubt = true
	}
}

// changeFile reports whether a row could be read; none is no change.
func (c *Classes) changeFile(row []any, sign int64) bool {
	if row == nil {
		return true
	}
	root, named := row[fileRoot].(string)
	state, stated := row[fileState].(string)
	listed, told := row[fileListed].(int64)
	size, sized := row[fileSize].(int64)
	c.addFiles(root, FileClass{state, listed != 0}, Sum{sign, sign * size})
	return named && stated && told && sized
}

func (c *Classes) changeText(row []any, sign int64) bool {
	if row == nil {
		return true
	}
	passages, counted := row[textPassages].(int64)
	shelved, told := row[textShelved].(int64)
	indexed, known := row[textIndexed].(int64)
	vectored, named := row[textVectored].(string)
	if shelved == 1 {
		c.addTexts(TextClass{indexed != 0, vectored}, Shelf{sign, sign * passages})
	}
	return counted && told && known && named
}

// Ended adds up what a transaction changed, if it was kept. What became of one that
// failed at its end is for the rows to say.
func (c *Tally) Ended(kept bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return
	}
	c.running, c.version = false, c.version+1
	if !kept || c.doubt {
		c.known = false
	}
	if c.known {
		for root, of := range c.changes.Files {
			for class, more := range of {
				c.all.addFiles(root, class, more)
			}
		}
		for class, more := range c.changes.Texts {
			c.all.addTexts(class, more)
		}
	}
	c.doubt, c.changes = false, newClasses()
}

// Read calls fn with the counts: those at hand, else the rows are counted, and kept
// if nothing changed meanwhile.
func (c *Tally) Read(ctx context.Context, from sqlite.Querier, fn func(Classes)) error {
	c.mu.Lock()
	if c.known {
		defer c.mu.Unlock()
		fn(c.all)
		return nil
	}
	version, still := c.version, c.begun && !c.running
	c.mu.Unlock()
	all, err := countRows(ctx, from)
	if err != nil {
		return err
	}
	fn(all)
	c.mu.Lock()
	defer c.mu.Unlock()
	if still && !c.running && c.version == version && !c.known {
		c.all, c.known = all, true
	}
	return nil
}

func countRows(ctx context.Context, from sqlite.Querier) (Classes, error) {
	all := newClasses()
	files := func(rows *sql.Rows) (none struct{}, err error) {
		var root string
		var class FileClass
		var sum Sum
		err = rows.Scan(&root, &class.State, &class.Listed, &sum.N, &sum.Bytes)
		all.addFiles(root, class, sum)
		return none, err
	}
	texts := func(rows *sql.Rows) (none struct{}, err error) {
		var class TextClass
		var sum Shelf
		err = rows.Scan(&class.Indexed, &class.Vectored, &sum.N, &sum.Passages)
		all.addTexts(class, sum)
		return none, err
	}
	_, unfiled := sqlite.Collect(ctx, from, files, `SELECT root, state, listed, count(*), sum(size) FROM files GROUP BY root, state, listed`)
	_, unread := sqlite.Collect(ctx, from, texts, `SELECT indexed, vectored, count(*), sum(passages) FROM texts WHERE shelved = 1 GROUP BY indexed, vectored`)
	return all, errors.Join(unfiled, unread)
}
