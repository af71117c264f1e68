package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// A sentence of more than longSentence words is cut at the last ; , or : that
// stands after minClause words, so that one endless enumeration is not one unit.
const (
	longSentence = 60
	minClause    = 30
	wrappedLine  = 40 // bytes of a line that may have been broken where it was full
)

// Sentences cuts text into sentences: at line ends, but not where a long line goes
// on in lower case; after . ! ? with closing quotes and marks of references when a space and then a capital, a digit or a letter of a script
// without case follows; after the full stops of Chinese, Japanese and Hindi
// text. Abbreviations, initials and decimals do not end a sentence. The spans
// are bytes of text, in order, trimmed of white space and never empty. A long
// sentence is several, its clauses.
func Sentences(text string) []Span {
	var spans []Span
	for _, s := range WholeSentences(text) {
		spans = appendClauses(spans, text, s)
	}
	return spans
}

// WholeSentences are Sentences without a cut in long ones.
func WholeSentences(text string) []Span {
	var spans []Span
	start := 0
	cut := func(end int) {
		if s := trim(text, Span{start, end}); s.Start < s.End {
			spans = append(spans, s)
		}
		start = end
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '\r' && strings.HasPrefix(text[i:], "\n"): // the line ends behind it
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			if !goesOn(text[:i-size], text[i:]) {
				cut(i)
			}
		case isWideStop(r):
			i = skipRunes(text, i, isWideCloser)
			cut(i)
		case isStop(r):
			end := skipReferences(text, skipRunes(text, skipRunes(text, i, isStop), isCloser))
			if opensSentence(text[end:]) && !isAbbreviation(text, i-size, end) {
				cut(end)
			}
			i = end
		}
	}
	cut(len(text))
	return spans
}

func isStop(r rune) bool     { return r == '.' || r == '!' || r == '?' || r == '؟' }
func isWideStop(r rune) bool { return strings.ContainsRune("。！？｡।॥", r) }
func isCloser(r rune) bool   { return strings.ContainsRune("\"')]”’»", r) }
func isOpener(r rune) bool   { return strings.ContainsRune("\"'([“‘«„", r) }

func isWideCloser(r rune) bool { return isWideStop(r) || strings.ContainsRune("」』）】”’", r) }

func skipRunes(text string, at int, take func(rune) bool) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !take(r) {
			break
		}
		at += size
	}
	return at
}

var reference = pattern.New(`^(?:\[(?:n |note )?\w{1,3}\])+`)

// skipReferences skips marks such as [12] and [n 8] right behind a stop.
func skipReferences(text string, at int) int {
	if at < len(text) && text[at] == '[' {
		at += len(reference.FindString(text[at:]))
	}
	return at
}

// goesOn reports whether the line that ends a text is full and the next one goes on in
// lower case: the line end was put there by a machine.
func goesOn(before, rest string) bool {
	line, rest := strings.TrimRight(before, " \t\r"), strings.TrimLeft(rest, " \t")
	if i := strings.LastIndexAny(line, "\r\n"); i >= 0 {
		line = line[i+1:]
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, isOpener))
	return len(line) >= wrappedLine && unicode.IsLower(next) && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(",-–’'\")]", last))
}

// opensSentence reports whether rest, which follows a full stop, is white
// space and then the beginning of a sentence.
func opensSentence(rest string) bool {
	after := skipRunes(rest, 0, unicode.IsSpace)
	if after == 0 {
		return false
	}
	after = skipRunes(rest, after, isOpener)
	r, _ := utf8.DecodeRuneInString(rest[after:])
	return unicode.IsUpper(r) || unicode.IsDigit(r) || (unicode.IsLetter(r) && !unicode.IsLower(r))
}

// isAbbreviation reports whether the stop at text[stop:end] belongs to the word
// before it: a listed abbreviation, one of any language before a number, or a single
// letter other than I.
func isAbbreviation(text string, stop, end int) bool {
	if text[stop:end] != "." {
		return false
	}
	from := stop
	for from > 0 && stop-from < 24 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if !unicode.IsLetter(r) && r != '.' {
			break
		}
		from -= size
	}
	word := strings.TrimLeft(text[from:stop], ".")
	if opensAside(text[:from], word) {
		return true
	}
	if word == "" {
		return isOrdinal(text[:stop], text[end:])
	}
	if utf8.RuneCountInString(word) == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return word != "I" && (unicode.IsUpper(r) || unicode.IsLower(r))
	}
	return isListed(strings.ToLower(word)) || isNumbered(word, text[:stop], text[end:])
}

