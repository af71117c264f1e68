package rank

import (
	"hash/maphash"
	"slices"
	"strings"
)

// Twins tells for each text the index of the first one that says the same in
// almost the same words; its own when none before it does. Texts whose numbers,
// negations or names differ are no twins, however alike: they may be two versions
// of a report.
func Twins(texts []string) []int {
	first := make([]int, len(texts))
	prints := make([]fingerprint, len(texts))
	seed := maphash.MakeSeed()
	for i, text := range texts {
		prints[i] = printOf(seed, text)
		first[i] = i
		for j := range i {
			if first[j] == j && prints[j].twin(prints[i]) && statedAlike(texts[j], texts[i]) {
				first[i] = j
				break
			}
		}
	}
	return first
}

// fingerprint is what of a text is compared: its words as a set, and its numbers.
type fingerprint struct {
	words   []uint64 // sorted
	numbers uint64
}

func printOf(seed maphash.Seed, text string) fingerprint {
	var p fingerprint
	var numbers maphash.Hash
	numbers.SetSeed(seed)
	for _, at := range exactWords(nil, text) {
		word := foldWord(text[at.Start:at.End])
		if strings.ContainsAny(word, "0123456789") {
			numbers.WriteString(word + " ")
			continue
		}
		p.words = append(p.words, maphash.String(seed, word))
	}
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
	p.numbers = numbers.Sum64()
	return p
}

func (p fingerprint) twin(o fingerprint) bool {
	if p.numbers != o.numbers {
		return false
	}
	short, long := len(p.words), len(o.words)
	if short > long {
		short, long = long, short
	}
	return float64(short) > DefaultJaccard*float64(long) && jaccard(p.words, o.words) > DefaultJaccard
}
