// Package subject tells what a question is about, and which texts and sentences of
// sources are about that, by whatever name.
package subject

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/intent"
	"footnote/backend/answer/queries"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Matter is what a research is about, as its question and its sources name it.
type Matter struct {
	names   []string // in lower case, and what sources call it besides
	things  [][]string
	read    map[string]*reading // by digest of a text
	common  string              // texts that tell words from names
	told    map[string]bool     // by word: whether it is a name; nil where that is not kept
	Foreign bool                // of a language whose references are not known and whose answers are weighed less surely
}

// matterOf finds the names of what a question is about; where it has none, the
// words of its things. Sources say what else it is called.
func matterOf(question, topic string, texts []string) Matter {
	m := Matter{Foreign: lang.Detect(question) != lang.Unknown && lang.Detect(question) != lang.English}
	for _, name := range Names(question) {
		m.names = append(m.names, strings.ToLower(name))
		for _, alias := range aliasesOf(name, texts) {
			m.names = append(m.names, strings.ToLower(alias))
		}
	}
	if len(m.names) == 0 {
		m.things = thingsOf(question, topic)
	}
	m.names = plain.Distinct(m.names)
	return m
}

// thingsOf are the words of what a question without names is about: those of its topic,
// or each noun where those have a capital letter.
func thingsOf(question, topic string) (things [][]string) {
	nouns := []string{topic}
	if code := lang.Spoken(question); code.Has(lang.Styles, "nouns-capital") {
		nouns = append(queries.Names(question), topic)
	}
	for _, noun := range nouns {
		if terms := rank.Terms(noun); len(terms) > 0 {
			things = append(things, terms)
		}
	}
	return things
}

// Names are the names in a question, without the words that open it.
func Names(question string) (names []string) {
	code := lang.Spoken(question)
	for _, name := range queries.Names(question) {
		words := strings.Fields(name)
		for len(words) > 0 && (intent.NotNames[strings.ToLower(words[0])] || intent.Opening.MatchString(words[0]) || auxiliary.MatchString(words[0])) {
			words = words[1:]
		}
		if len(words) > 0 && isName(code, words) && !speaks(question, strings.Join(words, " ")) {
			names = append(names, numbered(question, strings.Join(words, " ")))
		}
	}
	return names
}

// numbered is a name with the number that stands behind it in a question, as that of a model
// or a version: "Tolva 3". A year is none.
func numbered(question, name string) string {
	_, behind, _ := strings.Cut(question, name)
	return name + modelNumber.FindString(behind)
}

var modelNumber = pattern.New(`^ \d{1,3}\b`)

// isName reports whether words with capital letters are a name. Where each noun has one,
// those are that stand together, and a word with a further capital or a number in it.
func isName(code lang.Code, words []string) bool {
	return code.NamesByCapitals() || len(words) > 1 || strings.ContainsFunc(words[0][1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) })
}

// speaks reports whether a name is only who says something about what a question is
// about: "What did the President say about rent?".
func speaks(question, name string) bool {
	said := saying.FindStringIndex(question)
	return said != nil && strings.Index(question, name) < said[0]
}

// definedTerm is how texts say what they call a thing from there on: Oban Gears plc
// (the “Supplier”).
var (
	inBrackets = pattern.New(`^[^()]{0,120}\(([^()]{1,120})\)`)
	quotedTerm = pattern.New(`[“"„«‘]\s?(\p{Lu}[\p{L}\pN -]{1,40}?)\s?[”"“»’]`)
	apposition = pattern.New(`^(?:[ ,]+(?:\p{Lu}[\p{L}\pN&.-]*|plc|ltd|llc|inc))*(?:,| and its | y sus | et ses | und ihre | e le sue |\s*$)`)
)

const mostDefined = 200_000 // bytes of a text in which terms are looked for

// termsIn finds the terms that a text defines to stand for a name.
func termsIn(text string, names []string) (terms []string) {
	text = text[:min(len(text), mostDefined)]
	lower := strings.ToLower(text)
	for _, name := range names {
		for at := 0; len(lower) == len(text); {
			next := strings.Index(lower[at:], name)
			if next < 0 {
				break
			}
			at += next + len(name)
			m := inBrackets.FindStringSubmatch(text[at:])
			if m == nil || !apposition.MatchString(text[at:at+strings.IndexByte(text[at:], '(')]) {
				continue
			}
			between := text[at : at+strings.IndexByte(text[at:], '(')]
			for _, t := range quotedTerm.FindAllStringSubmatch(m[1], -1) {
				if !strings.Contains(between, t[1]) && !strings.EqualFold(t[1], name) && !lang.IsFunctionWord(lang.English, t[1]) {
					terms = append(terms, t[1])
				}
			}
		}
	}
	return plain.Distinct(terms)
}

