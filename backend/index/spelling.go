package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
	"footnote/backend/rank"
)

// How far a word may be from one that passages have.
const (
	shortestMisspelt = 5 // letters of a word that may be misspelt
	longMisspelt     = 8 // from which two of them may be wrong

	mostNear    = 3  // terms written nearly so
	spelledFrom = 12 // passages that have one
)

// Unknown gives the words of a text that no passage has in any form, with the terms
// that differ from each by a letter, or by two of a long word, but not by the first;
// the most frequent ones first, with passages. Words without any near term are not
// among them.
func (x *Index) Unknown(ctx context.Context, text string) (all []library.Unknown, err error) {
	defer recovered("look words up", &err)
	err = x.searching(ctx, func(s *search) error {
		fuzzy, ok := s.r.(bleve.IndexReaderFuzzy)
		if !ok {
			return nil
		}
		var words []rank.Word
		rank.Words(text, func(w rank.Word) { words = append(words, w) })
		for _, w := range words {
			terms, err := s.nearest(fuzzy, w)
			if err != nil {
				return err
			}
			near, err := s.placed(terms[:min(len(terms), mostNear)])
			if err != nil {
				return err
			}
			if len(near) > 0 {
				all = append(all, library.Unknown{Word: w.Text, Near: near})
			}
		}
		return nil
	})
	return all, err
}

// placed are terms with passages that have them.
func (s *search) placed(terms []string) (near []library.Near, err error) {
	for _, term := range terms {
		hits, err := s.run([]asked{{term, []string{term}, 1}}, library.Query{N: spelledFrom})
		if err != nil {
			return nil, err
		}
		n := library.Near{Term: term}
		for _, h := range hits {
			n.Passages = append(n.Passages, h.ID)
		}
		near = append(near, n)
	}
	return near, nil
}

// nearest are the terms next to a word; nil where passages have it itself.
func (s *search) nearest(fuzzy bleve.IndexReaderFuzzy, w rank.Word) ([]string, error) {
	runes := []rune(w.Text)
	if len(runes) < shortestMisspelt {
		return nil, nil
	}
	forms := s.forms(w)
	for distance := 1; distance == 1 || distance == 2 && len(runes) >= longMisspelt; distance++ {
		var near []bleve.DictEntry
		for _, form := range forms {
			if utf8.RuneCountInString(form) < shortestMisspelt-1 {
				continue
			}
			found, err := s.entries(func() (bleve.FieldDict, error) {
				return fuzzy.FieldDictFuzzy(fieldText, form, distance, string(runes[:1]))
			})
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(found, func(e bleve.DictEntry) bool { return slices.Contains(forms, e.Term) }) {
				return nil, nil
			}
			near = append(near, slices.DeleteFunc(found, func(e bleve.DictEntry) bool { return !sameSpeech(e.Term, form) })...)
		}
		if len(near) > 0 {
			return frequent(near), nil
		}
	}
	return nil, nil
}

// sameSpeech reports whether two terms are of one language: a letter of its mark is
// none of the word's.
func sameSpeech(a, b string) bool {
	_, one, _ := strings.Cut(a, "·")
	_, other, _ := strings.Cut(b, "·")
	return one == other
}

// searching opens a search over what the index has now.
func (x *Index) searching(ctx context.Context, do func(*search) error) (err error) {
	r, err := x.words.Reader()
	if err != nil {
		return fmt.Errorf("read index: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s := &search{ctx: ctx, r: r, scratch: x.scratch.get()}
	defer x.scratch.put(s.scratch)
	if s.measures, err = x.measured(s); err != nil || s.total == 0 {
		return err
	}
	if err := s.divide(); err != nil {
		return err
	}
	return do(s)
}
