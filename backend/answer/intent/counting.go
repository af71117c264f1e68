package intent

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/lang"
)

// Counting is a question that only a count over all files answers: how many of
// them mention something, which, or how often.
type Counting struct {
	Queries []string // for Counter, one after the other until one finds something
	Any     []string // for Counter, all of them: a file counts that one of them finds; instead of Queries
	Often   bool     // it asks for places, not for files
	List    bool     // it asks for the files
	More    string   // what else the question asks; empty when nothing
}

const mostCounted = 6 // words; more are a description, which nobody writes word by word

// CountingOf reads a question for a count, in any of the languages. ok is false
// when it is none, or when what it asks for cannot be looked for word by word.
func CountingOf(question string) (c Counting, ok bool) {
	question = strings.Join(strings.Fields(question), " ")
	for _, code := range spoken(question) {
		if c, ok := countingIn(code, question); ok {
			return c, true
		}
	}
	return Counting{}, false
}

func countingIn(code lang.Code, question string) (c Counting, ok bool) {
	first, more := further(code, question)
	a := readIn(code, first)
	if more != "" && !a.counts() {
		a, more = readIn(code, question), ""
	}
	wanted, without, ok := a.wanted(code)
	if !ok || !a.counts() {
		return c, false
	}
	c = Counting{Often: a.has["often"], List: !a.has["often"] && !a.has["count"], More: more}
	rest := ""
	if without != "" {
		rest = ` -"` + without + `"`
	}
	for _, filter := range a.types() {
		rest += " " + filter
	}
	for _, parts := range wanted.queries {
		c.Queries = append(c.Queries, exactly(parts)+rest)
	}
	for _, one := range wanted.any {
		c.Any = append(c.Any, exactly([]string{one})+rest)
	}
	return c, true
}

// counts reports whether the words of a question ask for a count of something:
// a verb such as "have" speaks of words only when the question says so, or
// quotes them.
func (a asked) counts() bool {
	verb := a.has["mention"] || (a.has["says"] || a.has["have"]) && (a.has["term"] || a.has[lang.Quoted])
	ask := a.has["count"] || a.has["list"] || a.has["show"]
	return verb && (a.has["often"] || a.ofFiles() && ask)
}

// wanted is what a file must have: each of the words of one of queries, the first
// that finds something; or one of any.
type wanted struct {
	queries [][]string
	any     []string
}

// wanted takes what shall be counted out of a question.
func (a asked) wanted(code lang.Code) (w wanted, without string, ok bool) {
	matter, barred := a.matter()
	if without, ok = a.span(barred); len(barred) > 0 && !ok {
		return w, "", false
	}
	if quotes := of(lang.Quoted, matter); len(quotes) > 0 {
		return wanted{queries: [][]string{a.texts(quotes)}}, without, true
	}
	whole, ok := a.span(matter)
	if !ok || !countable(code, whole) {
		return w, "", false
	}
	any, all := a.split(matter, "or"), a.split(matter, "and")
	switch {
	case len(any) > 1:
		return wanted{any: any}, without, true
	case len(all) > 1 && a.has["both"]:
		return wanted{queries: [][]string{all}}, without, true
	case len(all) > 1:
		return wanted{queries: [][]string{{whole}, all}}, without, true
	}
	return wanted{queries: [][]string{{whole}}}, without, true
}

// matter is what a question has besides the words about files: what is wanted, and
// what is barred behind a "but not". Periods, numbers and orders belong to it.
func (a asked) matter() (matter, barred []lang.Term) {
	to := &matter
	for _, t := range a.terms {
		switch t.Means {
		case lang.Content, lang.Quoted, "distinct", "recorded", "largest", "smallest", "newest", "oldest", "size", "changed", "failed", "today", "yesterday",
			"this-week", "last-week", "this-month", "last-month", "this-year", "last-year":
			*to = append(*to, t)
		case "not":
			if len(matter) > 0 {
				to = &barred
			}
		}
	}
	return matter, barred
}

func of(means string, terms []lang.Term) (some []lang.Term) {
	for _, t := range terms {
		if t.Means == means {
			some = append(some, t)
		}
	}
	return some
}

func (a asked) texts(terms []lang.Term) (texts []string) {
	for _, t := range terms {
		texts = append(texts, a.question[t.Start:t.End])
	}
	return texts
}

// split cuts the matter at a word such as "or".
func (a asked) split(matter []lang.Term, at string) (parts []string) {
	var part []lang.Term
	for _, t := range a.terms {
		if t.Means == at && len(part) > 0 {
			text, _ := a.span(part)
			parts, part = append(parts, text), nil
		}
		if slices.Contains(matter, t) {
			part = append(part, t)
		}
	}
	if text, ok := a.span(part); ok {
		parts = append(parts, text)
	}
	return parts
}

// countable reports whether a text can be looked for as it is written: it is
// short, and asks nothing by itself.
func countable(code lang.Code, text string) bool {
	return len(strings.Fields(text)) <= mostCounted && lang.AsksForIn(code, text) == lang.AsksNothing
}

// further cuts off what else a question asks behind a comma or another stop: where
// nothing is asked behind the first one, nothing is behind a later one.
func further(code lang.Code, question string) (first, more string) {
	i := strings.IndexAny(question, ",;.?!，；。？！、")
	if i < 0 {
		return question, ""
	}
	rest := strings.TrimFunc(question[i:], func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	if rest == "" || lang.AsksForIn(code, rest) == lang.AsksNothing {
		return question, ""
	}
	return question[:i], rest
}

// exactly puts everything in quotes: nothing of it is an operator.
func exactly(parts []string) string {
	var quoted []string
	for _, part := range parts {
		quoted = append(quoted, `"`+strings.ReplaceAll(strings.TrimSpace(part), `"`, "")+`"`)
	}
	return strings.Join(slices.Compact(quoted), " ")
}
