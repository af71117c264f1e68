package rank

import (
	"math"

	"footnote/backend/lang"
)

// Constants of BM25, as Lucene has them. There is no (k1 + 1) factor: it changes
// no order.
const (
	K1 = 1.2
	B  = 0.75
)

// IDF is the weight of a term that df of n texts have.
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// Saturate is the part of a term's weight that tf occurrences earn in a text of
// length terms, when texts have average terms in the mean: 0 to 1.
func Saturate(tf, length, average float64) float64 {
	if tf == 0 || average == 0 {
		return 0
	}
	return tf / (tf + Damping(length, average))
}

// Damping is what Saturate holds against the occurrences in a text of length
// terms.
func Damping(length, average float64) float64 { return K1 * (1 - B + B*length/average) }

// BM25 ranks a fixed set of texts. It is the reference that the index is
// measured against, and the ranking of pages that no index holds.
type BM25 struct {
	postings map[string][]posting
	lengths  []float64
	average  float64
}

type posting struct {
	doc int
	tf  float64
}

// NewBM25 indexes docs; a document's text is its ranking prefix and its body
// together.
func NewBM25(docs []string) *BM25 {
	b := &BM25{postings: map[string][]posting{}, lengths: make([]float64, len(docs))}
	total := 0
	for i, doc := range docs {
		terms := Terms(doc)
		total += len(terms)
		b.lengths[i] = float64(len(terms))
		for _, t := range terms {
			p := b.postings[t]
			if n := len(p); n > 0 && p[n-1].doc == i {
				p[n-1].tf++
				continue
			}
			b.postings[t] = append(p, posting{i, 1})
		}
	}
	if len(docs) > 0 {
		b.average = float64(total) / float64(len(docs))
	}
	return b
}

// Scores gives each document its score for query, 0 when no term matched.
// Terms that the query repeats count as often.
func (b *BM25) Scores(query string) []float64 {
	scores := make([]float64, len(b.lengths))
	for _, t := range Terms(lang.Matter(query)) {
		idf := IDF(len(b.lengths), len(b.postings[t]))
		for _, p := range b.postings[t] {
			scores[p.doc] += idf * Saturate(p.tf, b.lengths[p.doc], b.average)
		}
	}
	return scores
}
