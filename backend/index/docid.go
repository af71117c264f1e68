package index

import (
	"strings"

	"footnote/backend/evidence"
)

// A passage stands in the postings under the bytes that its id writes in letters:
// the dictionary of ids is the largest there is, and half of it is what letters take
// more. An id that is written in another way stands behind otherID, which is longer
// than a key, so that none is taken for one.
const otherID = "another passage: "

func docID(id evidence.PassageID) string {
	if k, ok := id.Key(); ok {
		return string(k[:])
	}
	return otherID + string(id)
}

// passageOf is the id of a passage of the postings.
func passageOf(doc string) evidence.PassageID {
	if len(doc) == len(key{}) {
		return evidence.PassageOf(key([]byte(doc)))
	}
	return evidence.PassageID(strings.TrimPrefix(doc, otherID))
}
