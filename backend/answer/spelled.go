package answer

import (
	"context"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// Spelling is a Shelf that knows how its files write words: it gives a question with
// words that no file has as files write them.
type Spelling interface {
	Spelled(ctx context.Context, question string, words lang.Lexicon) (string, error)
}

// spell reads a question to the reader's files with its typing errors mended, and says
// so. What the web is asked as well stays as typed: engines know more words than files.
func (p *Pipeline) spell(ctx context.Context) {
	shelf, can := p.engine.Shelf.(Spelling)
	if !can || p.engine.Pieces == nil || !p.Task.WantsShelf() || p.Task.WantsWeb() {
		return
	}
	text := p.Task.Question.Text
	spelled, err := shelf.Spelled(ctx, text, lexicon{p.engine.Checker, p.engine.Pieces, lang.Detect(text)})
	if err != nil {
		p.Tell.Log.Warn("look words of a question up", "err", err)
		return
	}
	if spelled == text {
		return
	}
	p.Task.Question.Text = spelled
	p.Tell.Notice(contract.Notice{Code: "spelled", Level: "info", Message: "Read as: " + spelled})
}

// lexicon tells words from typing errors by the pieces of a vocabulary that was learnt
// from texts in a hundred languages: a frequent word is one piece, and a typing error
// breaks the word that was meant into more than it had.
type lexicon struct {
	english *cite.Checker
	pieces  func(word string) int
	code    lang.Code
}

func (l lexicon) Knows(word string) bool {
	_, asks := l.code.AskForm(word)
	english := (l.code == lang.English || l.code == lang.Unknown) && l.english.Knows(word)
	return asks || english || lang.IsFunctionWord(l.code, word) || l.fewest(word) == 1
}

func (l lexicon) Meant(word, written string) bool {
	return l.code == lang.English && l.english.Knows(written) || l.fewest(written) < l.fewest(word)
}

// fewest are the pieces of a word as it stands or in lower case.
func (l lexicon) fewest(word string) int {
	return min(l.pieces(word), l.pieces(strings.ToLower(word)))
}
