package lang

import (
	"strings"
	"sync"
)

// elided is the class of words that lose their last letter before another word: l'eau, dell'acqua.
const elided Class = "elided"

var elidedOfAll = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, code := range codes {
		for _, form := range code.Forms(elided) {
			all[strings.TrimRight(form, "'")] = true
		}
	}
	return all
})

const longestElided = 8 // letters

// IsElided reports whether what stands before an apostrophe is, in any language, a word of its own
// that has lost its last letter.
func IsElided(before string) bool {
	return len(before) <= longestElided && elidedOfAll()[strings.ToLower(before)]
}
