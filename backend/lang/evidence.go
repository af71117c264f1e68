package lang

import (
	"math"
	"slices"
	"unicode/utf8"
)

const (
	longest   = 40   // words of a text whose n-grams are counted: of a longer one the small words decide
	decisive  = 3.0  // how many more words than any other a language has that needs no n-grams
	ofWords   = 1.0  // what a word of a table says, in logits
	plausible = 0.05 // how likely a language may be beside the likeliest, at least
	sure      = 0.65 // how likely a language is that no word of the tables tells
)

// byWords counts, for each language, the words and letters of a text that it has; one
// that few others have counts for more.
func byWords(text string, among []Code) []float64 {
	score := make([]float64, len(among))
	add := func(to []Code, weight float64) {
		shared := 0
		for _, code := range to {
			if slices.Contains(among, code) {
				shared++
			}
		}
		for _, code := range to {
			if i := slices.Index(among, code); i >= 0 {
				score[i] += weight / float64(shared)
			}
		}
	}
	text = lower(text)
	for _, w := range wordsIn(text) {
		add(spoken()[w], 1)
		add(asking()[w], 0.5)
	}
	for _, r := range text {
		if r >= utf8.RuneSelf {
			add(letters[r], 0.5)
		}
	}
	return score
}

// byWordsAndNgrams is how likely each language is, by all that is known of a text.
func byWordsAndNgrams(text string, among []Code, score []float64) []float64 {
	sum := logits(text)
	p := make([]float64, len(among))
	for i, code := range among {
		p[i] = sum[slices.Index(classified, code)] + ofWords*score[i]
	}
	most, total := slices.Max(p), 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// first is the first of some languages that has most; Unknown where none has any.
func first(among []Code, of []float64) Code {
	best, most := Unknown, 0.0
	for i, code := range among {
		if of[i] > most+1e-9 {
			best, most = code, of[i]
		}
	}
	return best
}

func second(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)-2]
}
