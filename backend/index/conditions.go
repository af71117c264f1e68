package index

import (
	"errors"
	"fmt"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
	"footnote/backend/rank"
)

// conditions say which passages a search may give: those of a small scope that
// have all needed words and none of the unwanted ones.
type conditions struct {
	passages map[uint64]bool // nil: not restricted, or settled when the best are taken
	marks    *marks          // nil: no words are needed or unwanted
	needed   uint8
}

func (c conditions) meets(number uint64) bool {
	return (c.passages == nil || c.passages[number]) && (c.marks == nil || c.marks.of(number) == c.needed)
}

const unwanted = 255 // mark of a passage that has an unwanted word

// marks count the needed words of passages by number. As scores do, they live in
// the scratch of a search.
type marks struct {
	counts  []uint8
	touched []uint64
}

func (m *marks) of(number uint64) uint8 {
	if number >= uint64(len(m.counts)) {
		return 0
	}
	return m.counts[number]
}

func (m *marks) set(number uint64, count uint8) {
	if number >= uint64(len(m.counts)) {
		grown := make([]uint8, number+number/4+1024)
		copy(grown, m.counts)
		m.counts = grown
	}
	m.counts[number] = count
	m.touched = append(m.touched, number)
}

func (m *marks) reset() {
	for _, n := range m.touched {
		m.counts[n] = 0
	}
	m.touched = m.touched[:0]
}

// conditionsOf reads what a query demands beside its words.
func (s *search) conditionsOf(q library.Query) (conditions, error) {
	var c conditions
	var err error
	if c.passages, err = s.gather(q.Within); err != nil || len(q.Must)+len(q.Not) == 0 {
		return c, err
	}
	c.marks = &s.scratch.marks
	for _, word := range q.Must[:min(len(q.Must), unwanted-1)] {
		have := c.needed
		if err := s.eachForm(word, func(number uint64) {
			if c.marks.of(number) == have {
				c.marks.set(number, have+1)
			}
		}); err != nil {
			return c, err
		}
		c.needed++
	}
	for _, word := range q.Not {
		if err := s.eachForm(word, func(number uint64) { c.marks.set(number, unwanted) }); err != nil {
			return c, err
		}
	}
	return c, nil
}

// eachForm calls found for every passage that has a word in any of its forms,
// and for some more than once.
func (s *search) eachForm(word string, found func(number uint64)) (err error) {
	rank.Words(word, func(w rank.Word) {
		for _, term := range s.forms(w) {
			if err == nil {
				err = s.each(term, fieldText, found)
			}
		}
	})
	return err
}

// each calls found for every passage that has a term in a field.
func (s *search) each(term, field string, found func(number uint64)) (err error) {
	r, err := s.r.TermFieldReader(s.ctx, []byte(term), field, false, false, false)
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var p bleve.TermFieldDoc
	for n := 0; ; n++ {
		if n%4096 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		d, err := r.Next(p.Reset())
		if err != nil {
			return fmt.Errorf("read postings: %w", err)
		}
		if d == nil {
			return nil
		}
		found(d.ID.Value())
	}
}

// least is what a passage scores that is wanted without a word of the query.
const least = 1e-9

// everything finds all passages that meet the conditions.
func (s *search) everything(c conditions) (err error) {
	r, err := s.r.DocIDReaderAll()
	if err != nil {
		return fmt.Errorf("list passages: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		id, err := r.Next()
		if err != nil {
			return fmt.Errorf("list passages: %w", err)
		}
		if id == nil {
			return nil
		}
		if number := id.Value(); c.meets(number) {
			s.scratch.add(&s.scratch.tallies[0], number, least)
		}
	}
}
