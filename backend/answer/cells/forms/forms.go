// Package forms brings words to what their forms have in common, as those of a question are held
// against those of a table.
package forms

import (
	"strings"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// plainVowels takes away what forms of a word differ by inside it, Kauf, Käufe, and what names of
// files are written without: réservation.
var plainVowels = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "à", "a", "á", "a", "â", "a", "ã", "a", "å", "a", "è", "e", "é", "e", "ê", "e", "ë", "e",
	"ì", "i", "í", "i", "î", "i", "ï", "i", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ù", "u", "ú", "u", "û", "u", "ñ", "n", "ç", "c")

// joined is what Arabic writes before a word without a space: and, by, for, the.
var joined = pattern.New(`^[وف]?(?:[بكل]?ال|لل|[بكل])?(\p{Arabic}{3,})$`)

// Plain is a word as its forms are compared.
func Plain(word string) []rune {
	low := plainVowels.Replace(strings.ToLower(word))
	if m := joined.FindStringSubmatch(low); m != nil {
		low = m[1]
	}
	return []rune(low)
}

const (
	shortestTailed = 8 // bytes of a word with such an end
	leastLeft      = 4 // characters that stand before it, with one more
)

// Untailed is a word without the end that says that it is money, in a language that writes both
// as one: Eintrittsgelder.
func Untailed(code lang.Code, word string) string {
	if len(word) < shortestTailed {
		return word
	}
	rest, ok := lang.CutTail(code, lang.MoneyTail, strings.ToLower(word))
	if !ok || len([]rune(rest)) <= leastLeft {
		return word
	}
	return strings.TrimSuffix(rest, "s")
}
