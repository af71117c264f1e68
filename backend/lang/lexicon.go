package lang

// Lexicon tells words from typing errors.
type Lexicon interface {
	Knows(word string) bool          // it is a word as it stands
	Meant(word, written string) bool // a word that is none was meant to be the written one
}
