package lang

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Matter is what a question is about: without the words that only ask, join or
// bend, in the language that it is in. A search that takes these for words of the
// matter finds what is told in the same turns of phrase. English is left as it is,
// as its stop words are known where terms are made, and so is a question that has
// nothing else.
func Matter(question string) string {
	if Detect(question) == English {
		return question
	}
	return BareMatter(question)
}

// BareMatter is Matter of an English question, too: for texts that are many and speak
// as questions do. Of a handbook, "How do I …" finds the contents of any list of questions.
func BareMatter(question string) string {
	matter := question
	switch code := Detect(question); code {
	case Unknown:
		return question
	case Japanese, Chinese:
		matter = withoutPieces(code, question)
	case Korean:
		matter = withoutParticles(question)
	default:
		matter = withoutSmallWords(code, question)
	}
	if strings.TrimSpace(matter) == "" {
		return question
	}
	return matter
}

func withoutSmallWords(code Code, question string) string {
	shouted := strings.ToUpper(question) == question
	var kept []string
	for w := strings.Fields(question); len(w) > 0; {
		if n := code.asksCount(w); n > 0 {
			w = w[n:]
			continue
		}
		word := strings.TrimFunc(w[0], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		acronym := !shouted && utf8.RuneCountInString(word) > 1 && strings.ToUpper(word) == word // IT, US, WHO
		if acronym || !code.isSmall(word) {
			kept = append(kept, w[0])
		}
		w = w[1:]
	}
	return strings.Join(kept, " ")
}

// asksCount is how many words at the beginning of some ask for a count: "how many",
// none of which is in an answer.
func (c Code) asksCount(w []string) int {
	for n := min(longestAsk, len(w)); n > 1; n-- {
		if value, ok := askOf(c, words(strings.Join(w[:n], " "))); ok {
			if AnswerType(value) == Count {
				return n
			}
			return 0
		}
	}
	return 0
}

// isSmall reports whether a word joins or asks.
func (c Code) isSmall(word string) bool {
	if IsFunctionWord(c, word) {
		return true
	}
	_, asks := c.value(ask, word)
	return asks
}

// particles are the endings of Korean words that say what part they play, longest
// first.
var particles = sync.OnceValue(func() []string { return longestFirst(tables()[Korean][function]) })

// withoutParticles takes words that only ask out, and what Korean words end in.
func withoutParticles(question string) string {
	var kept []string
	for _, w := range words(question) {
		for _, p := range particles() {
			if stem, ok := strings.CutSuffix(w, p); ok && len([]rune(stem)) > 1 {
				w = stem
				break
			}
		}
		if !Korean.isSmall(w) {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// pieces are the small words of languages that write no spaces, longest first.
var pieces = sync.OnceValue(func() map[Code][]string {
	return map[Code][]string{Japanese: longestFirst(tables()[Japanese][function], tables()[Japanese][ask]), Chinese: longestFirst(tables()[Chinese][function], tables()[Chinese][ask])}
})

// longestFirst are the forms of tables, longest first.
func longestFirst(of ...map[string]string) (all []string) {
	for _, forms := range of {
		for form := range forms {
			all = append(all, form)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return all
}

// standsAlone are the characters of Chinese that are small words wherever they
// stand; of others many are parts of words.
const standsAlone = "的了吗嗎呢吧是谁誰啥"

// leftOver is how many characters of hiragana between small words are no word.
const leftOver = 2

// withoutPieces puts spaces in the place of small words, and in Japanese of what
// verbs end in.
func withoutPieces(code Code, question string) string {
	runes := []rune(lower(question))
	small := make([]bool, len(runes))
	for i := 0; i < len(runes); i++ {
		for n := pieceAt(code, runes, i); n > 0; n-- {
			small[i] = true
			if n > 1 {
				i++
			}
		}
	}
	if code == Japanese {
		dropEndings(runes, small)
	}
	return spaced(runes, small)
}

// pieceAt is the length of the small word that stands at a place, 0 for none.
func pieceAt(code Code, runes []rune, at int) int {
	for _, p := range pieces()[code] {
		piece := []rune(p)
		if len(piece) > len(runes)-at || !slices.Equal(runes[at:at+len(piece)], piece) {
			continue
		}
		if code == Chinese && len(piece) == 1 && !strings.ContainsRune(standsAlone, piece[0]) {
			continue
		}
		return len(piece)
	}
	return 0
}

// dropEndings takes what is left of hiragana where it is too short to be a word.
func dropEndings(runes []rune, small []bool) {
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && unicode.Is(unicode.Hiragana, runes[end]) && !small[end] {
			end++
		}
		for k := i; k < end && end-i <= leftOver; k++ {
			small[k] = true
		}
		i = max(end, i+1)
	}
}

// spaced writes spaces for small words. A character that would stand alone keeps
// the one behind it: texts are cut into pairs, so that it would be found nowhere.
func spaced(runes []rune, small []bool) string {
	kept := func(i int) bool { return i >= 0 && i < len(runes) && !small[i] && unicode.IsLetter(runes[i]) }
	var out strings.Builder
	for i, r := range runes {
		if small[i] {
			r = ' '
		}
		out.WriteRune(r)
		if unicode.Is(unicode.Han, r) && !kept(i-1) && !kept(i+1) && i+1 < len(runes) && unicode.IsLetter(runes[i+1]) {
			out.WriteRune(runes[i+1])
		}
	}
	return out.String()
}
