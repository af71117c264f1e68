// Package cells answers what a question asks over the rows of tables: it finds the table that is
// meant and the rows that have what is named, and counts, lists, adds up or compares them.
package cells

import (
	"footnote/backend/answer/cells/along"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// Asked is a question as it is held against tables.
type Asked struct {
	along.Asked
	spoken lang.Code // its language
}

// Read reads a question.
func Read(c *cite.Checker, question string) Asked {
	return Asked{along.Read(c, question), lang.Spoken(question)}
}
