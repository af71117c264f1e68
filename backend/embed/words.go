package embed

import "regexp"

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

// Pieces is how many pieces of the vocabulary of many languages in the binary a word
// is: 1 for a frequent one. An error means a damaged build.
func Pieces(word string) (int, error) {
	m, err := multilingual()
	if err != nil {
		return 0, err
	}
	return len(m.words().pieces(nil, word)), nil
}
