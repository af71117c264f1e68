package plain

import (
	"slices"
	"strings"
)

// Nearest is the name that a typed one was most likely meant as: it goes on where
// the typed one ends, or differs by two letters at the most. Empty where none does.
func Nearest(typed string, names []string) string {
	const most = 2
	typed = strings.ToLower(typed)
	best, least := "", most+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		d := Distance(typed, name)
		if typed != "" && strings.HasPrefix(name, typed) {
			d = 0
		}
		if d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// Distance is how many letters must be put in, left out, changed or swapped with
// their neighbour to make other of text.
func Distance(text, other string) int {
	a, b := []rune(text), []rune(other)
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
