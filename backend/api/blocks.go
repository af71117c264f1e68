package api

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// TextBlock is a heading, paragraph, item of a list, row of a table or piece of
// code in a text, in code points of the whole text.
type TextBlock struct {
	Kind  evidence.BlockKind `json:"kind"`
	Level int                `json:"level"` // of a heading, 1 to 6; of an item, in how many lists it stands, 0 where that is not known
	Line  int                `json:"line"`  // of its file, where that is counted
	Start int                `json:"start"`
	End   int                `json:"end"`
	// Language is that of code, as its file names it; empty where it does not.
	Language string `json:"language,omitempty"`
	Quoted   int    `json:"quoted,omitempty"`  // of a paragraph or item: in how many quotations it stands
	GoesOn   bool   `json:"goes_on,omitempty"` // a further paragraph of the item before it
	Ordered  bool   `json:"ordered,omitempty"` // an item with a number
	Number   int    `json:"number,omitempty"`
}

// blocksWithin gives the blocks of a text between two of its bytes; one that
// reaches beyond is cut there.
func blocksWithin(text string, blocks []evidence.Block, from, to int) []TextBlock {
	within := []TextBlock{}
	byteAt, at := 0, 0
	points := func(offset int) int {
		at += utf8.RuneCountInString(text[byteAt:offset])
		byteAt = offset
		return at
	}
	for _, b := range blocks {
		start, end := max(b.Start, from), min(b.End, to)
		if start >= end {
			continue
		}
		shown := TextBlock{Kind: b.Kind, Line: b.Line, Start: points(start), End: points(end)}
		switch b.Kind {
		case evidence.Heading:
			shown.Level = b.Level
		case evidence.Code:
			shown.Language = b.Label
			if b.Line > 0 {
				shown.Line += strings.Count(text[b.Start:start], "\n")
			}
		case evidence.Paragraph, evidence.ListItem:
			n := b.Nested()
			shown.Level, shown.Quoted, shown.GoesOn, shown.Ordered, shown.Number = n.Depth, n.Quoted, n.GoesOn, n.Ordered, n.Number
		}
		within = append(within, shown)
	}
	return within
}
