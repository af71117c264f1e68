package rank

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// statedAlike reports whether two texts of nearly the same words have the same
// numbers, negations and names. Where they have not, one may say the opposite of
// the other, and neither is a copy.
func statedAlike(a, b string) bool {
	if a == b {
		return true
	}
	in := lang.Detect(a)
	x, y := statedIn(a, in), statedIn(b, in)
	return slices.Equal(x.values, y.values) && x.namesIn(y) && y.namesIn(x)
}

// stated is what decides whether a text says the same as one in like words.
type stated struct {
	values []string // its numbers and negations, in order
	names  []string // its words with a capital that mean something
	words  map[string]bool
}

func statedIn(text string, in lang.Code) stated {
	s := stated{words: map[string]bool{}}
	places := exactWords(nil, text)
	for i, at := range places {
		written := text[at.Start:at.End]
		word := foldWord(written)
		s.words[word] = true
		first, _ := utf8.DecodeRuneInString(written)
		switch {
		case unicode.IsDigit(first):
			s.values = append(s.values, word)
		case negating().words[word], word == "t" && i > 0 && contracted(text, at.Start):
			s.values = append(s.values, "not "+word)
		case unicode.IsUpper(first) && !lang.IsFunctionWord(in, written):
			s.names = append(s.names, word)
		default:
			if n, ok := lang.Number(in, written); ok {
				s.values = append(s.values, strconv.FormatInt(n, 10))
			}
		}
	}
	for _, sign := range negating().signs {
		s.values = append(s.values, strconv.Itoa(strings.Count(text, sign)))
	}
	return s
}

// contracted reports whether a word follows an apostrophe, as in "isn't".
func contracted(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return before == '\'' || before == '’'
}

// namesIn reports whether other has every name, in whatever case.
func (s stated) namesIn(other stated) bool {
	return !slices.ContainsFunc(s.names, func(name string) bool { return !other.words[name] })
}

// negations are the words that deny in any language, and the signs that do so
// inside a run of letters without spaces.
type negations struct {
	words map[string]bool
	signs []string
}

// negating joins all languages: what denies only in another one stands in both of
// two texts that are alike.
var negating = sync.OnceValue(func() negations {
	n := negations{words: map[string]bool{}}
	for _, form := range lang.Negations() {
		if classOf(form).kind == gramRune {
			n.signs = append(n.signs, form)
		} else {
			n.words[foldWord(form)] = true
		}
	}
	return n
})
