package queries

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/intent"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

// The rule-based rewrite: what a question is about, without a model (ASK-13).
// It is deliberately small; a model does better where there is one.

var (
	hasYear = pattern.New(`\b(1[5-9]|20|21)\d\d\b`)
	name    = pattern.New(`\p{Lu}[\p{L}\p{N}'’.-]*(?:[ ](?:of|the|de|van|von|da|di|la|le|and|&)?[ ]?\p{Lu}[\p{L}\p{N}'’.-]*)*`)
)

const topicWords = 6 // of a question, at most, when they stand for a pronoun

const onTextWords = 6 // of what is to be done with what was said, at most

// IsOnText reports whether a text asks for something to be done with what was said.
func IsOnText(text string) bool {
	code := lang.Spoken(text)
	rest, ok := code.OpensWith(lang.Retold, text)
	if rest = strings.Trim(rest, "?!.,。 "); !ok || rest == "" {
		return ok
	}
	_, told := code.CutFront(lang.Told, rest)
	return told && len(strings.Fields(rest)) <= onTextWords
}

// IsSmallTalk reports whether a message needs no evidence at all.
func IsSmallTalk(text string, history []contract.Turn) bool {
	is, _ := intent.Of(text, len(history) > 0, true, nil)
	return is != intent.Search && is != intent.About || len(history) > 0 && IsOnText(text)
}

// elliptic reports whether a question without pronouns leaves out what it is
// about: it has hardly a word of its own and points at something known.
func elliptic(code lang.Code, question string) bool {
	return code.CountIn(lang.Vague, question) > 0 && len(WordsOf(question)) <= 2
}

// topicOf are the words of a question that say what it is about; one that is
// about something said before has none.
func topicOf(question string) string {
	code := lang.Spoken(question)
	if code.PointsBack(question) || elliptic(code, question) {
		return ""
	}
	words := WordsOf(question)
	return strings.Join(words[:min(len(words), topicWords)], " ")
}

// WordsOf are the words of a question that carry meaning.
func WordsOf(question string) (words []string) {
	code := lang.Spoken(question)
	for _, w := range strings.Fields(opened(code, question)) {
		w = strings.Trim(w, "?!.,;:\"'()؟¿¡")
		if low := strings.ToLower(w); len(rank.Terms(w)) > 0 && !code.OnlyForms(low) && !code.Has(lang.Vague, low) {
			words = append(words, w)
		}
	}
	return words
}

// opened is a question without what opens it and says nothing of what is asked.
func opened(code lang.Code, question string) string {
	for range 4 {
		rest := code.CutRequest(question)
		if cut, ok := code.CutFront(lang.Opens, rest); ok {
			rest = cut
		}
		if rest == question || rest == "" {
			break
		}
		question = rest
	}
	return question
}

// Names lists the capitalised runs of a text, leaving out words that are
// capitalised only because they open it.
func Names(text string) []string {
	var out []string
	code := lang.Spoken(text)
	for _, m := range name.FindAllString(text, -1) {
		words := strings.Fields(strings.Trim(m, ".'’-"))
		for len(words) > 0 && onlyForms(code, words[0]) {
			words = words[1:]
		}
		if len(words) == 0 || len([]rune(words[0])) < 2 && len(words) == 1 {
			continue
		}
		out = append(out, strings.TrimSuffix(strings.TrimSuffix(strings.Join(words, " "), "'s"), "’s"))
	}
	return out
}

// onlyForms reports whether a word, or each part of it ("Devons-nous", "A-t-il"), says
// how something is asked and not what.
func onlyForms(code lang.Code, word string) bool {
	for part := range strings.SplitSeq(strings.ToLower(word), "-") {
		if utf8.RuneCountInString(part) > 1 && !code.OnlyForms(part) {
			return false
		}
	}
	return utf8.RuneCountInString(word) > 1 || code.OnlyForms(strings.ToLower(word))
}

func lastName(text string) string {
	if n := Names(text); len(n) > 0 {
		return n[len(n)-1]
	}
	return ""
}

var (
	thoughts = pattern.New(`(?s)<think>.*?(</think>|$)`)
	fenced   = pattern.New("(?s)^```[a-z]*\n?(.*?)\n?```$")
	labelled = pattern.New(`(?i)^(search )?(query|keywords|rewritten query|standalone question|answer|output)\s*[:=]\s*`)
)

// Clean takes the query out of what a rewriter said: quotes, prefixes,
// fences, thoughts and explanations go (ASK-8). none is set for NO_SEARCH; an
// empty query means nothing usable was left.
func Clean(said string) (query string, none bool) {
	said = strings.TrimSpace(thoughts.ReplaceAllString(said, ""))
	if i := strings.LastIndex(said, "</think>"); i >= 0 {
		said = strings.TrimSpace(said[i+len("</think>"):])
	}
	if m := fenced.FindStringSubmatch(said); m != nil {
		said = strings.TrimSpace(m[1])
	}
	for line := range strings.SplitSeq(said, "\n") {
		line = labelled.ReplaceAllString(strings.TrimSpace(line), "")
		line = strings.Trim(line, "\"'`“”‘’* ")
		if line == "" || strings.HasSuffix(line, ":") {
			continue
		}
		if strings.HasPrefix(strings.ToUpper(line), "NO_SEARCH") {
			return "", true
		}
		if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || len(strings.Fields(line)) > 40 {
			continue
		}
		switch strings.ToLower(line) {
		case "undefined", "null", "none", "n/a":
			continue
		}
		return line, false
	}
	return "", false
}
