package lang

import (
	_ "embed"
	"encoding/binary"
	"hash/crc32"
	"math"
	"unicode"
	"unicode/utf8"
)

// ngrams are the weights of a linear classifier of words by their character n-grams,
// which go run by build/train/language.py: the scale, then a row for each bucket of
// hashed n-grams with a column for each of classified.
//
//go:embed ngrams.bin
var ngrams string

// classified are the columns of ngrams: languages that share an alphabet with others.
var classified = []Code{English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Turkish, Russian, Ukrainian}

const (
	longestNgram = 5
	properName   = 0.4 // what a name counts for: people and places keep theirs in every language
	longestWord  = 64  // bytes: a longer one is no word
)

// logits add up, for each of classified, what the n-grams of a text's words say for it.
func logits(text string) (sum [12]float64) {
	names := namesAt(text)
	scale := float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(ngrams[:4]))))
	for i, w := range wordsIn(lower(text)) {
		if len(w) > longestWord || !isAlphabetic(w) {
			continue
		}
		weight := scale
		if i < len(names) && names[i] {
			weight *= properName
		}
		for column, n := range ofWord(w) {
			sum[column] += weight * float64(n)
		}
	}
	return sum
}

func ofWord(w string) (sum [12]int) {
	buckets := uint32(len(ngrams)-4) / uint32(len(sum))
	add := func(gram []byte) {
		row := ngrams[4+int(crc32.ChecksumIEEE(gram)%buckets)*len(sum):]
		for column := range sum {
			sum[column] += int(int8(row[column]))
		}
	}
	marked := append(append([]byte{'^'}, w...), '$')
	for start := 0; start < len(marked); start++ {
		if !utf8.RuneStart(marked[start]) {
			continue
		}
		end := start
		for n := 1; n <= longestNgram && end < len(marked); n++ {
			_, size := utf8.DecodeRune(marked[end:])
			end += size
			if n > 1 || start > 0 && end < len(marked) {
				add(marked[start:end])
			}
		}
	}
	add(append([]byte{'='}, w...))
	return sum
}

func isAlphabetic(w string) bool {
	for _, r := range w {
		if unicode.IsNumber(r) {
			return false
		}
	}
	return true
}

// onlyNames reports whether each word of a text begins with a capital: names of people and
// things are written so, and tell no language.
func onlyNames(text string) bool {
	for _, w := range wordsIn(text) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsLower(first) {
			return false
		}
	}
	return true
}

// namesAt tells which words of a text begin with a capital inside of a sentence; none
// where all words do, as in headings.
func namesAt(text string) (names []bool) {
	all := wordsIn(text)
	names = make([]bool, len(all))
	if onlyNames(text) {
		return names
	}
	for i, w := range all {
		first, _ := utf8.DecodeRuneInString(w)
		names[i] = i > 0 && unicode.IsUpper(first)
	}
	return names
}
