package gather

import (
	"context"
	"path"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

const (
	definitionDepth = 4 * ShelfPassages // passages that are looked through for one that says what a term is
	definitionsMost = 6                 // of those that are candidates
)

// searchShelf finds n passages of the reader's files. Where a question asks what a
// term means, every passage about it has the term, and few say what it is: those
// are looked for further down, and in what has the term at all, and stand first.
func searchShelf(ctx context.Context, shelf Shelf, query string, scope contract.Scope, n int) ([]evidence.Found, error) {
	if of, asks := lang.AsksOverview(query); asks && of != "" {
		query = of // the file's name alone: nothing of the question stands in it
	}
	m, ok := lang.AsksMeaning(query)
	if !ok {
		found, err := shelf.Search(ctx, query, scope, n)
		if err != nil {
			return found, err
		}
		return namedFirst(ctx, shelf, query, scope, found)
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
	if texts, can := shelf.(TextSearch); can && err == nil && len(says) < definitionsMost {
		var more []evidence.Found
		more, err = texts.SearchTexts(ctx, m.Term, func(text string) bool { return Defines(m, text) }, scope, definitionsMost)
		says = append(says, unlike(more, found)...)
		says = says[:min(definitionsMost, len(says))]
	}
	says = append(says, others...)
	return says[:min(n, len(says))], err
}

// unlike are the passages that are not among others.
func unlike(found, others []evidence.Found) []evidence.Found {
	return slices.DeleteFunc(found, func(f evidence.Found) bool {
		return slices.ContainsFunc(others, func(o evidence.Found) bool { return o.Passage.ID == f.Passage.ID })
	})
}

const ofNamed = 6 // passages of a file that a question names

// fileNamed is the name of a file in a question, with its ending.
var fileNamed = pattern.New(`[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.([A-Za-z][A-Za-z0-9]{1,4})\b`)

// namedFirst puts passages of a file that a question names by its whole name before
// those that its words find: "How many customers are in orders.csv?"
func namedFirst(ctx context.Context, shelf Shelf, query string, scope evidence.Scope, found []evidence.Found) ([]evidence.Found, error) {
	m := fileNamed.FindStringSubmatch(query)
	if m == nil {
		return found, nil
	}
	named, err := shelf.Search(ctx, query+" type:"+m[1], scope, max(len(found), ofNamed))
	if err != nil {
		return found, err
	}
	named = slices.DeleteFunc(named, func(f evidence.Found) bool {
		return !strings.EqualFold(path.Base(strings.ReplaceAll(f.Source.Address, `\`, "/")), m[0])
	})
	named = named[:min(len(named), ofNamed)]
	return append(named, unlike(found, named)...), nil
}

// Defines reports whether a sentence of a text says what a term is, or a line before it
// that it is about the term.
func Defines(m lang.Meaning, text string) bool {
	sentences := evidence.Sentences(text)
	for i, s := range sentences {
		sentence := text[s.Start:s.End]
		if m.SaidBy(sentence) || i+1 < len(sentences) && m.OpenedBy(sentence) {
			return true
		}
	}
	return false
}
