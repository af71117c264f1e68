package library

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Unknown is a word that no passage has, with terms that passages have and that are
// written nearly so, the most frequent first.
type Unknown struct {
	Word string // in lower case
	Near []string
}

// Speller is an Index that knows which words no passage has.
type Speller interface {
	Unknown(ctx context.Context, text string) ([]Unknown, error)
}

const (
	mostNear    = 3  // terms whose words are looked at
	spelledFrom = 12 // passages in which they are
)

// Spelled writes words of a question that no file has as files write them, where
// nearly the same word stands in some. Names and figures stay, and so does what
// isWord knows. An index that does not tell leaves the question as it is.
func (l *Library) Spelled(ctx context.Context, question string, isWord func(string) bool) (string, error) {
	speller, can := l.Index.(Speller)
	if !can {
		return question, nil
	}
	unknown, err := speller.Unknown(ctx, question)
	if err != nil {
		return question, err
	}
	fields, mended := strings.Fields(question), false
	for i, field := range fields {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		at := slices.IndexFunc(unknown, func(u Unknown) bool { return strings.EqualFold(u.Word, word) })
		if at < 0 || isWord(word) || i > 0 && isName(word) || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		written, err := l.written(ctx, unknown[at])
		if err != nil {
			return question, err
		}
		if written != "" {
			fields[i], mended = strings.Replace(field, word, inCaseOf(word, written), 1), true
		}
	}
	if !mended {
		return question, nil
	}
	return strings.Join(fields, " "), nil
}

// isName reports whether a word has a capital.
func isName(word string) bool { return strings.ContainsFunc(word, unicode.IsUpper) }

func inCaseOf(word, written string) string {
	if first, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(first) {
		return written
	}
	first, n := utf8.DecodeRuneInString(written)
	return string(unicode.ToUpper(first)) + written[n:]
}

// written is the word of passages that is nearest to one that no passage has; empty
// where none is found.
func (l *Library) written(ctx context.Context, u Unknown) (best string, err error) {
	least := 0
	for _, term := range u.Near[:min(len(u.Near), mostNear)] {
		bare, language, _ := strings.Cut(term, "·")
		hits, err := l.Index.Words(ctx, Query{Text: bare, N: spelledFrom})
		if err != nil {
			return "", err
		}
		placed, err := l.Catalog.Passages(ctx, idsOfHits(hits))
		if err != nil {
			return "", err
		}
		for _, p := range placed {
			rank.Words(p.Passage.Text, func(w rank.Word) {
				if w.TermIn(rank.Language(language)) != term && w.Term() != term {
					return
				}
				if apart := plain.Distance(w.Text, u.Word); best == "" || apart < least {
					best, least = w.Text, apart
				}
			})
		}
	}
	return best, nil
}
