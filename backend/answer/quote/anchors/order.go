package anchors

import (
	"strings"

	"footnote/backend/lang"
)

// InOrder reports whether a clause has the names of a question in its order:
// whoever beat another was not beaten. Where names have no capital all is in order.
func InOrder(question, clause string, code lang.Code) bool {
	if code == lang.German { // nouns have one too
		return true
	}
	clause = strings.ToLower(clause)
	last := -1
	for _, name := range NamesIn(question) {
		at := strings.Index(clause, NameStem(name))
		if at < 0 {
			continue
		}
		if at < last {
			return false
		}
		last = at
	}
	return true
}
