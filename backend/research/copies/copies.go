// Package copies tells which passages of files say again what another form of the same text
// says: the source of a page beside the page, a book in one file beside its chapters.
package copies

import (
	"path/filepath"
	"strings"
	"unicode"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

const (
	fewestSaid = 2   // sentences that a passage must have in common with another text
	saidAgain  = 0.6 // share of its sentences that makes it a copy
	fewestLong = 4   // words of a sentence that is compared
	madeOf     = 0.2 // share of what was read of a text that one of the same name must say; passages of both seldom begin at the same place
)

// Of are the passages that say what those of a file in a form that reads better say, by
// sentences. Texts of different years are versions and no copies, nor is what has a number
// that the other does not.
func Of(all []rank.Candidate, yearOf func(rank.Candidate) int) map[evidence.PassageID]bool {
	texts := map[evidence.SourceID]*text{}
	for _, c := range all {
		if !c.Local() {
			continue
		}
		if texts[c.Source.ID] == nil {
			texts[c.Source.ID] = &text{name: nameOf(c.Source.Address), form: formOf(c.Source.Address), year: yearOf(c), said: map[string]bool{}, numbers: map[string]bool{}}
		}
		texts[c.Source.ID].read(c.Passage.Text)
	}
	copied := map[evidence.PassageID]bool{}
	for _, c := range all {
		own := texts[c.Source.ID]
		for id, other := range texts {
			if own != nil && id != c.Source.ID && other.form < own.form && !own.otherYear(other) && (other.says(c.Passage.Text) || other.isPageOf(own)) {
				copied[c.Passage.ID] = true
			}
		}
	}
	return copied
}

// Without are candidates that are no copies.
func Without(copied map[evidence.PassageID]bool, all []rank.Candidate) (some []rank.Candidate) {
	for _, c := range all {
		if !copied[c.Passage.ID] {
			some = append(some, c)
		}
	}
	return some
}

// Forms of files, those first whose sentences are read best: pages and documents know their
// paragraphs, plain text has its marks in it, and lines of PDF may be torn.
const (
	marked = iota
	plainText
	printed
)

func formOf(address string) int {
	switch strings.ToLower(filepath.Ext(address)) {
	case ".html", ".htm", ".xhtml", ".epub", ".docx", ".odt":
		return marked
	case ".pdf":
		return printed
	}
	return plainText
}

// nameOf is the name of a file without what tells its form: "faq" of faq.rst.txt.
func nameOf(address string) string {
	name, _, _ := strings.Cut(filepath.Base(address), ".")
	return strings.ToLower(name)
}

// text is what was read of a file.
type text struct {
	name          string
	form, year    int
	said, numbers map[string]bool
}

func (t *text) otherYear(o *text) bool { return t.year > 0 && o.year > 0 && t.year != o.year }

// isPageOf reports whether a text of the same name says a good part of what was read of
// another one, which it is made from.
func (t *text) isPageOf(o *text) bool {
	if t.name != o.name {
		return false
	}
	again := 0
	for words := range o.said {
		if t.said[words] {
			again++
		}
	}
	return again >= fewestSaid && float64(again) >= madeOf*float64(len(o.said))
}

// read adds a passage.
func (t *text) read(passage string) {
	for _, words := range sentencesOf(passage) {
		t.said[strings.Join(words, " ")] = true
		for _, word := range words {
			if isNumber(word) {
				t.numbers[word] = true
			}
		}
	}
}

// says reports whether a passage has little that the text does not say.
func (t *text) says(passage string) bool {
	again, all := 0, sentencesOf(passage)
	for _, words := range all {
		if t.said[strings.Join(words, " ")] {
			again++
			continue
		}
		for _, word := range words {
			if isNumber(word) && !t.numbers[word] {
				return false
			}
		}
	}
	return again >= fewestSaid && float64(again) >= saidAgain*float64(len(all))
}

// sign of a footnote.
var sign = pattern.New(`\[\d+\]`)

// sentencesOf are the words of each longer sentence of a passage, whatever marks and line
// ends are between them.
func sentencesOf(passage string) (all [][]string) {
	passage = sign.ReplaceAllString(passage, "")
	for _, span := range evidence.WholeSentences(passage) {
		words := strings.FieldsFunc(strings.ToLower(passage[span.Start:span.End]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(words) >= fewestLong {
			all = append(all, words)
		}
	}
	return all
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }
