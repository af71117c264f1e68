package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/lang"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// smallScope is the number of files up to which their passages are gathered
// before the search; with more, found passages are asked for their file.
const smallScope = 128

// Words gives the passages that have words of the query, best BM25 first. With
// Prefix the last word also stands for the words it begins. When nothing is
// found, words with one typing error are tried, unless some terms are a must.
func (x *Index) Words(ctx context.Context, q library.Query) (hits []library.Hit, err error) {
	defer recovered("search words", &err)
	if q.N <= 0 || q.Within != nil && len(q.Within) == 0 {
		return nil, nil
	}
	err = x.searching(ctx, func(s *search) error {
		exact, err := s.plan(q)
		if err != nil {
			return err
		}
		if hits, err = s.run(exact, q); err != nil || len(hits) > 0 || len(q.Must) > 0 {
			return err
		}
		fuzzy, err := s.corrected(exact)
		if err != nil || len(fuzzy) == 0 {
			return err
		}
		hits, err = s.run(fuzzy, q)
		return err
	})
	return hits, err
}

// search is one query against one snapshot.
type search struct {
	ctx     context.Context
	r       bleve.IndexReader
	scratch *scratch
	parts   []section
	measures
}

// asked is one word of the query with the terms that may stand for it.
type asked struct {
	word     string
	variants []string
	weight   float64 // times the query has it
}

// forms are the terms that a word has in the languages of the passages. Nobody
// says in which language a query is, and one word is few to tell.
func (s *search) forms(w rank.Word) (terms []string) {
	for _, language := range s.speech {
		if term := w.TermIn(language); !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	return terms
}

// dictionary calls each for the entries of a dictionary until it returns false.
func (s *search) dictionary(open func() (bleve.FieldDict, error), each func(*bleve.DictEntry) bool) (err error) {
	d, err := open()
	if err != nil {
		return fmt.Errorf("read dictionary: %w", err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for {
		e, err := d.Next()
		if err != nil {
			return fmt.Errorf("read dictionary: %w", err)
		}
		if e == nil || !each(e) {
			return nil
		}
	}
}

// plan turns the query into words with their variants.
func (s *search) plan(q library.Query) ([]asked, error) {
	var words []asked
	at := map[string]int{}
	last, text := "", q.Text
	if !q.Prefix { // whoever still types may mean any word
		text = lang.BareMatter(text)
	}
	rank.Words(text, func(w rank.Word) {
		last = w.Text
		term := w.Term()
		if i, ok := at[term]; ok {
			words[i].weight++
			return
		}
		at[term] = len(words)
		words = append(words, asked{term, s.forms(w), 1})
	})
	if !q.Prefix || last == "" || !endsInWord(q.Text) {
		return words, nil
	}
	begun, err := s.completions(last)
	if err != nil {
		return nil, err
	}
	word := &words[len(words)-1]
	word.variants = slices.Compact(slices.Sorted(slices.Values(append(begun, word.variants...))))
	return words, nil
}

// endsInWord reports whether the last word may still be growing.
func endsInWord(text string) bool {
	last := text[len(text)-1]
	return last != ' ' && last != '\n' && last != '\t'
}

// Completions of a half-typed word: the most frequent ones of those looked at.
const (
	mostCompletions = 32
	mostLookedAt    = 2000
	shortestPrefix  = 3 // letters that are left when others are taken off
)

// completions are the terms that begin with prefix. When there are none, because
// prefix is longer than the stem of its word, letters are taken off its end.
// A single Latin letter begins too many words to say anything.
func (s *search) completions(prefix string) ([]string, error) {
	if len(prefix) < 2 {
		return nil, nil
	}
	for n := 0; ; n++ {
		begun, err := s.begun(prefix, mostLookedAt)
		terms := frequent(begun)
		runes := []rune(prefix)
		if err != nil || len(terms) > 0 || n == 3 || len(runes) <= shortestPrefix {
			return terms, err
		}
		prefix = string(runes[:len(runes)-1])
	}
}

// entries are the first ones of a dictionary.
func (s *search) entries(open func() (bleve.FieldDict, error)) (found []bleve.DictEntry, err error) {
	err = s.dictionary(open, func(e *bleve.DictEntry) bool {
		found = append(found, *e)
		return len(found) < mostLookedAt
	})
	return found, err
}

// frequent are the most frequent terms of those found.
func frequent(found []bleve.DictEntry) []string {
	order := func(a, b bleve.DictEntry) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Term, b.Term))
	}
	found = front(found, mostCompletions, func(a, b bleve.DictEntry) bool { return order(a, b) < 0 })
	slices.SortFunc(found, order)
	terms := make([]string, len(found))
	for i, e := range found {
		terms[i] = e.Term
	}
	return terms
}

