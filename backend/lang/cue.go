package lang

import (
	"strings"
	"unicode"
)

// Cue is a kind of question that is ranked in a way of its own.
type Cue string

// The kinds that have words.
const (
	News      Cue = "news"      // what was new of late counts more
	Technical Cue = "technical" // words of programs stand as they are written
	Opinion   Cue = "opinion"   // what people find
	Own       Cue = "own"       // something of the reader's
)

// HasCue reports whether a question has a word or phrase of a kind, in its language
// or in English, whose technical words are everybody's.
func HasCue(question string, kind Cue) bool {
	asked := " " + strings.Join(strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(question), "’", "'"), betweenCues), " ") + " "
	own := Spoken(question)
	for form, value := range tables()[own][cue] {
		if value == string(kind) && (strings.Contains(asked, " "+form+" ") || unspaced(own) && strings.Contains(asked, form)) {
			return true
		}
	}
	for form, value := range tables()[English][cue] {
		if value == string(kind) && strings.Contains(asked, " "+form+" ") {
			return true
		}
	}
	return false
}

// betweenCues separates the words of a question; + and # belong to names of languages.
func betweenCues(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#'", r)
}
