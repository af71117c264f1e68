package subject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// refersBack are openings of sentences that go on about what was named before.
var refersBack = pattern.New(`^(?:The|We|Our|Its?|They|Their|He|His|She|Hers?|This|These|Those|That|Both|In|Since|From|By|After|Before|On|At|Until|During|For|With|About|Of|Over|Under)\b`)

// Covers reports whether a sentence is about the matter: it names it, or goes on
// about it on a page or below a sentence that does.
func (m Matter) Covers(s quote.Sentence, passages []quote.Passage) bool {
	p := passages[s.Passage]
	if len(m.names)+len(m.things) == 0 || m.definedIn(p.Digest) || m.namedIn(p.Digest, s.Heading+" "+s.Text) {
		return true // a text that defines a term for the matter is about it
	}
	read := m.read[p.Digest]
	if m.elsewhere(s, p) {
		return false
	}
	if read != nil && !m.namesElseIn(read, s.Text) && (read.about || read.shelved && !m.isOfElse(p) && !m.goesOnAbout(s, p)) {
		return true
	}
	if s.Row || len(m.things) > 0 || m.Foreign {
		return m.named(p.Title+" "+p.Text) && (s.Row || !m.ofAnother(s, p))
	}
	before := p.Text[:s.Span.Start]
	if strings.HasSuffix(strings.TrimSpace(before), "?") {
		return false // it goes on about what is asked
	}
	return m.named(p.Title+" "+before) && (refersBack.MatchString(s.Text) || quote.Dangles(s.Text)) && !m.ofAnother(s, p)
}

// Upright reports whether a sentence leans on none before it: it opens with what its text
// calls the matter, or in a text about the matter with the kind of thing that it is, "the company".
func (m Matter) Upright(s quote.Sentence, passages []quote.Passage) bool {
	read := m.read[passages[s.Passage].Digest]
	if read == nil || !quote.Dangles(s.Text) {
		return !quote.Dangles(s.Text)
	}
	first, rest, _ := strings.Cut(s.Text, " ")
	if read.terms != nil {
		if at := read.terms.FindStringIndex(s.Text); at != nil && at[0] <= len(first) {
			return true
		}
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return (read.about || read.terms != nil) && strings.EqualFold(first, "the") && unicode.IsLower(next) && !m.namesElse(s.Text)
}

// InFull is a sentence with a name for the matter in the place of what its text calls it.
func (m Matter) InFull(s quote.Sentence, passages []quote.Passage, name string) string {
	read, text := m.read[passages[s.Passage].Digest], s.Text
	if read == nil || m.named(text) {
		return text
	}
	for _, term := range read.called {
		for _, said := range []string{"The " + term, "the " + term, term} {
			if at := strings.Index(text, said); at >= 0 && !strings.HasPrefix(strings.TrimLeft(text[at+len(said):], "”\""), ")") {
				text = strings.Replace(text, said, name, 1)
				break
			}
		}
	}
	return text
}

// elsewhere reports whether a sentence stands in a text that has a part on the matter, as a
// comparison or minutes do, but under the heading of another one.
func (m Matter) elsewhere(s quote.Sentence, p quote.Passage) bool {
	read := m.read[p.Digest]
	if read == nil || !read.headed {
		return false
	}
	heading := headingAbove(p.Text[:s.Span.Start])
	if heading == "" {
		heading = p.Title
	}
	return !m.named(heading) && (!read.about || m.onlyNames(heading))
}

// mostHeading are the words of a heading, at most.
const mostHeading = 10

// headingAbove is the last line of a text that stands by itself, few words without the end
// of a sentence; empty for none.
func headingAbove(text string) (heading string) {
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	for i := len(parts) - 2; i >= 0; i-- {
		if line := strings.TrimSpace(parts[i]); isHeading(line) {
			return line
		}
	}
	return ""
}

func isHeading(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	return line != "" && !strings.ContainsAny(line, "\n|\t") && (unicode.IsLetter(last) || unicode.IsDigit(last)) && len(strings.Fields(line)) <= mostHeading
}

// headedIn reports whether a heading of a text names the matter.
func (m Matter) headedIn(text string) bool {
	for part := range strings.SplitSeq(text, "\n\n") {
		if line := strings.TrimSpace(part); isHeading(line) && m.named(line) {
			return true
		}
	}
	return false
}

// onlyNames reports whether a heading has no other words than names of something else.
func (m Matter) onlyNames(heading string) bool {
	for word := range strings.FieldsSeq(heading) {
		if !m.isName(word) {
			return false
		}
	}
	return heading != ""
}

// ofAnother reports whether what a sentence goes on about is something else: of the
// sentences before it the nearest that names the matter, or opens with another name, does
// the latter.
func (m Matter) ofAnother(s quote.Sentence, p quote.Passage) bool {
	before := evidence.WholeSentences(p.Text[:s.Span.Start])
	for i := len(before) - 1; i >= 0; i-- {
		text := p.Text[before[i].Start:before[i].End]
		if m.named(text) {
			return false
		}
		if m.opensWithElse(text) {
			return true
		}
	}
	return false
}

// opensWithElse reports whether a sentence begins with a name of something else: with two
// capitals, or with a word that has one inside other sentences too.
func (m Matter) opensWithElse(sentence string) bool {
	words := strings.Fields(sentence)
	code := lang.Spoken(sentence)
	if len(words) > 2 && code.Has(lang.Determiner, strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) < 2 || !code.NamesByCapitals() || lang.IsFunctionWord(code, strings.ToLower(words[0])) || !m.isName(words[0]) {
		return false
	}
	return m.isName(strings.TrimRight(words[1], ".,;:")) || withinSentence(m.common, words[0])
}

// isOfElse reports whether what a passage stands under names something else that sentences
// of its text name too.
func (m Matter) isOfElse(p quote.Passage) bool {
	words := strings.FieldsFunc(p.Title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
	return slices.ContainsFunc(words, func(word string) bool {
		return m.isName(word) && !strings.ContainsFunc(word, unicode.IsDigit) && withinSentence(p.Text, word)
	})
}

// withinSentence reports whether a text has a word behind another one on its line.
func withinSentence(text, word string) bool {
	for {
		at := strings.Index(text, " "+word)
		if at < 0 {
			return false
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); unicode.IsLower(before) || before == ',' {
			return true
		}
		text = text[at+len(word):]
	}
}

// goesOnAbout reports whether a sentence leans on one before it that names something else.
func (m Matter) goesOnAbout(s quote.Sentence, p quote.Passage) bool {
	before := evidence.WholeSentences(p.Text[:s.Span.Start])
	if len(before) == 0 || !quote.Dangles(s.Text) && !refersBack.MatchString(s.Text) {
		return false
	}
	last := before[len(before)-1]
	return m.namesElse(p.Text[last.Start:last.End])
}
