package subject

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
	"footnote/backend/research/sentences"
)

// reading is what a source says of the matter, read whole once.
type reading struct {
	opens  string         // how it begins below its title
	called []string       // what it calls the matter
	terms  *regexp.Regexp // that; nil for nothing
	about  bool           // the matter is what it is about

	shelved bool            // it is in a folder that is called after the matter, and mentions it
	headed  bool            // its title does not name the matter, but a heading does
	things  map[string]bool // names that it puts behind an article, as those of products
}

// A text is about what it names this often, and in this many words once.
const (
	fewestNamed = 5
	namedWithin = 250
)

// keptIn reports whether a folder, or one above it, is called after the matter: what a
// handbook is of stands on its shelf, and its chapters need not say it.
func (m Matter) keptIn(folder string) bool {
	return len(m.names) > 0 && m.named(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return ' '
	}, folder))
}

// mentionedIn reports whether a text has one of the names anywhere, in an address or a file
// name too: what strayed into a folder seldom has.
func (m Matter) mentionedIn(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(m.names, func(name string) bool { return strings.Contains(text, name) })
}

// Shelved are the passages of files in folders that are called after what a question names.
func Shelved(question string, all []evidence.Found) (some []evidence.Found) {
	m := matterOf(question, "", nil)
	for _, f := range all {
		if f.Source.Kind == evidence.File && m.keptIn(filepath.Dir(f.Source.Address)) {
			some = append(some, f)
		}
	}
	return some
}

// isOf reports whether a text is about the matter: its title names it, or the text does
// again and again, and more often than what else its title names.
func (m Matter) isOf(title, text string) bool {
	if len(m.names) == 0 || m.named(title) {
		return len(m.names) > 0
	}
	words := strings.FieldsFunc(strings.ToLower(text[:min(len(text), mostDefined)]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
	count := map[string]int{}
	for _, word := range words {
		count[word]++
	}
	named := 0
	for _, name := range m.names {
		first, _, _ := strings.Cut(name, " ")
		named = max(named, count[first])
	}
	if named < fewestNamed || named*namedWithin < len(words) {
		return false
	}
	for _, word := range strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) && count[strings.ToLower(word)] > named {
			return false
		}
	}
	return true
}

// titleOf is what a source is called, with the line that its text opens with where that is
// a title, as notes in plain text have no other, or says who wrote it.
func titleOf(c rank.Candidate, text string) string {
	title := c.Source.Title + " " + filepath.Base(c.Source.Address)
	first, _, more := strings.Cut(strings.TrimLeft(text, "#=- \t\n"), "\n")
	if c.Local() && more && len(strings.Fields(first)) <= mostHeading && !sentences.Ends(first) {
		title += " " + first
	}
	if _, domain, ok := strings.Cut(first, "@"); c.Local() && ok { // a mail is of the house that it comes from
		title += " " + strings.ReplaceAll(domain, ".", " ")
	}
	return title
}

// thingsIn are the names, in lower case, that a text puts behind an article: who acts has
// none, what is made or used has.
func thingsIn(text string) map[string]bool {
	things, code := map[string]bool{}, lang.Spoken(text)
	words := strings.Fields(text[:min(len(text), mostDefined)])
	for i, word := range words {
		if first, _ := utf8.DecodeRuneInString(word); i > 0 && unicode.IsUpper(first) && code.Has(lang.Determiner, strings.ToLower(words[i-1])) {
			things[strings.ToLower(bareWord(word))] = true
		}
	}
	return things
}

func bareWord(word string) string {
	return strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// namesElseIn is namesElse without what a text about the matter puts behind an article.
func (m Matter) namesElseIn(read *reading, sentence string) bool {
	if !read.about || len(read.things) == 0 {
		return m.namesElse(sentence)
	}
	words := strings.Fields(sentence)
	kept := make([]string, len(words))
	for i, word := range words {
		if kept[i] = word; read.things[strings.ToLower(bareWord(word))] {
			kept[i] = strings.ToLower(word)
		}
	}
	return m.namesElse(strings.Join(kept, " "))
}

const listMarks = " \t-*•–+" // before an item of a list

// namesElse reports whether a sentence names anything that is not the matter: by its
// capital letters, and as no text has the word without one (Lita et al. 2003). Words of
// capitals alone are seldom anybody's name, and any word opens a sentence with one.
func (m Matter) namesElse(sentence string) bool {
	code := lang.Detect(sentence)
	if !code.NamesByCapitals() {
		return false
	}
	sentence = strings.TrimLeft(sentence, listMarks)
	for i, word := range strings.Fields(sentence) {
		word = bareWord(word)
		_, month := lang.Month(code, strings.ToLower(word))
		if m.isName(word) && !month && (i > 0 || m.opensWithElse(sentence)) {
			return true
		}
	}
	return false
}

// isName reports whether a word names anything that is not the matter. What was told of one is
// kept: it takes a look through all texts.
func (m Matter) isName(word string) bool {
	if name, told := m.told[word]; told {
		return name
	}
	first, _ := utf8.DecodeRuneInString(word)
	lower := strings.ToLower(word)
	name := unicode.IsUpper(first) && word != strings.ToUpper(word) && !m.hasWord(lower) && !strings.Contains(m.common, " "+lower)
	if m.told != nil {
		m.told[word] = name
	}
	return name
}

// hasWord reports whether one of the names has a word.
func (m Matter) hasWord(lower string) bool {
	for _, name := range m.names {
		for word := range strings.FieldsSeq(name) {
			if word == lower {
				return true
			}
		}
	}
	return false
}
