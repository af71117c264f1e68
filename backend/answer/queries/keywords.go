package queries

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

const (
	mostOpening = 12 // words of a question whose opening is cut
	earlyVerb   = 4  // words of a thing before the verb that says what of it is asked
	earlyComma  = 4  // words before a comma that parts what is asked from what it is asked of
)

// ByRules turns a stand-alone question into keywords for a search engine: what it says, in
// its own order and language. Only what merely asks is cut off its front ("Who is the");
// where that would leave a part of how it is asked ("long is the"), it stays whole. They
// are never fewer than the question's words that carry meaning, and never a word alone:
// with how it is asked more is told.
func ByRules(standalone string, now time.Time) string {
	code := lang.Spoken(standalone)
	whole := strings.TrimRight(strings.Join(strings.Fields(standalone), " "), "?!.:;, \u00a0؟？。")
	asked := opened(code, whole)
	query := withoutAsking(code, asked, asked != whole)
	if code == lang.English {
		query = strings.ReplaceAll(strings.ReplaceAll(query, "'s ", " "), "’s ", " ")
	}
	if contentCount(query) < contentCount(standalone) || len(strings.Fields(query)) < 2 {
		query = whole
	}
	if code.CountIn(lang.Fresh, asked) > 0 && !hasYear.MatchString(asked) {
		query += " " + now.Format("2006")
	}
	return strings.TrimLeft(query, "¿¡ ")
}

func contentCount(text string) int { return len(WordsOf(text)) }

// withoutAsking is a question without what merely asks at its front; the question where
// something of how it is asked would be left there. opened is set for one whose polite
// opening is gone.
func withoutAsking(code lang.Code, question string, opened bool) string {
	words := strings.Fields(question)
	if len(words) > mostOpening || code.Has(lang.Styles, "unspaced") {
		return question
	}
	form, asks := askedWith(code, words)
	kind, _ := code.AskForm(form)
	rest := words[asks:]
	if slices.ContainsFunc(words[:asks], func(w string) bool { return !onlyForms(code, bareWord(w)) }) { // "how long", "à quelle heure"
		return question
	}
	verbs := 0
	for verbs < len(rest) && merelyAsks(code, bareWord(rest[verbs])) {
		verbs++
	}
	behindVerb := verbs > 0
	switch kind {
	case lang.Amount, lang.Duration: // "How much does it weigh" says so at its end, "Quanto è alta" at once
		behindVerb = behindVerb && code.Has(lang.Modal, bareWord(rest[0]))
	case lang.Thing, lang.Choice: // "Which keeper lights", but not "Welche Pumpe ist leiser"
		behindVerb = behindVerb || !slices.ContainsFunc(rest[:min(len(rest), earlyVerb)], func(w string) bool { return code.Has(lang.Auxiliary, bareWord(w)) })
	case lang.Manner: // "How wide is", "Wie entkalke ich"
	default:
		behindVerb = behindVerb || asks > 0 || opened
	}
	if !behindVerb {
		return question
	}
	rest = rest[verbs:]
	rest = withoutLeads(code, rest, verbs > 0)
	if len(rest) == 0 || leavesAsking(code, rest) {
		return question
	}
	return strings.Join(rest, " ")
}

// leavesAsking reports whether the first of some words are left of how something is asked:
// a verb, whoever asks, or what stands before the comma of "lighter, the Arden or …".
func leavesAsking(code lang.Code, words []string) bool {
	asker := func(w string) bool { return code.Has(lang.SpokenTo, bareWord(w)) }
	return code.Has(lang.Auxiliary, bareWord(words[0])) || slices.ContainsFunc(words[:min(len(words), 2)], asker) ||
		slices.ContainsFunc(words[:min(len(words), earlyComma)], func(w string) bool { return strings.ContainsAny(w[len(w)-1:], ",:;") })
}

// askedWith is the longest form that asks at the front of some words, and how many they are.
func askedWith(code lang.Code, words []string) (form string, n int) {
	const longest = 5
	for n = min(longest, len(words)); n > 0; n-- {
		parts := make([]string, n)
		for i, w := range words[:n] {
			parts[i] = bareWord(w)
		}
		form = strings.Join(parts, " ")
		if _, asks := code.AskForm(form); asks || code.Has(lang.AsksWith, form) {
			return form, n
		}
	}
	return "", 0
}

// merelyAsks reports a verb behind what asks that says nothing of the matter: is, has, did,
// "a-t-il"; "costs" says what is asked.
func merelyAsks(code lang.Code, word string) bool {
	verb, behind, _ := strings.Cut(word, "-")
	if !code.Has(lang.Auxiliary, verb) || !lang.IsFunctionWord(code, verb) && !code.Has(lang.Modal, verb) {
		return false
	}
	return behind == "" || onlyForms(code, behind)
}

// withoutLeads are words without those at their front that lead to the matter: articles,
// "my", and in English whoever asks behind a verb, with what is done: "should I do to".
func withoutLeads(code lang.Code, words []string, behindVerb bool) []string {
	for len(words) > 1 {
		word, next := bareWord(words[0]), bareWord(words[1])
		switch {
		case (leads(code, word) || standsBeforeNoun(code, word, words[1])) && !code.Has(lang.Adposition, next):
		case behindVerb && code == lang.English && code.Has(lang.SpokenTo, word):
			for len(words) > 2 && (merelyAsks(code, next) || next == "to") {
				words, next = words[1:], bareWord(words[2])
			}
		default:
			return words
		}
		words = words[1:]
	}
	return words
}

// WithoutArticle is the name of a thing without the article in front of it.
func WithoutArticle(code lang.Code, thing string) string {
	return strings.Join(withoutLeads(code, strings.Fields(thing), false), " ")
}

// leads reports an article, and what else stands before a noun and points at nothing.
func leads(code lang.Code, word string) bool {
	return code.Has(lang.Article, word) || code.Has(lang.Determiner, word) && !code.Has(lang.Pointing, word)
}

// standsBeforeNoun reports a word that may point at something or stand before a noun, as
// "das", where the capital behind it says which.
func standsBeforeNoun(code lang.Code, word, next string) bool {
	first, _ := utf8.DecodeRuneInString(next)
	return code.Has(lang.Styles, "nouns-capital") && code.Has(lang.Determiner, word) && unicode.IsUpper(first)
}

// bareWord is a word in lower case without the signs around it.
func bareWord(word string) string {
	word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
	return strings.TrimFunc(word, func(r rune) bool {
		return r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' || r == '¿' || r == '¡'
	})
}
