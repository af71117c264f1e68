package pdf

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"footnote/backend/extract/layout"
)

// combining are the marks that stand on or under a letter, by the characters that
// stand for them alone: TeX with its first fonts shows the mark, goes back and shows
// the letter.
var combining = map[rune]string{
	'´': "\u0301", '`': "\u0300", 'ˋ': "\u0300", 'ˆ': "\u0302", '^': "\u0302", '¨': "\u0308", '˜': "\u0303", '~': "\u0303", '¸': "\u0327",
	'˚': "\u030A", 'ˇ': "\u030C", '˘': "\u0306", '˝': "\u030B", '˙': "\u0307", '˛': "\u0328", '¯': "\u0304",
}

var dotless = map[rune]rune{'ı': 'i', 'ȷ': 'j'}

// accented joins a letter to the mark that was shown right before it and at its place.
// It reports whether the two are a letter.
func (p *painter) accented(text string, at layout.Fragment) bool {
	before := p.words.String()
	mark, size := utf8.DecodeLastRuneInString(before)
	letter, n := utf8.DecodeRuneInString(text)
	shared := min(at.X1, p.last.X1) - max(at.X0, p.last.X0)
	if combining[mark] == "" || shared < 0.4*min(at.X1-at.X0, p.last.X1-p.last.X0) || shared <= 0 {
		return false
	}
	if plain, has := dotless[letter]; has {
		letter = plain
	}
	joined := norm.NFC.String(string(letter) + combining[mark])
	if utf8.RuneCountInString(joined) != 1 {
		return false
	}
	p.words.Reset()
	p.words.WriteString(before[:len(before)-size] + joined + text[n:])
	if len(before) == size {
		p.open.X0, p.open.Y = min(at.X0, p.open.X0), at.Y
	}
	p.open.X1 = max(p.open.X1, at.X1)
	return true
}
