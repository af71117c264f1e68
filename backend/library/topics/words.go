package topics

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// script is what a run of letters is written in, where it matters.
type script uint8

const (
	alphabet   script = iota // words have spaces between them
	devanagari               // … and letters of which marks are parts
	han                      // words follow one another without a mark
	kana                     // loan words, mostly
	hangul                   // words with what is said of them at their end
	unmarked                 // hiragana, Thai and others, whose words nothing tells
)

// letters a word has at least to be a topic, by script.
var letters = map[script]int{alphabet: 4, devanagari: 3, han: 2, kana: 3, hangul: 2, unmarked: 1 << 20}

func scriptOf(r rune) script {
	switch {
	case r < 0x0590:
		return alphabet
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return kana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.In(r, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return unmarked
	case unicode.In(r, unicode.Devanagari, unicode.Arabic, unicode.Hebrew):
		return devanagari
	}
	return alphabet
}

// runs calls found for each run of letters of one script, in lower case. A run
// beside a digit is part of a code and no word.
func runs(text string, found func(word string, from script)) {
	text = norm.NFC.String(text)
	start, from, code := -1, alphabet, false
	end := func(at int, digit bool) {
		if start >= 0 && !code && !digit {
			word := strings.ToLower(text[start:at])
			if from == hangul {
				word = withoutParticle(word)
			}
			found(word, from)
		}
		start, code = -1, digit
	}
	for i, r := range text {
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			if start < 0 {
				start, from = i, alphabet
			} else if from != alphabet {
				end(i, false)
				start, from = i, alphabet
			}
			continue
		}
		switch {
		case unicode.IsMark(r) && start >= 0:
		case unicode.IsLetter(r):
			if is := scriptOf(r); start < 0 {
				start, from = i, is
			} else if is != from {
				end(i, false)
				start, from = i, is
			}
		default:
			end(i, unicode.IsDigit(r))
		}
	}
	end(len(text), false)
}

// grams are what of a run of ideographs may be a word: two to four of them.
func grams(run string, found func(string)) {
	all := []rune(run)
	for i := range all {
		for n := 2; n <= 4 && i+n <= len(all); n++ {
			found(string(all[i : i+n]))
		}
	}
}

// withoutParts leaves out pieces of words that stand there as often whole, and
// wholes that are a frequent word with its neighbours.
func withoutParts(words []Word) []Word {
	return slices.DeleteFunc(slices.Clone(words), func(w Word) bool {
		r, _ := utf8.DecodeRuneInString(w.Word)
		return scriptOf(r) == han && slices.ContainsFunc(words, func(other Word) bool {
			switch {
			case len(other.Word) > len(w.Word):
				return strings.Contains(other.Word, w.Word) && other.Weight*4 >= w.Weight*3
			case len(other.Word) < len(w.Word):
				return strings.Contains(w.Word, other.Word) && w.Weight*4 < other.Weight*3
			}
			return false
		})
	})
}

// particles end Korean words and are no part of them, the longer first.
var particles = []string{"에서는", "으로는", "에서", "에게", "으로", "까지", "부터", "은", "는", "이", "가", "을", "를", "에", "의", "도", "와", "과", "로"}

func withoutParticle(word string) string {
	for _, p := range particles {
		if short, ok := strings.CutSuffix(word, p); ok && utf8.RuneCountInString(short) >= 2 {
			return short
		}
	}
	return word
}
