package intent

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/lang"
)

const marks = 1 << 16 // of words, hashed

// mostStrange is the share of new words that a message which is no search may have.
const mostStrange = 0.34

// strangeness is the share of the words of a message that are in no message other
// than a search. But for English, small words are not counted: with them, a question
// of any matter would be of known words mostly.
func (m *Model) strangeness(text string) float64 {
	if m.namesInLatin(text) {
		return 1
	}
	units, strange := known(matter(text)), 0
	for _, at := range units {
		if m.Seen[at/8]&(1<<(at%8)) == 0 {
			strange++
		}
	}
	return float64(strange) / float64(max(1, len(units)))
}

// namesInLatin reports whether a message in other letters names something in Latin
// ones that no small talk does.
func (m *Model) namesInLatin(text string) bool {
	latin, other := false, false
	for _, w := range words(text) {
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.Is(unicode.Latin, r) && !unicode.IsNumber(r) }) {
			other = true
			continue
		}
		for _, at := range known(w) {
			latin = latin || m.Seen[at/8]&(1<<(at%8)) == 0
		}
	}
	return latin && other
}

// matter are the words of a message that say something, where it has any.
func matter(text string) string {
	code := lang.Detect(text)
	if code == lang.English {
		return text
	}
	var kept []string
	for _, w := range words(text) {
		if _, asks := code.AskForm(w); !asks && !lang.IsFunctionWord(code, w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, " ")
}

// see notes the words of a message that is no search.
func (m *Model) see(text string) {
	for _, at := range known(text) {
		m.Seen[at/8] |= 1 << (at % 8)
	}
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
