package answer

import (
	"context"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/lang"
)

// Spelling is a Shelf that knows how its files write words: it gives a question with
// words that no file has as files write them, but for those that isWord knows.
type Spelling interface {
	Spelled(ctx context.Context, question string, isWord func(string) bool) (string, error)
}

// surelyMisspelt is how long a word is that no table knows and that files write nearly
// so, and is misspelt: in languages without a list of words.
const surelyMisspelt = 7

// spell reads a question to the reader's files with its typing errors mended, and says
// so. What the web is asked as well stays as typed: engines know more words than files.
func (p *Pipeline) spell(ctx context.Context) {
	shelf, can := p.engine.Shelf.(Spelling)
	if !can || !p.Task.WantsShelf() || p.Task.WantsWeb() {
		return
	}
	text := p.Task.Question.Text
	code := lang.Detect(text)
	spelled, err := shelf.Spelled(ctx, text, func(word string) bool {
		_, asks := code.AskForm(word)
		switch {
		case p.engine.Checker.Knows(word) || asks || lang.IsFunctionWord(code, word):
			return true
		case code == lang.English || code == lang.Unknown:
			return false
		}
		return utf8.RuneCountInString(word) < surelyMisspelt
	})
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
