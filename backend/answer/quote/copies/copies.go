// Package copies tells which sources say the same sentence.
package copies

import (
	"slices"

	"footnote/backend/cite"
)

// Of are the numbers of the sources of each sentence, by what it says: of copies of a
// file one sentence is a candidate, and the others leave their places to what says more.
type Of map[string][]int

// First notes the source of a sentence and reports whether it is the first that says so.
func (o Of) First(sentence string, source int) bool {
	key := cite.Same(sentence)
	first := len(o[key]) == 0
	if !slices.Contains(o[key], source) {
		o[key] = append(o[key], source)
	}
	return first
}

// Others are the other sources of a sentence.
func (o Of) Others(sentence string, source int) []int {
	return slices.DeleteFunc(slices.Clone(o[cite.Same(sentence)]), func(n int) bool { return n == source })
}
