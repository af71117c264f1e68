package cite

import (
	"strings"

	"footnote/backend/pattern"
)

var (
	quoted    = pattern.New(`"([^"\n]{1,600})"`)
	marksNext = pattern.New(`^[\s.,;:!?*]*\[\d+\]`)
)

// VerbatimQuote checks what a sentence puts in quotation marks right before a
// marker, or at its end when the sentence comes without its markers. has says
// that there is such a quote of at least two words, ok that each is a verbatim
// substring of the passage; white space and the shape of quotes and dashes do
// not count, nor does a full stop or comma set inside the quotes.
func VerbatimQuote(sentence, passage string) (ok, has bool) {
	text := normalise(sentence)
	marked := strings.Contains(text, "[") && dropMarks(text) != text
	source := fold(passage)
	ok = true
	for _, m := range quoted.FindAllStringSubmatchIndex(text, -1) {
		rest := text[m[1]:]
		if marked && !marksNext.MatchString(rest) || !marked && strings.Trim(rest, " .,;:!?*)") != "" {
			continue
		}
		inner := strings.Trim(fold(text[m[2]:m[3]]), " .,;:!?")
		if wordsIn(inner) < 2 {
			continue
		}
		has = true
		for _, part := range strings.Split(inner, "...") {
			ok = ok && strings.Contains(source, strings.Trim(part, " ,;[]()"))
		}
	}
	return ok && has, has
}

// fold makes quotes and dashes plain, takes emphasis out and joins white space.
func fold(s string) string {
	return collapse(strings.NewReplacer(`"`, "'", "*", "", "_", "", "[...]", "...", "(...)", "...").Replace(collapse(plainer.Replace(s))))
}
