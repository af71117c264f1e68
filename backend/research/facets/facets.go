// Package facets finds sides of a subject in what was found on it: by headings and titles,
// and by whom several texts name.
package facets

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/subject"
)

// Of are sides of a subject that the first results have: headings above
// passages about it, titles of pages on it, and whoever several texts name.
func Of(s subject.Topic, warm []evidence.Lead, found []evidence.Found) []string {
	if len(s.Things) == 0 {
		return nil
	}
	var facets []string
	texts := TextsOf(warm, found)
	for _, f := range found {
		facets = append(facets, facet(s, lastHeading(f), f.Passage.Text, texts))
	}
	for _, l := range warm {
		if title := phrase(siteName.ReplaceAllString(l.Source.Title, "")); hasAll(s, title) {
			facets = append(facets, facet(s, title, "", texts))
		}
	}
	for _, who := range sharedNames(s, texts) {
		if len(s.Things) == 1 && !strings.Contains(strings.ToLower(s.List), strings.ToLower(who)) {
			facets = append(facets, plain.Capital(s.List)+" "+lang.Spoken(s.List).Say("and")+" "+who)
		}
	}
	return slices.DeleteFunc(facets, func(facet string) bool { return facet == "" })
}

var (
	siteName = pattern.New(`\s+[-|–—·]\s.*$`)
	numbered = pattern.New(`^\W*(?:\d+[\d.]*|[IVX]+\.|[A-Za-z]\))\s+`)
)

// facet words a heading as a side of the thing that its text is about; empty when
// it says nothing more, or its text is about something else.
func facet(s subject.Topic, heading, text string, texts []string) string {
	if heading == "" {
		return ""
	}
	for _, thing := range s.Things {
		about := rank.Terms(thing)
		has := rank.Terms(heading)
		switch {
		case !slices.ContainsFunc(has, func(term string) bool { return !slices.Contains(about, term) }):
			return "" // it only repeats the thing
		case !slices.ContainsFunc(about, func(term string) bool { return !slices.Contains(has, term) }):
			return plain.Capital(heading)
		case subject.SpeaksOf(text, about):
			return plain.Capital(thing) + ": " + within(heading, texts)
		}
	}
	return ""
}

// hasAll reports whether a title names one of the things in full.
func hasAll(s subject.Topic, title string) bool {
	return slices.ContainsFunc(s.Things, func(thing string) bool { return hasTerms(title, rank.Terms(thing)) })
}

func hasTerms(text string, terms []string) bool {
	has := rank.Terms(text)
	return !slices.ContainsFunc(terms, func(term string) bool { return !slices.Contains(has, term) })
}

// lastHeading is the heading right above a passage, if it can name a side of
// something: the title of the whole file cannot.
func lastHeading(f evidence.Found) string {
	path := strings.Split(f.Passage.At.Heading, " > ")
	heading := path[len(path)-1]
	if len(path) == 1 && strings.HasPrefix(f.Source.Title, heading) {
		return ""
	}
	return phrase(heading)
}

const (
	mostPhraseWords = 8
	longestPhrase   = 70 // characters
)

// phrase is a heading that can be read inside another text; empty when it cannot:
// a date, a sentence, a shout, an order.
func phrase(heading string) string {
	heading = strings.Trim(numbered.ReplaceAllString(plain.OneLine(strings.ToValidUTF8(heading, ""), longestPhrase+1), ""), " .:*#")
	words := len(strings.Fields(heading))
	switch {
	case words == 0, words > mostPhraseWords, utf8.RuneCountInString(heading) > longestPhrase, evidence.Instructs(heading), evidence.WithoutOrders(heading) != heading,
		strings.ContainsFunc(heading, unicode.IsDigit), strings.ContainsAny(heading, "!;…<>[]{}|_\\/\""), strings.ToUpper(heading) == heading,
		strings.Contains(heading, ". "), strings.Contains(heading, "?") && !strings.HasSuffix(heading, "?"):
		return ""
	}
	return heading
}

// within writes a heading as it stands inside a line: with a small letter, unless
// it is a name, is written in capitals, or asks.
func within(heading string, texts []string) string {
	word, rest, _ := strings.Cut(heading, " ")
	r := []rune(heading)
	if strings.ToLower(rest) != rest || strings.ContainsFunc(string([]rune(word)[1:]), unicode.IsUpper) || strings.HasSuffix(heading, "?") {
		return heading
	}
	inside := regexp.MustCompile(`[\p{L},] ` + regexp.QuoteMeta(word) + `(?:[^\p{L}]|$)`)
	if slices.ContainsFunc(texts, inside.MatchString) {
		return heading
	}
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

const mostNames = 2 // that make a facet each

// sharedNames are the names of at least two words that several texts on the
// subject have, the most frequent first. A name that most texts have is where they
// all come from, no side of the subject.
func sharedNames(s subject.Topic, texts []string) []string {
	in := map[string]int{}
	for _, text := range texts {
		if !hasAll(s, text) {
			continue
		}
		for _, who := range plain.Distinct(queries.Names(text)) {
			if words := len(strings.Fields(who)); words > 1 && words <= 4 && phrase(who) != "" {
				in[who]++
			}
		}
	}
	shared := slices.SortedFunc(maps.Keys(in), func(a, b string) int {
		return cmp.Or(in[b]-in[a], strings.Compare(a, b))
	})
	shared = slices.DeleteFunc(shared, func(who string) bool { return in[who] < 2 || 2*in[who] > len(texts) })
	return shared[:min(len(shared), mostNames)]
}

// TextsOf are the texts of what a first search found.
func TextsOf(warm []evidence.Lead, found []evidence.Found) (texts []string) {
	for _, l := range warm {
		texts = append(texts, l.Source.Title+"\n"+l.Snippet)
	}
	for _, f := range found {
		texts = append(texts, f.Source.Title+"\n"+f.Passage.Text)
	}
	return texts
}
