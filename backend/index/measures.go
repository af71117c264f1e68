package index

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/rank"
)

// measures are what a search must know of all passages.
type measures struct {
	total   int     // passages
	average float64 // terms a passage
	speech  []rank.Language
}

// lastMeasures are those after one batch: searches between two batches share
// them, for reading them takes longer than finding a rare word.
type lastMeasures struct {
	mu       sync.Mutex
	sequence string
	measures
}

// measured gives the measures of the snapshot that s searches.
func (x *Index) measured(s *search) (measures, error) {
	sequence, err := s.r.GetInternal(sequenceKey)
	if err != nil {
		return measures{}, fmt.Errorf("read sequence of index: %w", err)
	}
	last := &x.last
	last.mu.Lock()
	defer last.mu.Unlock()
	if len(sequence) > 0 && string(sequence) == last.sequence {
		return last.measures, nil
	}
	m, err := s.measure()
	if err == nil {
		last.sequence, last.measures = string(sequence), m
	}
	return m, err
}

// lengthTerm writes a length as a term, in base 36.
func lengthTerm(n int) []byte { return strconv.AppendInt(nil, int64(n), 36) }

// measure reads the number of passages, their mean length and their languages.
// Replaced passages count until segments are merged, which moves the mean by
// little.
func (s *search) measure() (m measures, err error) {
	n, err := s.r.DocCount()
	if err != nil {
		return m, fmt.Errorf("count passages: %w", err)
	}
	terms, docs := 0.0, 0.0
	err = s.dictionary(func() (bleve.FieldDict, error) { return s.r.FieldDict(fieldLength) }, func(e *bleve.DictEntry) bool {
		length, err := strconv.ParseInt(e.Term, 36, 64)
		if err == nil {
			terms += float64(length) * float64(e.Count)
			docs += float64(e.Count)
		}
		return true
	})
	speech, heard := s.listen()
	return measures{total: int(n), average: terms / max(docs, 1), speech: speech}, errors.Join(err, heard)
}

// listen reads which languages the passages have.
func (s *search) listen() ([]rank.Language, error) {
	speech := []rank.Language{""}
	err := s.dictionary(func() (bleve.FieldDict, error) { return s.r.FieldDict(fieldSpeech) }, func(e *bleve.DictEntry) bool {
		speech = append(speech, rank.Language(e.Term))
		return true
	})
	return speech, err
}