// corrected gives each word the terms that differ from it by one letter, but not
// by the first. Words of fewer than four letters are left alone.
func (s *search) corrected(words []asked) ([]asked, error) {
	fuzzy, ok := s.r.(bleve.IndexReaderFuzzy)
	if !ok {
		return nil, nil
	}
	var out []asked
	for _, w := range words {
		runes := []rune(w.word)
		if len(runes) < 4 {
			continue
		}
		var near []string
		for _, form := range w.variants {
			found, err := s.entries(func() (bleve.FieldDict, error) {
				return fuzzy.FieldDictFuzzy(fieldText, form, 1, string(runes[:1]))
			})
			if err != nil {
				return nil, err
			}
			near = append(near, frequent(found)...)
		}
		if len(near) > 0 {
			slices.Sort(near)
			out = append(out, asked{w.word, slices.Compact(near), w.weight})
		}
	}
	return out, nil
}

// run scores all passages that have a word and returns the best q.N in scope.
func (s *search) run(words []asked, q library.Query) ([]library.Hit, error) {
	s.scratch.reset()
	wanted, err := s.conditionsOf(q)
	if err != nil {
		return nil, err
	}
	if err := s.score(words, wanted); err != nil {
		return nil, err
	}
	if q.All {
		if err := s.everything(wanted); err != nil {
			return nil, err
		}
	}
	inScope, err := s.inScope(q.Within, wanted.passages)
	if err != nil {
		return nil, err
	}
	return s.best(q.N, inScope)
}

// gather collects the passages of a small scope; nil when there is no scope or a
// large one.
func (s *search) gather(within map[string]bool) (map[uint64]bool, error) {
	if within == nil || len(within) > smallScope {
		return nil, nil
	}
	scope := map[uint64]bool{}
	for digest := range within {
		if err := s.each(digest, fieldDigest, func(number uint64) { scope[number] = true }); err != nil {
			return nil, fmt.Errorf("read scope: %w", err)
		}
	}
	return scope, nil
}

// inScope tells whether a found passage is of a file in a large scope; nil when
// that is settled already.
func (s *search) inScope(within map[string]bool, gathered map[uint64]bool) (func(uint64) (bool, error), error) {
	if within == nil || gathered != nil {
		return nil, nil
	}
	values, err := s.r.DocValueReader([]string{fieldDigest})
	if err != nil {
		return nil, fmt.Errorf("read scope: %w", err)
	}
	return func(number uint64) (bool, error) {
		in := false
		err := values.VisitDocValues(bleve.NewIndexInternalID(nil, number), func(_ string, term []byte) { in = in || within[string(term)] })
		return in, err
	}, nil
}

// mostTies is how many passages as good as the last one are looked at, so that
// the id decides among them and not their place on disk.
const mostTies = 64

// best takes the n best passages that are in scope.
func (s *search) best(n int, inScope func(uint64) (bool, error)) ([]library.Hit, error) {
	most := n + mostTies
	if inScope != nil {
		most = math.MaxInt // any may be out of scope
	}
	queue := s.scratch.queue(most)
	hits := make([]library.Hit, 0, min(n, len(queue)))
	for len(queue) > 0 && (len(hits) < n || queue[0].score == hits[len(hits)-1].Score && len(hits) < n+mostTies) {
		var d scored
		d, queue = queue.pop()
		if inScope != nil {
			in, err := inScope(d.number)
			if err != nil {
				return nil, fmt.Errorf("read scope: %w", err)
			}
			if !in {
				continue
			}
		}
		id, err := s.r.ExternalID(bleve.NewIndexInternalID(nil, d.number))
		if err != nil {
			return nil, fmt.Errorf("read passage id: %w", err)
		}
		hits = append(hits, library.Hit{ID: passageOf(id), Score: d.score})
	}
	sortHits(hits)
	return hits[:min(n, len(hits))], nil
}

// sortHits puts the best first, ties by id.
func sortHits(hits []library.Hit) {
	slices.SortFunc(hits, func(a, b library.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
}
