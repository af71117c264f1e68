package store

import (
	"fmt"
	"strconv"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/walk"
	"footnote/backend/records"
)

// order is a way in which files are listed: what SQL compares, and the same of a
// row in hand, from which the next page goes on.
type order struct {
	sql string
	key func(library.File) any
}

var nameSQL = lastPart("f.folded", walk.Separator)

var orders = map[string]order{
	"name": {nameSQL, func(f library.File) any { return nameOf(f) }},
	"kind": {`CASE WHEN instr(` + nameSQL + `, '.') > 0 THEN ` + lastPart(nameSQL, ".") + ` ELSE '' END`, func(f library.File) any {
		if name := nameOf(f); strings.Contains(name, ".") {
			return afterLast(name, ".")
		}
		return ""
	}},
	"size": {"f.size", func(f library.File) any { return f.Stamp.Size }},
	"date": {"f.modified", func(f library.File) any { return f.Stamp.Modified }},
}

// lastPart is SQL for what follows the last separator in an expression.
func lastPart(expression, separator string) string {
	return `substr(` + expression + `, length(rtrim(` + expression + `, replace(` + expression + `, '` + separator + `', ''))) + 1)`
}

func nameOf(f library.File) string { return afterLast(strings.ToLower(f.Path), walk.Separator) }

func afterLast(s, separator string) string { return s[strings.LastIndex(s, separator)+1:] }

// sorted puts files in the order of a wish, which begins with "-" the other way
// round. A cursor is the number of the last row, and what the row was sorted by.
func (s *selection) sorted(wish, after string) error {
	by, down := strings.CutPrefix(wish, "-")
	o, ok := orders[by]
	if !ok {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("Files are not sorted by %q.", wish), "Use name, date, size or kind, with - before it for the other way.")
	}
	way, beyond := "", ">"
	if down {
		way, beyond = " DESC", "<"
	}
	s.tail = ` ORDER BY ` + o.sql + way + `, f.n` + way
	if after == "" {
		return nil
	}
	number, text, _ := strings.Cut(after, " ")
	n, err := records.CursorNumber(number, 0)
	if err != nil {
		return err
	}
	var key any = text
	if by == "size" || by == "date" {
		if key, err = strconv.ParseInt(text, 10, 64); err != nil {
			return records.BadCursor(err)
		}
	}
	s.and(`(`+o.sql+`, f.n) `+beyond+` (?, ?)`, key, n)
	return nil
}

// cursorAfter is where the page after this row begins.
func cursorAfter(wish string, last numberedFile) string {
	if wish == "" {
		return fmt.Sprint(last.n)
	}
	return fmt.Sprintf("%d %v", last.n, orders[strings.TrimPrefix(wish, "-")].key(last.File))
}
