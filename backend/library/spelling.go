package library

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Unknown is a word that no passage has, with terms that passages have and that are
// written nearly so, the most frequent first.
type Unknown struct {
	Word string // in lower case
	Near []Near
}

// Near is a term of passages, with some that have it.
type Near struct {
	Term     string
	Passages []evidence.PassageID
}

// Speller is an Index that knows which words no passage has.
type Speller interface {
	Unknown(ctx context.Context, text string) ([]Unknown, error)
}

const mostMistakes = 2 // letters between a word and the one that was meant

// Spelled writes words of a question that no file has as files in its language write
// them, where nearly the same word stands in some. Names and figures stay, and so does
// what the lexicon knows. An index that does not tell leaves the question as it is.
func (l *Library) Spelled(ctx context.Context, question string, words lang.Lexicon) (string, error) {
	speller, can := l.Index.(Speller)
	if !can {
		return question, nil
	}
	unknown, err := speller.Unknown(ctx, question)
	if err != nil {
		return question, err
	}
	code, fields, mended := lang.Detect(question), strings.Fields(question), false
	for i, field := range fields {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		at := slices.IndexFunc(unknown, func(u Unknown) bool { return u.Word == single(word).Text })
		if at < 0 || words.Knows(word) || i > 0 && code.NamesByCapitals() && isName(word) || strings.ContainsFunc(word, noLetter) {
			continue
		}
		written, err := l.written(ctx, unknown[at], code)
		if err != nil {
			return question, err
		}
		if written != "" && words.Meant(word, written) {
			fields[i], mended = strings.Replace(field, word, inCaseOf(word, written, code), 1), true
		}
	}
	if !mended {
		return question, nil
	}
	return strings.Join(fields, " "), nil
}

// noLetter reports whether a character is in no word.
func noLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// single is the only word of a text, as it is looked up; the last one of several.
func single(text string) (word rank.Word) {
	rank.Words(text, func(w rank.Word) { word = w })
	return word
}

// isName reports whether a word has a capital.
func isName(word string) bool { return strings.ContainsFunc(word, unicode.IsUpper) }

// inCaseOf writes a word of passages, where it may begin a sentence, as another one.
func inCaseOf(word, written string, code lang.Code) string {
	first, n := utf8.DecodeRuneInString(written)
	switch {
	case isName(word):
		return string(unicode.ToUpper(first)) + written[n:]
	case code.NamesByCapitals():
		return strings.ToLower(written)
	}
	return written
}

// written is the word of passages in a language that is nearest to one that no passage
// has; empty where none is near.
func (l *Library) written(ctx context.Context, u Unknown, code lang.Code) (best string, err error) {
	least := mostMistakes + 1
	for _, near := range u.Near {
		_, language, _ := strings.Cut(near.Term, "·")
		placed, err := l.Catalog.Passages(ctx, near.Passages)
		if err != nil {
			return "", err
		}
		for _, p := range placed {
			if in := lang.Detect(p.Passage.Text); in != code && in != lang.Unknown && code != lang.Unknown {
				continue
			}
			for _, word := range strings.FieldsFunc(p.Passage.Text, noLetter) {
				w := single(word)
				if w.TermIn(rank.Language(language)) != near.Term && w.Term() != near.Term {
					continue
				}
				if apart := plain.Distance(w.Text, u.Word); apart < least {
					best, least = word, apart
				}
			}
		}
	}
	return best, nil
}
