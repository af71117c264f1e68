package followup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// pieces are the words of a run of characters. Where a language puts no spaces, it is
// cut at the words of form; in Korean what is put behind a noun is a word of its own.
func (l *lexicon) pieces(text string, start, end int, before []token) []token {
	whole := token{lower: lowered(text[start:end]), start: start, end: end}
	first, _ := utf8.DecodeRuneInString(text[start:end])
	switch {
	case l.has("unspaced") && unicode.IsLetter(first):
		return l.cut(text, start, end, before)
	case l.name == lang.Korean && unicode.IsLetter(first):
		return l.particle(whole)
	case strings.Contains(whole.lower, "-") && !l.carriesForm(whole.lower):
		return l.inverted(whole)
	}
	return []token{whole}
}

func lowered(word string) string { return strings.ReplaceAll(strings.ToLower(word), "’", "'") }

// inverted parts a verb from the pronoun that is tied to it: "est-elle", "a-t-il".
func (l *lexicon) inverted(whole token) []token {
	for _, form := range l.name.Forms("tied") {
		verb := strings.TrimSuffix(whole.lower, form)
		if verb == whole.lower || verb == "" || len(whole.lower) != whole.end-whole.start {
			continue
		}
		at := whole.start + len(verb)
		return []token{{lower: verb, start: whole.start, end: at, verb: true},
			{lower: form[strings.LastIndexByte(form, '-')+1:], start: at, end: whole.end, tied: true}}
	}
	return []token{whole}
}

// particle parts a noun from what marks its place in the sentence.
func (l *lexicon) particle(whole token) []token {
	if l.carriesForm(whole.lower) {
		return []token{whole}
	}
	for _, form := range l.name.Forms(lang.Adposition) {
		noun := strings.TrimSuffix(whole.lower, form)
		if noun == whole.lower || utf8.RuneCountInString(noun) < 2 && !l.is(onlyBehindDigit, noun) || len(whole.lower) != whole.end-whole.start {
			continue
		}
		at := whole.start + len(noun)
		return []token{{lower: noun, start: whole.start, end: at}, {lower: form, start: at, end: whole.end}}
	}
	return []token{whole}
}

// onlyBehindDigit are words that are such only behind a number: 年, 월.
const onlyBehindDigit lang.Class = "onlyafterdigit"

var formClasses = []lang.Class{lang.AsksWith, lang.Auxiliary, lang.Adposition, lang.OfPerson, lang.OfThing, lang.Pointing, lang.Determiner, lang.SpokenTo, lang.Joining, "there", "when", "weekpart", "measure", "whole"}

func (l *lexicon) carriesForm(word string) bool {
	for _, class := range formClasses {
		if l.is(class, word) {
			return true
		}
	}
	return false
}

// longestForm is how many runes that words of form are long, at most.
const longestForm = 8

// cut parts a run of characters at the words of form that it holds, the longest
// first.
func (l *lexicon) cut(text string, start, end int, before []token) (out []token) {
	runes := []rune(text[start:end])
	from, at := start, start
	flush := func() {
		if from < at {
			out = append(out, token{lower: lowered(text[from:at]), start: from, end: at})
		}
	}
	for i := 0; i < len(runes); {
		n := l.formAt(runes, i, i == 0 && endsInDigit(before) || i > 0 && unicode.IsDigit(runes[i-1]), at == from && at > start)
		if n == 0 {
			if i > 0 && isLatin(runes[i]) != isLatin(runes[i-1]) {
				flush()
				from = at
			}
			at += utf8.RuneLen(runes[i])
			i++
			continue
		}
		flush()
		width := len(string(runes[i : i+n]))
		out = append(out, token{lower: lowered(text[at : at+width]), start: at, end: at + width})
		at += width
		from, i = at, i+n
	}
	flush()
	return out
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) || unicode.IsDigit(r) }

func endsInDigit(toks []token) bool {
	return len(toks) > 0 && unicode.IsDigit([]rune(toks[len(toks)-1].lower)[0])
}

// formAt is how long the longest word of form is that begins at a place; one of a
// single hiragana only where the run of hiragana begins or ends with it, or behind
// another word of form.
func (l *lexicon) formAt(runes []rune, i int, behindDigit, behindForm bool) int {
	for n := min(longestForm, len(runes)-i); n > 0; n-- {
		word := lowered(string(runes[i : i+n]))
		if n == 1 && !behindForm && unicode.Is(unicode.Hiragana, runes[i]) && i > 0 && unicode.Is(unicode.Hiragana, runes[i-1]) && i+1 < len(runes) && unicode.Is(unicode.Hiragana, runes[i+1]) {
			continue
		}
		if l.is(onlyBehindDigit, word) && behindDigit || l.carriesForm(word) {
			return n
		}
	}
	return 0
}
