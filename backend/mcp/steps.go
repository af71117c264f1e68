package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// A file is read in steps by these tools: which files there are on a matter, how
// one is divided, where in it some words stand, and then that stretch by
// read_source. Starts and ends count code points of the whole text.

const (
	usualFiles, usualHits = 8, 12
	mostHeadings          = 200
	mostLine              = 300 // characters of one place
)

type foundFile struct {
	Source  evidence.SourceID `json:"source"`
	Title   string            `json:"title"`
	Path    string            `json:"path"`
	Section string            `json:"section,omitempty"` // where its best passage stands
	Start   int               `json:"start"`             // of that passage
}

// findFiles are the files whose passages fit a query best, each once.
func (r Rooms) findFiles(ctx context.Context, in input) (Reply, error) {
	if strings.TrimSpace(in.Query) == "" {
		return Reply{}, fault.New(fault.QuestionEmpty, "The query is empty.", "Say what to look for.")
	}
	items, seen := []foundFile{}, map[evidence.SourceID]bool{}
	if r.Shelf != nil {
		ctx, cancel := context.WithTimeout(ctx, searchTime)
		defer cancel()
		found, err := r.Shelf.Search(ctx, in.Query, contract.Scope{}, mostFound)
		if err != nil {
			return Reply{}, err
		}
		for _, f := range found {
			if !seen[f.Source.ID] && len(items) < limit(in.Limit, usualFiles) {
				seen[f.Source.ID] = true
				items = append(items, foundFile{f.Source.ID, f.Source.Title, f.Source.Address, harmless(oneLine(f.Passage.At.Heading), mostLine), f.Passage.At.Start})
			}
		}
	}
	var b strings.Builder
	for _, f := range items {
		fmt.Fprintf(&b, "%s %s (from %d: %s)\n", f.Source, f.Path, f.Start, f.Section)
	}
	if len(items) == 0 {
		b.WriteString("Nothing was found in the user's files.")
	}
	return structured(strings.TrimSpace(b.String()), map[string]any{"items": items})
}

// place is a stretch of a text: a heading, or a line with words that are looked for.
type place struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Level int    `json:"level,omitempty"` // of a heading
	Text  string `json:"text"`
}

// outline are the headings of a source.
func (r Rooms) outline(ctx context.Context, in input) (Reply, error) {
	return r.places(ctx, in, mostHeadings, func(b evidence.Block, _ string) bool { return b.Kind == evidence.Heading }, "It has no headings; look for words with grep.")
}

// grep are the lines of a source that have all words of a query, in any case.
func (r Rooms) grep(ctx context.Context, in input) (Reply, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	if len(words) == 0 {
		return Reply{}, fault.New(fault.QuestionEmpty, "The query is empty.", "Say which words to look for.")
	}
	return r.places(ctx, in, limit(in.Limit, usualHits), func(_ evidence.Block, text string) bool {
		text = strings.ToLower(text)
		for _, word := range words {
			if !strings.Contains(text, word) {
				return false
			}
		}
		return true
	}, "No line has all of these words; try fewer.")
}

// places are the blocks of a source that are wanted, as many as most, and how many
// there are in all.
func (r Rooms) places(ctx context.Context, in input, most int, wanted func(evidence.Block, string) bool, none string) (Reply, error) {
	info, err := r.Archive.Source(ctx, evidence.SourceID(in.ID))
	if err != nil {
		return Reply{}, err
	}
	text, blocks, err := r.Archive.SourceText(ctx, info.ID)
	if err != nil {
		return Reply{}, err
	}
	items, total, runes, at := []place{}, 0, 0, 0
	var b strings.Builder
	for _, block := range blocks {
		if block.Start < at || block.End > len(text) || block.End < block.Start {
			continue
		}
		runes += utf8.RuneCountInString(text[at:block.Start])
		at = block.Start
		said := text[block.Start:block.End]
		if !wanted(block, said) {
			continue
		}
		if total++; len(items) == most {
			continue
		}
		p := place{Start: runes, End: runes + utf8.RuneCountInString(said), Level: block.Level, Text: harmless(oneLine(said), mostLine)}
		if block.Kind != evidence.Heading {
			p.Level = 0
		}
		items = append(items, p)
		fmt.Fprintf(&b, "%d-%d %s%s\n", p.Start, p.End, strings.Repeat("  ", max(0, p.Level-1)), p.Text)
	}
	switch {
	case total == 0:
		b.WriteString(none)
	case total > len(items):
		fmt.Fprintf(&b, "(%d of %d are shown)", len(items), total)
	}
	return structured(strings.TrimRight(b.String(), "\n"), map[string]any{"items": items, "total": total})
}
