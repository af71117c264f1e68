package intent

import (
	"hash/fnv"
	"slices"
	"unicode"
)

const (
	buckets  = 1 << 15 // of features
	marks    = 1 << 16 // of words
	longGram = 4
)

// features are the hashed parts of a message: runs of up to four characters
// within a word, the words, and two words beside each other.
func features(text string) []uint32 {
	var all []uint32
	add := func(kind, part string) { all = append(all, hashed(kind+part)%buckets) }
	w := words(text)
	for i, word := range w {
		add("w", word)
		if i > 0 {
			add("b", w[i-1]+" "+word)
		}
		runes := []rune("^" + word + "$")
		for n := 2; n <= longGram; n++ {
			for at := 0; at+n <= len(runes); at++ {
				add("g", string(runes[at:at+n]))
			}
		}
	}
	if len(w) > 0 {
		add("first", w[0])
		add("last", w[len(w)-1])
	}
	add("length", string(rune('0'+min(len(w), mostWord))))
	slices.Sort(all)
	return slices.Compact(all)
}

// known are the hashed units that a message is made of: words, and pairs of
// characters where a language puts no spaces.
func known(text string) []uint32 {
	var all []uint32
	for _, word := range words(text) {
		runes := []rune(word)
		if !unspaced(runes) {
			all = append(all, hashed(string(runes[:min(stem(runes), len(runes))]))%marks)
			continue
		}
		for at := range max(1, len(runes)-1) {
			if pair := runes[at:min(at+2, len(runes))]; len(runes) > 2 && !slices.ContainsFunc(pair, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) {
				continue // endings of words
			}
			all = append(all, hashed(string(runes[at:min(at+2, len(runes))]))%marks)
		}
	}
	return all
}

// stem is how many characters of a word tell it from others: endings differ.
func stem(word []rune) int {
	if unicode.Is(unicode.Hangul, word[0]) {
		return 2
	}
	return 5
}

func unspaced(word []rune) bool {
	return slices.ContainsFunc(word, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

func hashed(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s)) // never fails
	return h.Sum32()
}
