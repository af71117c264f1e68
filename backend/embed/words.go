package embed

import (
	"errors"
	"regexp"
)

// Word is a word of a text, or a mark of punctuation, and how many tokens it is.
type Word struct {
	Text   string
	Tokens int
}

var wordsAndMarks = regexp.MustCompile(`[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)?|[^\s\p{L}\p{N}\p{M}]`)

// Words cuts a text into words, with what follows an apostrophe, and marks of
// punctuation. Their tokens in a row are those of the whole text.
func (e *Encoder) Words(text string) []Word {
	var words []Word
	var ids []int32
	for _, word := range wordsAndMarks.FindAllString(text, -1) {
		ids = e.model.words().pieces(ids[:0], word)
		words = append(words, Word{word, len(ids)})
	}
	return words
}

// Likelihood is what the vocabulary of many languages in the binary knows of a word: how
// many of its pieces it is, 1 for a frequent one, and the logarithm of how likely these
// are. An error means a damaged build.
func Likelihood(word string) (pieces int, logarithm float64, err error) {
	m, err := multilingual()
	if err != nil {
		return 0, 0, err
	}
	u, is := m.words().tokenizer.(*unigram)
	if !is {
		return 0, 0, errors.New("the vocabulary of many languages has no likelihoods")
	}
	ids := u.pieces(nil, word)
	for _, id := range ids {
		if id == unigramUnknown {
			logarithm += float64(u.unknown)
		} else {
			logarithm += float64(u.score(int(id)))
		}
	}
	return len(ids), logarithm, nil
}

// EnglishPieces is how many pieces of the English vocabulary in the binary a word is. An
// error means a damaged build.
func EnglishPieces(word string) (int, error) {
	m, err := english()
	if err != nil {
		return 0, err
	}
	return len(m.words().pieces(nil, word)), nil
}
