package export

import (
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// numbersOf gives each source of an answer the number it is shown with: the first
// that the text names is 1, and so on without gaps; what it does not name follows.
func numbersOf(marks []Mark, cards []contract.SourceCard) map[int]int {
	numbers := map[int]int{}
	give := func(n int) {
		if numbers[n] == 0 {
			numbers[n] = len(numbers) + 1
		}
	}
	for _, m := range marks {
		give(m.N)
	}
	rest := make([]int, len(cards))
	for i, card := range cards {
		rest[i] = card.N
	}
	slices.Sort(rest)
	for _, n := range rest {
		give(n)
	}
	return numbers
}

// renumbered is a text with its markers as they are shown, and the markers where
// they stand in it then.
func renumbered(text string, marks []Mark, numbers map[int]int) (string, []Mark) {
	var b strings.Builder
	at, out := 0, make([]Mark, len(marks))
	for i, m := range marks {
		b.WriteString(text[at:m.Span.Start])
		at = m.Span.End
		m.N = numbers[m.N]
		start := b.Len()
		b.WriteString("[" + number(m.N) + "]")
		m.Span = evidence.Span{Start: start, End: b.Len()}
		out[i] = m
	}
	return b.String() + text[at:], out
}
