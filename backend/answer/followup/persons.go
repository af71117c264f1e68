package followup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// meets takes note of the person that a turn spoke of: whom the answer names, to a
// question for a person, or else whom the question names.
func (c *context) meets(q question, t Turn) {
	named := q.person()
	if named != "" {
		c.who, c.named = named, true
	}
	if lang.KindAsked(q.name, q.text) != lang.Person {
		c.named = c.named || c.who != "" && strings.Contains(q.text, c.who)
		return
	}
	for _, said := range []string{t.Answer, t.Near} {
		if who := q.answeredBy(said); who != "" {
			c.who, c.fresh = who, true
			return
		}
	}
}

// person is the name in a question that is likeliest a person's: one of several words
// before others, none that an article or a word for a place leads to.
func (q question) person() (name string) {
	if q.has("no-capitals") {
		return ""
	}
	most := 0
	for i := 0; i < len(q.toks); i++ {
		s := span{i, i}
		for s.to < len(q.toks) && q.isWord(s.to) && q.capital(s.to) && (q.content(s.to) || s.to > i) && !q.isTime(s.to) && (s.to > 0 || !q.formal(s.to)) {
			if s.to++; s.to < len(q.toks) && q.titled(s.to) {
				s.to++
			}
		}
		n := s.to - s.from
		if n == 0 {
			continue
		}
		i = s.to
		before := q.word(s.from - 1)
		led := q.is("det", before) || q.is("poss", before) || q.is("lead", before) && !q.is("of", before) || strings.ContainsAny(before, "\"«“„‚‘")
		if led || n == 1 && (s.from == 0 || q.has("nouns-capital") && (q.is("prep", before) || q.is("wh", before) || q.content(s.from-1))) {
			continue
		}
		if n = min(n, 2); n > most {
			most, name = n, q.of(s)
		}
	}
	return name
}

// formal reports whether a word carries the form of a sentence.
func (q question) formal(i int) bool {
	w := strings.TrimSuffix(q.word(i), "'")
	return q.name.OnlyForms(w) || q.carriesForm(w) || lang.IsIn(lang.Possessive, w)
}

var (
	quotedName = pattern.New(`«[^»]*»|“[^”]*”|„[^“”]*[“”]|"[^"]*"`)
	shownMarks = pattern.New(`\*\*|\s?\[\d+\]`)
)

const (
	longestTitle  = 3  // characters of an initial or a title before a name
	sentencesRead = 6  // of an answer, for a name
	longestName   = 12 // characters of a name in a script without capitals
)

// answeredBy is the person that a text names to a question: a name that the question
// has not, of several words rather than of one.
func (q question) answeredBy(text string) (name string) {
	text = quotedName.ReplaceAllString(shownMarks.ReplaceAllString(text, ""), "…")
	l := lexiconOf(text, q.lexicon)
	if l.has("no-capitals") {
		return q.answeredInScript(newQuestion(l, firstLine(text)))
	}
	weak := ""
	for i, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n;!?…", r) }) {
		if i == sentencesRead {
			break
		}
		found, several := q.nameIn(newQuestion(l, strings.TrimSpace(sentence)))
		if several {
			return found
		}
		if weak == "" {
			weak = found
		}
	}
	return weak
}

// nameIn is the first name of a sentence that the question has not; several tells
// that it has more than one word.
func (q question) nameIn(s question) (name string, several bool) {
	for i := 0; i < len(s.toks); i++ {
		run := span{i, i}
		for run.to < len(s.toks) && s.isWord(run.to) && s.capital(run.to) && !s.dated(run.to) && (!s.formal(run.to) || run.to > i && s.capital(run.to) && !s.startsSentence(run.to)) {
			run.to++
			if run.to+1 < len(s.toks) && s.is("particle", s.word(run.to)) && s.capital(run.to+1) {
				run.to++ // Jan de Vries
			}
			if s.titled(run.to) {
				run.to++
			}
		}
		for run.to > i && !s.isWord(run.to-1) {
			run.to--
		}
		if run.to == i || q.knows(s, run) {
			i = max(i, run.to-1)
			continue
		}
		before := s.word(i - 1)
		if run.to-i > 1 && !s.is("det", before) {
			return s.of(run), true
		}
		if i == 0 && run.to > s.lastWord()-1 && (run.to > s.lastWord() || s.word(run.to) == "'s") {
			return s.of(run), false // nothing but a name
		}
		if name == "" && !s.startsSentence(i) && !s.is("det", before) && !s.is("poss", before) && !(s.is("prep", before) && !s.is("of", before)) && !(s.has("nouns-capital") && s.content(i-1)) && s.word(i+1) != ":" {
			name = s.of(run)
		}
		i = run.to - 1
	}
	return name, false
}

// titled reports whether a full stop is that of an initial or a title before a name.
func (q question) titled(i int) bool {
	return q.word(i) == "." && i+1 < len(q.toks) && utf8.RuneCountInString(q.word(i-1)) <= longestTitle && q.capital(i+1)
}

// dated reports whether a word of a text is of a time; a month may be a first name.
func (q question) dated(i int) bool {
	first, _ := utf8.DecodeRuneInString(q.word(i))
	return q.isTime(i) && (unicode.IsDigit(first) || i+1 >= len(q.toks) || !(q.is("particle", q.word(i+1)) || q.isWord(i+1) && q.capital(i+1) && !q.isTime(i+1)))
}

func (q question) startsSentence(i int) bool {
	return i == 0 || q.word(i-1) == "." || q.word(i-1) == ":" || q.word(i-1) == "•"
}

// knows reports whether the words of a run are all in the question.
func (q question) knows(s question, run span) bool {
	for i := run.from; i < run.to; i++ {
		known := !s.isWord(i)
		for j := range q.toks {
			known = known || stem(q.word(j)) == stem(s.word(i))
		}
		if !known {
			return false
		}
	}
	return true
}

// answeredInScript is the first run of a sentence without capitals that the question
// has not, where the sentence says little else.
func (q question) answeredInScript(s question) string {
	for i := range s.toks {
		known := !s.isWord(i) || !s.content(i) || s.formal(i) || unicode.IsDigit([]rune(s.word(i))[0])
		for j := range q.toks {
			known = known || q.word(j) == s.word(i) || strings.Contains(q.text, s.word(i))
		}
		if !known {
			end := i + 1
			for !s.has("unspaced") && end < i+2 && end < len(s.toks) && s.content(end) && !s.formal(end) && !s.is("wh", s.word(end)) && !strings.Contains(q.text, s.word(end)) {
				end++
			}
			if name := s.of(span{i, end}); utf8.RuneCountInString(name) <= longestName {
				return name
			}
			return ""
		}
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if at := strings.IndexAny(line, "。"); at > 0 {
		line = line[:at]
	}
	return line
}
