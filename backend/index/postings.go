package index

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"footnote/backend/rank"
)

// smallIndex is the number of passages up to which one core scores them all.
const smallIndex = 5000

// section is a part of the postings, with passages that no other part has: those
// numbered from offset on.
type section struct {
	*scorch.SegmentSnapshot
	offset uint64
	lists  []list
}

// list is what is left to do for one term in one section: each calls found for
// its passages.
type list struct {
	word int
	each func(found func(number uint64, times, length float64) error) error
}

// sections are the parts of a snapshot, the largest first, and the numbers that
// passages have in them.
func (s *search) sections() (parts []section, numbers uint64, err error) {
	snapshot, ok := s.r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, 0, fmt.Errorf("read postings: %T has no parts", s.r)
	}
	for _, p := range snapshot.Segments() {
		parts = append(parts, section{SegmentSnapshot: p, offset: numbers})
		numbers += uint64(p.FullSize())
	}
	slices.SortFunc(parts, func(a, b section) int { return cmp.Compare(b.FullSize(), a.FullSize()) })
	return parts, numbers, nil
}

// score adds what each word is worth to each passage that has it. Variants count
// as one word.
func (s *search) score(words []asked, wanted conditions) error {
	parts, numbers, err := s.sections()
	if err != nil {
		return err
	}
	s.scratch.fit(numbers, s.workers(parts))
	df := make([]atomic.Int64, len(words))
	if err := s.eachSection(parts, func(p *section, _ *tally) error { return p.find(words, df) }); err != nil {
		return err
	}
	worth := make([]float64, len(words))
	for i, w := range words {
		worth[i] = w.weight * rank.IDF(s.total, min(int(df[i].Load()), s.total))
	}
	return s.eachSection(parts, func(p *section, t *tally) error { return s.add(p, t, worth, wanted) })
}

// workers is how many cores share the sections.
func (s *search) workers(parts []section) int {
	if s.total < smallIndex {
		return 1
	}
	return max(1, min(runtime.GOMAXPROCS(0), len(parts)))
}

// eachSection works on sections side by side, as many at once as there are
// tallies.
func (s *search) eachSection(parts []section, work func(*section, *tally) error) error {
	var next atomic.Int64
	tallies := s.scratch.tallies
	errs := make([]error, len(tallies))
	share := func(w int) {
		defer recovered("search words", &errs[w])
		for i := int(next.Add(1)) - 1; i < len(parts) && errs[w] == nil; i = int(next.Add(1)) - 1 {
			errs[w] = work(&parts[i], &tallies[w])
		}
	}
	var others sync.WaitGroup
	for w := 1; w < len(tallies); w++ {
		others.Go(func() { share(w) })
	}
	share(0)
	others.Wait()
	return errors.Join(errs...)
}

// find looks up the terms of words and counts the passages that have them.
func (p *section) find(words []asked, df []atomic.Int64) error {
	dictionary, err := p.Segment().Dictionary(fieldText)
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	for i, w := range words {
		for _, term := range w.variants {
			postings, err := dictionary.PostingsList([]byte(term), p.Deleted(), nil)
			if err != nil {
				return fmt.Errorf("read postings: %w", err)
			}
			n := postings.Count()
			if n == 0 {
				continue
			}
			df[i].Add(int64(n))
			p.lists = append(p.lists, list{i, func(found func(uint64, float64, float64) error) error {
				entries := postings.Iterator(true, true, false, nil)
				for {
					e, err := entries.Next()
					if err != nil {
						return fmt.Errorf("read postings: %w", err)
					}
					if e == nil {
						return nil
					}
					norm := e.Norm() // 1/√length
					if err := found(p.offset+e.Number(), float64(e.Frequency()), math.Round(1/(norm*norm))); err != nil {
						return err
					}
				}
			}})
		}
	}
	return nil
}

// add scores the passages of the lists of a section.
func (s *search) add(p *section, t *tally, worth []float64, wanted conditions) error {
	n := 0
	for _, l := range p.lists {
		idf := worth[l.word]
		if err := l.each(func(number uint64, times, length float64) error {
			if n%4096 == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			n++
			if wanted.meets(number) {
				s.scratch.add(t, number, idf*rank.Saturate(times, length, s.average))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
