package research

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/intent"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// matter is what a research is about, as its question and its sources name it.
type matter struct {
	names  []string // in lower case, and what sources call it besides
	things [][]string
	free   bool // of a language whose references are not known
}

// matterOf finds the names of what a question is about; where it has none, the
// words of its things. Sources say what else it is called.
func matterOf(question, topic string, texts []string) matter {
	m := matter{free: lang.Detect(question) != lang.Unknown && lang.Detect(question) != lang.English}
	for _, name := range properNames(question) {
		m.names = append(m.names, strings.ToLower(name))
		for _, alias := range aliasesOf(name, texts) {
			m.names = append(m.names, strings.ToLower(alias))
		}
	}
	if terms := rank.Terms(topic); len(m.names) == 0 && len(terms) > 0 {
		m.things = append(m.things, terms)
	}
	m.names = plain.Distinct(m.names)
	return m
}

// properNames are the names in a question, without the words that open it.
func properNames(question string) (names []string) {
	for _, name := range queries.Names(question) {
		words := strings.Fields(name)
		for len(words) > 0 && (intent.NotNames[strings.ToLower(words[0])] || intent.Opening.MatchString(words[0]) || auxiliary.MatchString(words[0])) {
			words = words[1:]
		}
		if len(words) > 0 {
			names = append(names, strings.Join(words, " "))
		}
	}
	return names
}

// aliasesOf are the names that sources give a thing besides: what they say it is
// called, and its first word, where no other name begins with it.
func aliasesOf(name string, texts []string) (aliases []string) {
	given := regexp.MustCompile(`(?i:` + regexp.QuoteMeta(name) + `),?(?: \(| (?:(?:often|also|commonly|formerly) )?(?:called|known as|named) )(\p{Lu}[\p{L}\pN-]*(?: \p{Lu}[\p{L}\pN-]*)*)`)
	first, _, several := strings.Cut(name, " ")
	begins := regexp.MustCompile(`\b` + regexp.QuoteMeta(first) + `((?: \p{Lu}[\p{L}\pN-]*)+)`)
	alone := several && len([]rune(first)) > 2 && unicode.IsUpper([]rune(first)[0])
	for _, text := range texts {
		for _, found := range given.FindAllStringSubmatch(text, -1) {
			aliases = append(aliases, found[1])
		}
		for _, other := range begins.FindAllString(text, -1) {
			alone = alone && strings.HasPrefix(strings.ToLower(other), strings.ToLower(name))
		}
	}
	if alone {
		aliases = append(aliases, first)
	}
	return aliases
}

// named reports whether a text has one of the names, or most words of a thing.
func (m matter) named(text string) bool {
	bare := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }), " ") + " "
	return slices.ContainsFunc(m.names, func(name string) bool { return strings.Contains(bare, " "+name+" ") }) ||
		slices.ContainsFunc(m.things, func(terms []string) bool { return speaksOf(text, terms) })
}

// refersBack are openings of sentences that go on about what was named before.
var refersBack = pattern.New(`^(?:The|Its?|They|Their|He|His|She|Hers?|This|These|Those|That|Both|In|Since|From|By|After|Before|On|At|Until|During|For|With|About|Of|Over|Under)\b`)

// covers reports whether a sentence is about the matter: it names it, or goes on
// about it on a page or below a sentence that does.
func (m matter) covers(s quote.Sentence, passages []quote.Passage) bool {
	if len(m.names)+len(m.things) == 0 || m.named(s.Heading+" "+s.Text) {
		return true
	}
	p := passages[s.Passage]
	if len(m.things) > 0 || m.free || s.Row {
		return m.named(p.Title + " " + p.Text)
	}
	return m.named(p.Title+" "+p.Text[:s.Span.Start]) && (refersBack.MatchString(s.Text) || quote.Dangles(s.Text))
}

// subjectIn is the matter as these passages name it.
func (r *research) subjectIn(passages []quote.Passage) matter {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	return matterOf(r.p.Plan.Standalone, r.study.Topic, texts)
}

// onlySubject leaves out sentences that are about something else.
func (r *research) onlySubject(all []quote.Sentence, passages []quote.Passage) []quote.Sentence {
	m := r.subjectIn(passages)
	return slices.DeleteFunc(all, func(s quote.Sentence) bool {
		return !m.covers(s, passages) || strings.Contains(sentenceKey(passages[s.Passage].Title), sentenceKey(s.Text))
	})
}

// namedTopic is the topic by its name, where a question puts it among other words:
// "should we make Acme our supplier".
func namedTopic(question, topic string, whole bool) string {
	names := properNames(question)
	switch {
	case len(names) == 0:
		return topic
	case whole:
		return strings.Join(names, " and ")
	case len(names) == 1 && strings.HasPrefix(topic, names[0]+" "):
		return names[0]
	}
	return topic
}
