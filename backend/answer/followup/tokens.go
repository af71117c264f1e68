package followup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// token is a word of a question, or a mark.
type token struct {
	lower      string
	start, end int
	verb       bool // known by the pronoun that is tied to it: "est" of "est-elle"
	tied       bool // such a pronoun, with its hyphen
}

var words = pattern.New(`(?i:\p{L}+n['’]t\b)|(?i:\b(?:[ldscnjm]|qu|un|cos|dov|dell|nell|all|dall|sull|quest|quell)['’])|\p{Cyrillic}+['’]\p{Cyrillic}+|['’]\p{L}+|\p{L}[\p{L}\p{M}\p{N}-]*|\p{N}{1,3}(?: \p{N}{3})+\b|\p{N}[\p{N}.,/-]*\p{N}|\p{N}+|[^\s]`)

func tokenize(l *lexicon, text string) (out []token) {
	for _, s := range words.FindAllStringIndex(text, -1) {
		out = append(out, l.pieces(text, s[0], s[1], out)...)
	}
	return out
}

// question is a text with its tokens, in a language.
type question struct {
	*lexicon
	text string
	toks []token
}

func newQuestion(l *lexicon, text string) question {
	text = strings.TrimLeft(strings.Join(strings.Fields(text), " "), "¿¡ ")
	return question{l, text, tokenize(l, text)}
}

// span is a run of tokens, from the first to before the last.
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

func (q question) of(s span) string {
	if s.empty() {
		return ""
	}
	return q.text[q.toks[s.from].start:q.toks[s.to-1].end]
}

// with puts a text in the place of a run.
func (q question) with(s span, text string) question {
	if s.from >= len(q.toks) {
		return q.followedBy(text)
	}
	start, end := q.toks[s.from].start, q.toks[s.from].start
	if !s.empty() {
		end = q.toks[s.to-1].end
		if q.toks[s.from].tied {
			text = " " + text
		}
		if end < len(q.text) && strings.HasSuffix(q.word(s.to-1), "'") && !strings.HasSuffix(text, "'") {
			text += " " // behind what was elided
		}
	} else if !q.has("unspaced") {
		text += " "
	}
	return newQuestion(q.lexicon, q.text[:start]+text+q.text[end:])
}

// bare is the question without its mark.
func (q question) bare() string { return strings.TrimRight(q.text, marks) }

const marks = " ?!.？！。؟"

// mark is what ends the question.
func (q question) mark() string {
	if end := strings.TrimSpace(q.text[len(q.bare()):]); end != "" && !strings.ContainsAny(end, ".。") {
		return end
	}
	switch {
	case q.has("unspaced"):
		return "？"
	case q.name == lang.Arabic:
		return "؟"
	}
	return "?"
}

// marked reports whether the question ends as one.
func (q question) marked() bool {
	return strings.HasSuffix(q.text, "?") || strings.HasSuffix(q.text, "？") || strings.HasSuffix(q.text, "؟")
}

// followedBy is the question with more words: behind it, or before it where the
// verb comes last.
func (q question) followedBy(text string) question {
	if q.has("verb-last") {
		return newQuestion(q.lexicon, q.joined(text, q.text))
	}
	return newQuestion(q.lexicon, q.joined(q.bare(), text)+q.mark())
}

func (q question) word(i int) string {
	if i < 0 || i >= len(q.toks) {
		return ""
	}
	return q.toks[i].lower
}

func (q question) isWord(i int) bool {
	if i < 0 || i >= len(q.toks) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(q.toks[i].lower)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (q question) capital(i int) bool {
	r, _ := utf8.DecodeRuneInString(q.text[q.toks[i].start:])
	return unicode.IsUpper(r)
}

// bounds reports whether a token ends a noun phrase.
func (q question) bounds(i int) bool {
	w := q.word(i)
	return i >= 0 && i < len(q.toks) && q.toks[i].verb || q.is("wh", w) || q.is("aux", w) || q.is("prep", w) || w == "?" || w == "!" || w == ";" || w == ":" || w == "." || w == "？" || w == "。" || w == "؟" ||
		q.is("dummy", w) || q.is("thing", w) && !q.is("det", w) || q.is("person", w) || q.is("self", w)
}

// content reports whether a token says what a question is about.
func (q question) content(i int) bool {
	w := q.word(i)
	return q.isWord(i) && !q.bounds(i) && !q.is("det", w) && !q.is("poss", w) && !q.is("join", w)
}

var year = pattern.New(`^(?:1[5-9]|20|21)\d\d(?:[/-]\d{2,4})?$`)

func (q question) isTime(i int) bool {
	w := q.word(i)
	return year.MatchString(w) || q.is("month", w) || q.is("when", w) || q.isDay(i) ||
		len(w) <= 2 && w != "" && unicode.IsDigit(rune(w[0])) && (q.is("month", q.word(i-1)) || q.is("month", q.word(i+1)))
}

const shortestDay = 4 // letters of a day's name in an alphabet: "sun" is also another word

// isDay reports whether a token is a day of the week, or a part of a week or day.
func (q question) isDay(i int) bool {
	w := q.word(i)
	_, is := lang.Weekday(q.name, w)
	return is && (utf8.RuneCountInString(w) >= shortestDay || q.has("unspaced")) || q.is("weekpart", w)
}

// when is the first run of a question that names a time, with the words that lead
// to it: "from 2018 to 2019", "for the year ended 31 December 2019".
func (q question) when() span {
	for i := range q.toks {
		if !q.isTime(i) {
			continue
		}
		s := span{i, i + 1}
		for s.from > 0 && (q.is("glue", q.word(s.from-1)) || q.isTime(s.from-1)) {
			s.from--
		}
		for j := s.to; j < len(q.toks) && (q.is("glue", q.word(j)) || q.isTime(j) || q.word(j) == "," || q.word(j) == "-"); j++ {
			if q.isTime(j) || q.is("glueend", q.word(j)) {
				s.to = j + 1
			}
		}
		return q.trimmedTime(s)
	}
	return span{}
}

// trimmedTime leaves out what stands before a time and belongs to other words.
func (q question) trimmedTime(s span) span {
	for s.from < s.to-1 && !q.isTime(s.from) {
		w, next := q.word(s.from), q.word(s.from+1)
		if !q.is("join", w) && !(q.is("det", w) && !q.is("prep", w) && q.isTime(s.from+1)) && !(q.is("prep", w) && q.is("prep", next) && w != "as") {
			break
		}
		s.from++
	}
	return s
}

// without is the question with a run taken out.
func (q question) without(s span) question {
	if s.empty() {
		return q
	}
	return newQuestion(q.lexicon, strings.TrimSpace(q.text[:q.toks[s.from].start])+" "+strings.TrimSpace(q.text[q.toks[s.to-1].end:]))
}
