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
	bleve "github.com/blevesearch/bleve_index_api"

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
	each func(found func(number uint64, times, norm float64) error) error
}

// divide finds the parts of a snapshot, the largest first, and makes room for
// what is found in them.
func (s *search) divide() error {
	snapshot, ok := s.r.(*scorch.IndexSnapshot)
	if !ok {
		return fmt.Errorf("read postings: %T has no parts", s.r)
	}
	numbers := uint64(0)
	for _, p := range snapshot.Segments() {
		s.parts = append(s.parts, section{SegmentSnapshot: p, offset: numbers})
		numbers += uint64(p.FullSize())
	}
	slices.SortFunc(s.parts, func(a, b section) int { return cmp.Compare(b.FullSize(), a.FullSize()) })
	workers := 1
	if s.total >= smallIndex {
		workers = max(1, min(runtime.GOMAXPROCS(0), len(s.parts)))
	}
	s.scratch.fit(numbers, workers)
	return nil
}

// score adds what each word is worth to each passage that has it. Variants count
// as one word.
func (s *search) score(words []asked, wanted conditions) error {
	df := make([]atomic.Int64, len(words))
	if err := s.eachSection(func(p *section, _ *tally) error { return p.find(words, df) }); err != nil {
		return err
	}
	worth := make([]float64, len(words))
	for i, w := range words {
		worth[i] = w.weight * rank.IDF(s.total, min(int(df[i].Load()), s.total))
	}
	return s.eachSection(func(p *section, t *tally) error { return s.add(p, t, worth, wanted) })
}

// eachSection works on sections side by side, as many at once as there are
// tallies.
func (s *search) eachSection(work func(*section, *tally) error) error {
	var next atomic.Int64
	parts, tallies := s.parts, s.scratch.tallies
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

// begun gives the first most terms that begin with prefix, in order.
func (s *search) begun(prefix string, most int) ([]bleve.DictEntry, error) {
	found := make([][]bleve.DictEntry, len(s.scratch.tallies))
	err := s.eachSection(func(p *section, t *tally) error {
		mine := &found[t.core]
		own, err := p.begun(prefix, most, *mine)
		*mine = joined(*mine, own, most)
		return err
	})
	var all []bleve.DictEntry
	for _, f := range found {
		all = joined(all, f, most)
	}
	return all, err
}

// begun gives the first most terms of a section that begin with prefix, as far as
// they come before the last of those that are known, when those are as many.
func (p *section) begun(prefix string, most int, known []bleve.DictEntry) (terms []bleve.DictEntry, err error) {
	dictionary, err := p.Segment().Dictionary(fieldText)
	if err != nil {
		return nil, fmt.Errorf("read dictionary: %w", err)
	}
	entries := dictionary.AutomatonIterator(nil, []byte(prefix), []byte(prefix+"\xff"))
	for len(terms) < most {
		e, err := entries.Next()
		if err != nil {
			return nil, fmt.Errorf("read dictionary: %w", err)
		}
		if e == nil || len(known) == most && e.Term > known[most-1].Term {
			break
		}
		terms = append(terms, *e)
	}
	return terms, nil
}

// joined makes one list in order of two, and adds the counts of what is in both.
func joined(a, b []bleve.DictEntry, most int) []bleve.DictEntry {
	if len(a) == 0 {
		return b
	}
	both := make([]bleve.DictEntry, 0, min(most, len(a)+len(b)))
	for len(both) < most && len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Term < b[0].Term:
			both, a = append(both, a[0]), a[1:]
		case len(a) == 0 || b[0].Term < a[0].Term:
			both, b = append(both, b[0]), b[1:]
		default:
			sum := a[0]
			sum.Count += b[0].Count
			both, a, b = append(both, sum), a[1:], b[1:]
		}
	}
	return both
}

// find looks up the terms of words and counts the passages that have them.
func (p *section) find(words []asked, df []atomic.Int64) error {
	dictionary, err := p.Segment().Dictionary(fieldText)
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	p.lists = p.lists[:0]
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
					if err := found(p.offset+e.Number(), float64(e.Frequency()), e.Norm()); err != nil {
						return err
					}
				}
			}})
		}
	}
	return nil
}

// dampings are those of some norms: few lengths are in use, and dividing takes
// longer than looking.
type dampings struct {
	average float64
	known   [2048]struct{ norm, damping float64 }
}

// of gives rank.Damping of the length that a norm tells, which is 1/√length.
func (d *dampings) of(norm, average float64) float64 {
	if d.average != average {
		*d = dampings{average: average}
	}
	k := &d.known[math.Float64bits(norm)>>37%uint64(len(d.known))]
	if k.norm != norm {
		k.norm, k.damping = norm, rank.Damping(math.Round(1/(norm*norm)), average)
	}
	return k.damping
}

// add scores the passages of the lists of a section.
func (s *search) add(p *section, t *tally, worth []float64, wanted conditions) error {
	n := 0
	for _, l := range p.lists {
		idf := worth[l.word]
		if err := l.each(func(number uint64, times, norm float64) error {
			if n%4096 == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			n++
			if wanted.meets(number) {
				s.scratch.add(t, number, idf*(times/(times+t.damping.of(norm, s.average))))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
