package statements

import (
	"strings"

	"footnote/backend/evidence"
)

// ClausesOf are the parts of a sentence between commas, colons, semicolons and dashes.
func ClausesOf(text string) (clauses []evidence.Span) {
	start := 0
	for i, r := range text {
		if strings.ContainsRune(",;:–—；：，、،", r) {
			clauses, start = append(clauses, evidence.Span{Start: start, End: i}), i
		}
	}
	return append(clauses, evidence.Span{Start: start, End: len(text)})
}
