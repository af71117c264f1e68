package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

const (
	subjectWords = 7  // of what a question is about
	restWords    = 9  // of what is said of it, without the time
	askedWords   = 16 // of a question that the text itself asks
	headWords    = 7
	mostOfAKind  = 4
)

// Questions makes questions out of the sentences and headings of a text: those it
// asks itself, then those made of statements by the words of its language, then
// what it says about its headings. Whether the text answers them is not known.
func Questions(text string, blocks []evidence.Block) []string {
	made := kinds{}
	code := lang.Detect(text)
	f := frames()[code]
	for i, b := range blocks {
		if b.Kind == evidence.Heading && b.End <= len(text) && i > 0 { // the first is its title
			made.heading(f, text, strings.Fields(text[b.Start:b.End]))
		}
	}
	for _, s := range evidence.Sentences(text) {
		words := strings.Fields(text[s.Start:s.End])
		if len(words) == 0 {
			continue
		}
		if last := words[len(words)-1]; strings.HasSuffix(last, "?") && len(words) <= askedWords && len(words) > 2 {
			made.put("asked", strings.Join(words, " "))
		} else if f != nil && strings.HasSuffix(last, ".") {
			made.statement(f, code, words)
		}
	}
	return made.inTurn("asked", "when", "how", "number", "what", "heading")
}

// kinds are questions by how they were made.
type kinds map[string][]string

func (k kinds) put(kind, question string) {
	for _, list := range k {
		if slices.ContainsFunc(list, func(q string) bool { return strings.EqualFold(q, question) }) {
			return
		}
	}
	if len(k[kind]) < mostOfAKind && utf8.RuneCountInString(question) <= 160 {
		k[kind] = append(k[kind], question)
	}
}

// inTurn takes one of each kind, then the next of each.
func (k kinds) inTurn(order ...string) (all []string) {
	for i := range mostOfAKind {
		for _, kind := range order {
			if i < len(k[kind]) {
				all = append(all, k[kind][i])
			}
		}
	}
	return all
}

// heading asks what a text says about what one of its headings names, unless that is
// a question itself.
func (k kinds) heading(f *frame, text string, words []string) {
	head := strings.Join(words, " ")
	switch {
	case strings.HasSuffix(head, "?"):
		if len(words) > 2 {
			k.put("asked", head)
		}
	case f != nil && len(words) >= 1 && len(words) <= headWords && !strings.ContainsFunc(head, unicode.IsDigit) && strings.ContainsFunc(head, unicode.IsLetter) && !slices.ContainsFunc(words, breaks):
		words = slices.Clone(words)
		if small := strings.ToLower(words[0]); strings.Contains(text, " "+small+" ") { // inside sentences it stands so
			words[0] = small
		}
		k.put("heading", strings.ReplaceAll(f.about, "{heading}", strings.TrimRight(strings.Join(words, " "), ".")))
	}
}

// statement makes the questions of "subject – is – rest".
func (k kinds) statement(f *frame, code lang.Code, words []string) {
	at, n := f.verb(words)
	if at < 1 || at > subjectWords || at+n >= len(words) {
		return
	}
	subject, ok := f.subject(code, words[:at])
	if !ok {
		return
	}
	rest := slices.Clone(words[at+n:])
	rest[len(rest)-1] = strings.TrimRight(rest[len(rest)-1], ".")
	said := func(form string, pairs ...string) string {
		return strings.Join(strings.Fields(strings.NewReplacer(append(pairs, "{be}", strings.Join(words[at:at+n], " "), "{subject}", subject)...).Replace(form)), " ")
	}
	first, last := strings.ToLower(rest[0]), strings.ToLower(rest[len(rest)-1])
	switch left, timed := withoutTime(code, rest); {
	case timed && f.when != "" && len(left) > 0 && len(left) <= restWords && !slices.ContainsFunc(left, breaks):
		k.put("when", said(f.when, "{rest}", strings.Join(left, " ")))
	case f.degree[last] && f.how != "" && len(rest) <= 4 && hasDigit(rest[0]):
		k.put("how", said(f.how, "{degree}", last))
	case hasDigit(first) || len(rest) > 1 && unicode.Is(unicode.Sc, firstRune(first)):
		k.put("number", said(f.what))
	case f.indefinite[first] && f.article[strings.ToLower(words[0])]:
		k.put("what", said(f.what))
	}
}

// verb finds the first form of being, and how many words it has.
func (f *frame) verb(words []string) (at, n int) {
	for i := range words {
		for _, form := range f.be {
			if i+len(form) <= len(words) && slices.EqualFunc(words[i:i+len(form)], form, func(w, form string) bool { return strings.ToLower(w) == form }) {
				return i, len(form)
			}
		}
	}
	return -1, 0
}

// subject is the words before the verb as they stand inside a sentence; ok is
// false for those that point elsewhere, or are no name of a thing.
func (f *frame) subject(code lang.Code, words []string) (subject string, ok bool) {
	if slices.ContainsFunc(words, breaks) {
		return "", false
	}
	words = slices.Clone(words)
	if first := strings.ToLower(words[0]); f.article[first] {
		words[0] = first
		return strings.Join(words, " "), len(words) > 1 && !f.pointing(code, words[1:])
	}
	first, _ := utf8.DecodeRuneInString(words[0])
	return strings.Join(words, " "), unicode.IsUpper(first) && !lang.IsFunctionWord(code, strings.ToLower(words[0])) && !f.pointing(code, words)
}

// pointing reports whether no word of a subject means anything by itself.
func (f *frame) pointing(code lang.Code, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !lang.IsFunctionWord(code, strings.ToLower(w)) && utf8.RuneCountInString(w) > 1
	})
}

// breaks reports whether a clause ends with a word.
func breaks(word string) bool { return strings.ContainsAny(word, ",;:()[]“”\"„«»|*") }

// withoutTime takes a year out of what is said, with the words that lead to it: a
// day and month, and the small words before them.
func withoutTime(code lang.Code, words []string) (left []string, timed bool) {
	at := slices.IndexFunc(words, isYear)
	if at < 0 {
		return words, false
	}
	from := at
	for from > 0 {
		word := strings.ToLower(strings.TrimRight(words[from-1], ".,"))
		_, month := lang.Month(code, word)
		if !month && !(hasDigit(word) && from < at) && !lang.IsFunctionWord(code, word) && !lang.IsYear(code, word) {
			break
		}
		from--
	}
	return slices.Concat(words[:from], words[at+1:]), true
}

func isYear(word string) bool {
	word = strings.TrimRight(word, ".,")
	if len(word) != 4 || word[0] != '1' && word[0] != '2' {
		return false
	}
	return strings.Trim(word, "0123456789") == ""
}

func hasDigit(word string) bool { return strings.ContainsFunc(word, unicode.IsDigit) }

func firstRune(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
}
