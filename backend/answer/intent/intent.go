package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// Intent is what a message wants.
type Intent string

// The intents. Search is what everything is that is not surely another.
const (
	Search   Intent = "search"
	Greeting Intent = "greeting"
	Goodbye  Intent = "goodbye"
	Thanks   Intent = "thanks"
	About    Intent = "about" // about Footnote: what it is and can do
)

// classes in the order of the weights.
var classes = [...]Intent{Search, Greeting, Goodbye, Thanks, About}

const (
	longest  = 90 // characters of a message that may be other than a search
	mostWord = 14
)

// Of tells the intent of a message and the language that it is in, as far as
// that is known. Where something else is spoken of already (a conversation, a text
// that came along, chosen files), a question may be about that: only set phrases
// that name Footnote or speak to it are about Footnote then.
// A reader who insists, by asking once more, has everything else searched for. read
// gives the vector of a message, nil where the encoder is off: then only what is known
// by heart is told from a search.
func Of(text string, spoken, insists bool, read func(text string) []float32) (Intent, lang.Code) {
	return shipped().Of(text, spoken, insists, read)
}

// Of is what the function does, with this model.
func (m *Model) Of(text string, spoken, insists bool, read func(text string) []float32) (Intent, lang.Code) {
	if isLong(text) {
		return Search, lang.Unknown
	}
	rest, courtesy := afterCourtesies(text, false)
	for _, said := range []string{text, rest} {
		if s, ok := setPhrase(said); ok && said != "" && (spoken || !s.Spoken) {
			if s.Opens && spoken {
				return Search, s.Code
			}
			return s.Is, s.Code
		}
	}
	if plain(rest) == "" && (spoken || !courtesy.Spoken) {
		return courtesy.Is, courtesy.Code
	}
	if insists || read == nil || onlyAsks(text) || spoken && goesOn(text) {
		return Search, lang.Detect(text)
	}
	is := m.Classify(rest, read(rest))
	switch {
	case is == About && spoken:
		is = Search
	case is != Search && is != About && courtesy.Is != "":
		return courtesy.Is, courtesy.Code // "Merci beaucoup, c'est bien" thanks
	}
	return is, lang.Detect(text)
}

// afterCourtesies is what follows greetings, thanks, praise or a good-bye that are
// known by heart: that decides. A message without one is left as it is. courtesy is the
// one that says most: thanks or a good-bye rather than praise. marked asks for a mark
// behind each.
func afterCourtesies(text string, marked bool) (rest string, courtesy Sample) {
	rest = text
	for plain(rest) != "" {
		after, s, ok := afterCourtesy(rest, true)
		if !ok && !marked {
			after, s, ok = afterCourtesy(rest, false)
		}
		rest = after
		if !ok {
			break
		}
		if courtesy.Is == "" || !s.Spoken {
			courtesy = s
		}
	}
	return rest, courtesy
}

// afterCourtesy takes one courtesy off, the longest, and what is uttered before it.
// marked asks for a mark behind it; praise always needs one, its words are like others.
func afterCourtesy(text string, marked bool) (rest string, courtesy Sample, ok bool) {
	text = uttered(text)
	for at := len(text); at > 0; at = strings.LastIndexFunc(text[:at], separates) {
		if s, known := setPhrase(text[:at]); known && s.Is != About && s.Is != Search && (!marked && !s.Spoken || ends(text[at:])) {
			return strings.TrimLeftFunc(text[at:], separates), s, true
		}
	}
	return text, courtesy, false
}

// ends reports whether what follows begins with a mark, or nothing does.
func ends(after string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return strings.Trim(after, " ") == "" || unicode.IsPunct(first)
}

// uttered is a message without the sounds that open it: "hm, are you sure?"
func uttered(text string) string {
	for _, code := range lang.Codes() {
		if rest, ok := code.CutFront("interjection", text); ok && plain(rest) != "" && strings.ContainsAny(text[:len(text)-len(rest)], ",，、.…!") {
			return rest
		}
	}
	return text
}

// WithoutCourtesy is a message without the greeting or thanks before what it asks; one
// that is nothing else is left as it is.
func WithoutCourtesy(text string) string {
	if rest, _ := afterCourtesies(text, true); plain(rest) != "" {
		return rest
	}
	return text
}

func separates(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// onlyAsks reports whether a message is a word to ask with in some language: "why?"
func onlyAsks(text string) bool {
	return slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool {
		_, asks := code.AskForm(plain(text))
		return asks
	})
}

// goesOn reports whether a message of a conversation asks for something, or for
// more of what was said.
func goesOn(text string) bool {
	return strings.ContainsAny(text, "?？؟") || lang.AsksFor(text) != lang.AsksNothing ||
		slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool { return code.Says(lang.GoesOn, text) })
}

// isLong reports whether a message says more than small talk does, or nothing, or
// names something: a number, a page, a file, a collection.
func isLong(text string) bool {
	return plain(text) == "" || utf8.RuneCountInString(text) > longest || len(strings.Fields(text)) > mostWord ||
		strings.ContainsAny(strings.TrimSpace(text), "@#/\\\"“”„«»<>=\n") || strings.ContainsFunc(text, unicode.IsDigit)
}

// setPhrase looks a whole message up among the greetings, good-byes and thanks of
// every language and the messages that are known by heart.
func setPhrase(text string) (s Sample, ok bool) {
	s, ok = byHeart()[plain(text)]
	return s, ok
}

// ByHeart reports whether a message is known word for word, but for a greeting before it.
func ByHeart(text string) bool {
	_, ok := setPhrase(text)
	after, _ := afterCourtesies(text, false)
	_, rest := setPhrase(after)
	return ok || rest
}

// plain is a message in lower case as its words alone.
func plain(text string) string { return strings.Join(words(text), " ") }

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "İ", "i")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
	})
}
