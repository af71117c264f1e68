package about

import (
	"cmp"
	"math"
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
	mostNoted    = 60 // of a kind, of which those are taken whose words the text has most
	termWords    = 4
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
			made.heading(f, code, text, strings.Fields(text[b.Start:b.End]))
		}
	}
	for _, s := range evidence.Sentences(text) {
		words := strings.Fields(text[s.Start:s.End])
		if len(words) == 0 {
			continue
		}
		if last := words[len(words)-1]; strings.HasSuffix(last, "?") && len(words) <= askedWords && len(words) > 2 {
			made.asked(words)
		} else if f != nil && strings.HasSuffix(last, ".") {
			made.statement(f, code, words)
		}
	}
	made.sort(code, text)
	return made.inTurn("asked", "how-to", "when", "how", "number", "what", "means", "heading")
}

// kinds are questions by how they were made.
type kinds map[string][]string

func (k kinds) put(kind, question string) {
	for _, list := range k {
		if slices.ContainsFunc(list, func(q string) bool { return strings.EqualFold(q, question) }) {
			return
		}
	}
	if len(k[kind]) < mostNoted && utf8.RuneCountInString(question) <= 160 {
		k[kind] = append(k[kind], question)
	}
}

// asked takes a question of the text, unless it is a piece of a program's.
func (k kinds) asked(words []string) {
	first := firstRune(strings.TrimLeft(words[0], "¿\"“„«'"))
	if !unicode.IsLower(first) && unicode.IsLetter(first) && !slices.ContainsFunc(words, isCode) {
		k.put("asked", strings.Join(words, " "))
	}
}

// sort puts questions first that are about what the text speaks of most; what it asks
// itself stays as it stands.
func (k kinds) sort(code lang.Code, text string) {
	said := map[string]int{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), notOfWord) {
		said[word]++
	}
	about := func(question string) (mean float64) {
		n := 0
		for word := range strings.FieldsFuncSeq(strings.ToLower(question), notOfWord) {
			if !lang.IsFunctionWord(code, word) {
				mean += math.Log1p(float64(said[word]))
				n++
			}
		}
		return mean / float64(max(n, 1))
	}
	for kind, list := range k {
		if kind != "asked" {
			slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(about(b), about(a)) })
		}
	}
}

func notOfWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }

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
func (k kinds) heading(f *frame, code lang.Code, text string, words []string) {
	head := strings.Join(words, " ")
	if f != nil {
		if question, ok := f.steps.ofHeading(code, words); ok {
			k.put("how-to", question)
			return
		}
		if term, ok := quoted(head); ok && f.means != "" {
			k.put("means", strings.ReplaceAll(f.means, "{term}", term))
			return
		}
	}
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

// quoted is a text that begins with a term in quotation marks.
func quoted(text string) (term string, ok bool) {
	text = strings.TrimLeft(text, "0123456789.() ")
	open := firstRune(text)
	if !strings.ContainsRune("\"“„«", open) {
		return "", false
	}
	term, _, ok = strings.Cut(strings.TrimPrefix(text, string(open)), map[rune]string{'"': "\"", '“': "”", '„': "“", '«': "»"}[open])
	term = strings.TrimSpace(term)
	return term, ok && term != "" && len(strings.Fields(term)) <= termWords
}

// defined asks what a term means that a sentence opens with and defines.
func (k kinds) defined(f *frame, sentence string) bool {
	term, ok := quoted(sentence)
	if !ok || f.means == "" {
		return false
	}
	question := strings.ReplaceAll(f.means, "{term}", term)
	if m, asks := lang.AsksMeaning(question); !asks || !m.SaidBy(sentence) {
		return false
	}
	k.put("means", question)
	return true
}

// statement makes the questions of "subject – is – rest", of a term that is defined, and
// of steps that are told.
func (k kinds) statement(f *frame, code lang.Code, words []string) {
	if question, ok := f.steps.question(code, words); ok {
		k.put("how-to", question)
		return
	}
	if k.defined(f, strings.Join(words, " ")) {
		return
	}
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
	case f.indefinite[first] && f.article[strings.ToLower(words[0])] && !circular(words[:at], rest):
		k.put("what", said(f.what))
	}
}

// circular reports whether a thing of one word is said to be what it is called: "A
// product is a consumer product".
func circular(subject, rest []string) bool {
	return len(subject) <= 2 && slices.ContainsFunc(rest, func(w string) bool { return strings.EqualFold(strings.Trim(w, ".,;:"), subject[len(subject)-1]) })
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
	return strings.Join(words, " "), unicode.IsUpper(firstRune(words[0])) && isName(code, words) && !f.pointing(code, words)
}

// isName reports whether words without an article are a name: small words stand only
// between capitals ("Bank of England"), or the sentence opens with something else
// ("Internally all times").
func isName(code lang.Code, words []string) bool {
	for i, w := range words {
		inside := i > 0 && i+1 < len(words) && unicode.IsUpper(firstRune(words[i-1])) && unicode.IsUpper(firstRune(words[i+1]))
		if lang.IsFunctionWord(code, strings.ToLower(w)) && !inside {
			return false
		}
	}
	return true
}

// pointing reports whether no word of a subject means anything by itself.
func (f *frame) pointing(code lang.Code, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		_, counts := lang.Number(code, strings.ToLower(w))
		return !counts && !lang.IsFunctionWord(code, strings.ToLower(w)) && utf8.RuneCountInString(w) > 1
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
