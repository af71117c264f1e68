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
	Level int                `json:"level"` // of a heading, 1 to 6
	Line  int                `json:"line"`  // of its file, where that is counted
	Start int                `json:"start"`
	End   int                `json:"end"`
	// Language is that of code, as its file names it; empty where it does not.
	Language string `json:"language,omitempty"`
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
		if b.Kind == evidence.Heading {
			shown.Level = b.Level
		}
		if b.Kind == evidence.Code {
			shown.Language = b.Label
		}
		if b.Kind == evidence.Code && b.Line > 0 {
			shown.Line += strings.Count(text[b.Start:start], "\n")
		}
		within = append(within, shown)
	}
	return within
}