// opensAside reports whether a word in lower case stands alone behind an opening bracket:
// "(vgl. Abschnitt 5)", "(см. Приложение)".
func opensAside(before, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return strings.HasSuffix(before, "(") && unicode.IsLower(first)
}

// isNumbered reports whether a word is an abbreviation, in the language that the text
// before it is in, and a number stands behind it: "Abs. 2", "стр. 12".
func isNumbered(word, before, behind string) bool {
	next, _ := utf8.DecodeRuneInString(behind[skipRunes(behind, 0, unicode.IsSpace):])
	return unicode.IsDigit(next) && lang.IsAbbreviation(lang.Detect(tail(before, 400)), word)
}

var (
	ordinalBefore = pattern.New(`(?:^|[\s(])(?:(\p{L}+)\s+)?\d{1,2}$`)
	wordBehind    = pattern.New(`^\s+(\p{Lu}\p{L}+)`)
	// What stands before an ordinal in German, and is not an English word that a
	// number may stand behind.
	germanArticle = pattern.New(`^(?i:im|dem|den|der|des|das|vom|zum|zur|beim|eine[mnrs]?|jede[mnrs]?|seit|bis|ab)$`)
)

// isOrdinal reports whether a number and its stop are an ordinal as German, Danish
// or Turkish write it: before the name of a month ("am 18. Juli"), or between an
// article and a noun ("im 19. Jahrhundert").
func isOrdinal(before, behind string) bool {
	number, next := ordinalBefore.FindStringSubmatch(tail(before, 40)), wordBehind.FindStringSubmatch(behind[:min(len(behind), 40)])
	if number == nil || next == nil {
		return false
	}
	for _, code := range []lang.Code{lang.German, lang.Turkish, lang.Swedish} {
		if _, month := lang.Month(code, next[1]); month {
			return true
		}
	}
	return germanArticle.MatchString(number[1]) && !lang.IsFunctionWord(lang.German, next[1])
}

// tail is the end of a text, at most so many bytes.
func tail(text string, most int) string { return text[max(0, len(text)-most):] }

func isListed(word string) bool {
	switch word {
	case "a.d", "a.m", "al", "approx", "apr", "aug", "b.c", "ca", "capt", "cf", "co", "col", "corp", "d.c", "dec",
		"dept", "dr", "e.g", "eg", "etc", "feb", "fig", "gen", "gov", "hon", "i.e", "ie", "inc", "jan", "jr", "jul",
		"jun", "lt", "ltd", "mar", "mr", "mrs", "ms", "no", "nov", "oct", "p.m", "p.s", "ph.d", "prof", "rep", "rev",
		"sen", "sep", "sept", "sr", "st", "u.k", "u.s", "vol", "vs":
		return true
	}
	return false
}

// appendClauses appends the sentence at s, cut into clauses when it is long.
func appendClauses(spans []Span, text string, s Span) []Span {
	for s.Start < s.End {
		at := clauseEnd(text, s)
		if part := trim(text, Span{s.Start, at}); part.Start < part.End {
			spans = append(spans, part)
		}
		s = trim(text, Span{at, s.End})
	}
	return spans
}

// clauseEnd is the end of the first clause of s: all of s unless it has more
// than longSentence words and a ; , or : among those after the minClause-th.
func clauseEnd(text string, s Span) int {
	words, inWord, end := 0, false, s.End
	for i, r := range text[s.Start:s.End] {
		if !unicode.IsSpace(r) {
			inWord = true
			continue
		}
		if !inWord {
			continue
		}
		inWord = false
		words++
		if last := text[s.Start+i-1]; words > minClause && words <= longSentence && (last == ';' || last == ',' || last == ':') {
			end = s.Start + i
		}
		if words > longSentence {
			return end
		}
	}
	return s.End
}

func trim(text string, s Span) Span {
	part := text[s.Start:s.End]
	left := len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	kept := len(strings.TrimSpace(part))
	return Span{s.Start + left, s.Start + left + kept}
}