// anyOf finds one of terms; nil for none.
func anyOf(terms []string) *regexp.Regexp {
	if len(terms) == 0 {
		return nil
	}
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = regexp.QuoteMeta(term)
	}
	return regexp.MustCompile(`(?:^|[^\p{L}\pN])(?:` + strings.Join(quoted, "|") + `)(?:[^\p{L}\pN]|$)`)
}

// aliasesOf are the names that sources give a thing besides: what they say it is
// called, and its first word, where no other name begins with it.
func aliasesOf(name string, texts []string) (aliases []string) {
	given := map[lang.Code]*regexp.Regexp{}
	first, _, several := strings.Cut(name, " ")
	goesOn := `\p{Lu}`
	if strings.ContainsFunc(name[len(first):], unicode.IsDigit) { // "Tolva 3" is not Tolva where there is a Tolva 4
		goesOn = `[\p{Lu}\pN]`
	}
	begins := regexp.MustCompile(`\b` + regexp.QuoteMeta(first) + `((?: ` + goesOn + `[\p{L}\pN-]*)+)`)
	alone := several && len([]rune(first)) > 2 && unicode.IsUpper([]rune(first)[0])
	for _, text := range texts {
		code := lang.Spoken(text)
		if given[code] == nil {
			given[code] = givenName(code, name)
		}
		for _, found := range given[code].FindAllStringSubmatch(text, -1) {
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

// givenName finds another name for the same, in brackets or behind words of a language.
func givenName(code lang.Code, name string) *regexp.Regexp {
	calls := []string{`\(`}
	for _, form := range code.Forms(lang.Calls) {
		calls = append(calls, regexp.QuoteMeta(form)+` `)
	}
	return regexp.MustCompile(`(?i:` + regexp.QuoteMeta(name) + `,? (?:` + strings.Join(calls, "|") + `))(\p{Lu}[\p{L}\pN-]*(?: \p{Lu}[\p{L}\pN-]*)*)`)
}

// addressText is what reaches somebody and says nothing of them.
var addressText = pattern.New(`\S+@\S+|\w+://\S+`)

// Words are those that the matter is named by, with the terms that texts define for it.
func (m Matter) Words() []string {
	words := strings.Fields(strings.Join(m.names, " "))
	for _, read := range m.read {
		if read != nil {
			words = append(words, strings.Fields(strings.ToLower(strings.Join(read.called, " ")))...)
		}
	}
	return words
}

// named reports whether a text has one of the names, or most words of a thing.
func (m Matter) named(text string) bool {
	bare := " " + strings.Join(strings.FieldsFunc(strings.ToLower(addressText.ReplaceAllString(text, " ")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }), " ") + " "
	return slices.ContainsFunc(m.names, func(name string) bool { return strings.Contains(bare, " "+name+" ") }) ||
		slices.ContainsFunc(m.things, func(terms []string) bool { return SpeaksOf(text, terms) })
}

// Named reports whether a text names the matter.
func (m Matter) Named(text string) bool { return m.named(text) }

// namedIn is named for a text of a source, which may have terms of its own for the
// matter.
func (m Matter) namedIn(digest, text string) bool {
	return m.named(text) || m.definedIn(digest) && m.read[digest].terms.MatchString(text)
}

// definedIn reports whether a source has terms of its own for the matter.
func (m Matter) definedIn(digest string) bool {
	return m.read[digest] != nil && m.read[digest].terms != nil
}

// NamedTopic is the topic by its name, where a question puts it among other words:
// "should we make Acme our supplier".
func NamedTopic(question, topic string, whole bool) string {
	names, code := Names(question), lang.Spoken(question)
	if len(names) == 0 && whole && code.Has(lang.Styles, "nouns-capital") {
		names = queries.Names(question)
	}
	switch {
	case len(names) == 0:
		return topic
	case whole:
		return strings.Join(names, " "+code.Say("and")+" ")
	case len(names) == 1 && strings.HasPrefix(topic, names[0]+" "):
		return names[0]
	}
	return topic
}

// SpeaksOf reports whether a text has half of what names a thing.
func SpeaksOf(text string, about []string) bool {
	has, n := rank.Terms(text), 0
	for _, term := range about {
		if slices.Contains(has, term) {
			n++
		}
	}
	return n > 0 && 2*n >= len(about)
}
