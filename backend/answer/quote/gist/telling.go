package gist

import (
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	opens        = 2.0 // what a sentence gains that a file begins with: it says what the file is
	opensWithin  = 4   // statements
	columnsApart = "  "
	fewColumns   = 3
)

// Telling is the one sentence that says most of a file, given as its passages in order;
// of a table, the heads of its columns.
func Telling(c *cite.Checker, file []rank.Candidate) (best Sentence, ok bool) {
	for _, s := range Of(c, file) {
		if s.Passage == 0 && s.Order < opensWithin {
			s.Score *= opens
		}
		if !ok || s.Score > best.Score {
			best, ok = s, true
		}
	}
	if !ok && len(file) > 0 {
		return headsOf(file[0].Passage.Text)
	}
	return best, ok
}

// headsOf is the first line of a text that has columns.
func headsOf(text string) (s Sentence, ok bool) {
	start := 0
	for line := range strings.Lines(text) {
		said := strings.TrimSpace(line)
		if strings.Count(said, columnsApart)+1 >= fewColumns && strings.ContainsFunc(said, unicode.IsLetter) {
			from := start + strings.Index(line, said)
			return Sentence{Span: evidence.Span{Start: from, End: from + len(said)}, Text: said}, true
		}
		start += len(line)
	}
	return s, false
}
