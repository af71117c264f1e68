package web

import (
	"slices"
	"strings"

	"footnote/backend/fault"
)

// QueryRunes is the most characters of a query that any engine is sent.
const QueryRunes = 2000

// placeholders are words by which a model or a program says that it has no
// query; sending them finds pages about the words.
var placeholders = []string{"undefined", "null", "none", "nil", "nan", "no_search", "[object object]", "n/a"}

// Query makes a query ready to be sent: one line, cut at a word border to the
// engine's limit in characters (0 means QueryRunes). An empty or placeholder
// query is the fault invalid-request and must not be sent.
func Query(raw string, limit int) (string, error) {
	if limit <= 0 || limit > QueryRunes {
		limit = QueryRunes
	}
	q := cleanLine(raw, 1<<30)
	if q == "" || slices.Contains(placeholders, strings.ToLower(strings.Trim(q, `"'<>.`))) {
		return "", fault.New(fault.InvalidRequest, "There is nothing to search for.", "Ask a question with words in it.")
	}
	return cutAt(q, limit, ""), nil
}
