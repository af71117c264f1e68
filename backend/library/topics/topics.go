// Package topics finds the words that a text is about: frequent in it, and rare in
// the library.
package topics

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// A text's topics are the one to three of its words that are frequent in it and
// rare in the library. The frequent words are found once, when the text is read;
// how rare they are is counted again each time the library has grown by a fifth.

const (
	topicWords    = 12   // frequent words kept of a text
	topicsMost    = 3    // topics of a text
	topicBytes    = 4096 // of a text are looked at, and of its headings as many
	languageBytes = 1024 // of a text tell its language
	headingPays   = 4    // a word of a heading counts as this many of the text
	namePays      = 3    // a word of the file's name
	topicTimes    = 2    // a word that stands there only once is no topic
)

// Word is a frequent word of a text with its weight.
type Word struct {
	Word   string  `json:"w"`
	Weight float64 `json:"n"`
}

// Frequent gives the frequent words of a document, the heaviest first, by the plain
// name and the ending of its file too. The tokenizer remembers stems from one
// document to the next.
func Frequent(tokenizer *rank.Tokenizer, doc evidence.Document, name, ext string) []Word {
	t := topicCount{tokenizer, map[string]*topicEntry{}}
	t.count(name, namePays)
	t.count(doc.Source.Title, headingPays)
	headings := 0
	for _, b := range doc.Blocks {
		if b.Kind == evidence.Heading && headings < topicBytes && b.Start >= 0 && b.End <= len(doc.Text) && b.Start <= b.End {
			headings += b.End - b.Start
			t.count(doc.Text[b.Start:b.End], headingPays)
		}
	}
	end := min(topicBytes, len(doc.Text))
	for end < len(doc.Text) && !utf8.RuneStart(doc.Text[end]) {
		end++
	}
	t.count(doc.Text[:end], 1)
	return t.heaviest(ext)
}

// topicCount counts words by their stem, and remembers how each was written.
type topicCount struct {
	tokenizer *rank.Tokenizer
	stems     map[string]*topicEntry
}

type topicEntry struct {
	weight float64
	times  int
	forms  []topicForm
}

type topicForm struct {
	word  string
	times int
}

func (t topicCount) count(text string, pays float64) {
	language := lang.Detect(text[:min(len(text), languageBytes)])
	runs(text, func(word string, from script) {
		if short := utf8.RuneCountInString(word) < letters[from]; short || lang.IsFunctionWord(language, word) {
			return
		}
		switch from {
		case han:
			grams(word, func(gram string) { t.add(gram, gram, pays) })
		case kana, hangul:
			t.add(word, word, pays)
		default:
			rank.Words(word, func(w rank.Word) { t.add(t.tokenizer.Term(w), word, pays) })
		}
	})
}

func (t topicCount) add(stem, word string, pays float64) {
	e := t.stems[stem]
	if e == nil {
		e = &topicEntry{}
		t.stems[stem] = e
	}
	e.weight += pays
	e.times++
	e.note(word)
}

func (e *topicEntry) note(word string) {
	for i := range e.forms {
		if e.forms[i].word == word {
			e.forms[i].times++
			return
		}
	}
	e.forms = append(e.forms, topicForm{word, 1})
}

// form is how the word is written most often.
func (e *topicEntry) form() string {
	most := e.forms[0]
	for _, f := range e.forms[1:] {
		if f.times > most.times || f.times == most.times && f.word < most.word {
			most = f
		}
	}
	return most.word
}

func (t topicCount) heaviest(ext string) []Word {
	var words []Word
	for _, e := range t.stems {
		if e.times < topicTimes {
			continue
		}
		if form := e.form(); "."+form != strings.ToLower(ext) {
			words = append(words, Word{strings.Clone(form), e.weight})
		}
	}
	words = withoutParts(words)
	slices.SortFunc(words, func(a, b Word) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Word, b.Word))
	})
	return words[:min(topicWords, len(words))]
}

// Choose picks the topics of a text, the best first. others tells in how
// many of all texts a word is frequent.
func Choose(words []Word, others func(string) int, all int) []string {
	type scored struct {
		word  string
		score float64
	}
	list := make([]scored, 0, len(words))
	for _, w := range words {
		rare := math.Log(1 + float64(all+1)/float64(others(w.Word)+1))
		list = append(list, scored{w.Word, (1 + math.Log(w.Weight)) * rare})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	topics := []string{}
	for _, s := range list[:min(topicsMost, len(list))] {
		topics = append(topics, s.word)
	}
	return topics
}

// First picks the topics of a text where nothing is known of others.
func First(words []Word) []string {
	return Choose(words, func(string) int { return 0 }, 0)
}
