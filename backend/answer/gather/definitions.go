package gather

import (
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

const (
	definitionDepth = 4 * ShelfPassages // passages that are looked through for one that says what a term is
	definitionsMost = 6                 // of those that are candidates
)

// searchShelf finds n passages of the reader's files. Where a question asks what a
// term means, every passage about it has the term, and few say what it is: those
// are looked for further down and stand first.
func searchShelf(ctx context.Context, shelf Shelf, query string, scope contract.Scope, n int) ([]evidence.Found, error) {
	if of, asks := lang.AsksOverview(query); asks && of != "" {
		query = of // the file's name alone: nothing of the question stands in it
	}
	m, ok := lang.AsksMeaning(query)
	if !ok {
		return shelf.Search(ctx, query, scope, n)
	}
	found, err := shelf.Search(ctx, query, scope, max(n, definitionDepth))
	var says, others []evidence.Found
	for _, f := range found {
		if len(says) < definitionsMost && Defines(m, f.Passage.Text) {
			says = append(says, f)
		} else {
			others = append(others, f)
		}
	}
	says = append(says, others...)
	return says[:min(n, len(says))], err
}

// Defines reports whether a sentence of a text says what a term is.
func Defines(m lang.Meaning, text string) bool {
	return slices.ContainsFunc(evidence.Sentences(text), func(s evidence.Span) bool { return m.SaidBy(text[s.Start:s.End]) })
}
