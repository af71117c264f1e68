package answertype

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Value is what of a sentence is of the kind that a question asks for: a name, a
// time or an amount.
type Value struct {
	Text string // the one nearest to the words of the question

	name   bool
	amount bool            // a number of something; a time where it is neither
	words  []string        // of it, in lower case
	all    map[string]bool // words of all such parts of the sentence
	years  map[string]bool // that the sentence names
}

// ValueOf finds the value of a sentence for a question. ok is false where the
// question asks for no such thing, or the sentence has none near the words of the
// question.
func ValueOf(c *cite.Checker, question, sentence string) (v Value, ok bool) {
	n, kind := nearnessOfValue(c, question)
	if kind == noValue || n.Of(sentence) == 0 {
		return Value{}, false
	}
	amount := kind == anAmount
	tokens := n.tokens(sentence)
	v = Value{amount: amount, name: kind == aName, all: map[string]bool{}, years: map[string]bool{}}
	nearest := len(tokens) + 1
	for i := 0; i < len(tokens); i++ {
		from := i
		for ; i < len(tokens) && n.partOf(tokens, i, amount); i++ {
			v.all[plainNumber(tokens[i].lower)] = true
		}
		if far := n.distance(tokens, from); i > from && far < nearest {
			nearest, v.Text, v.words = far, "", nil
			for _, t := range tokens[from:i] {
				v.Text, v.words = strings.TrimSpace(v.Text+" "+t.text), append(v.words, plainNumber(t.lower))
			}
		}
	}
	for _, t := range tokens {
		if yearToken.MatchString(t.text) {
			v.years[t.lower] = true
		}
	}
	return v, len(v.words) > 0
}

type valueKind int

const (
	noValue valueKind = iota
	aName
	aTime
	anAmount
)

// dateAsked finds questions for a date that have no "when".
var dateAsked = pattern.New(`\bwhat (?:is|was|'s) the (?:\w+ ){0,2}(?:date|deadline|birthday|year)\b`)

// nearnessOfValue finds what kind of value a question asks for: in English by its
// nouns as well, in other languages by its question words.
func nearnessOfValue(c *cite.Checker, question string) (n Nearness, kind valueKind) {
	n = NewNearness(c, question)
	if code := lang.Detect(question); code != lang.Unknown && code != lang.English {
		switch lang.AsksForIn(code, question) {
		case lang.Count, lang.Amount, lang.Duration:
			n.fits, kind = isAmount, anAmount
		case lang.Time:
			n.fits, kind = isTimeIn(code), aTime
		case lang.Person, lang.Place:
			if code != lang.German { // every noun has a capital
				n.fits, kind = isName, aName
			}
		}
		return n, kind
	}
	lower := strings.Join(AskedWords(question), " ")
	switch {
	case dateAsked.MatchString(lower):
		n.fits, kind = isTime, aTime
	case n.fits == nil || whyAsked.MatchString(lower):
	case howMuchOrMany.MatchString(lower) || strings.Contains(lower, "number of "):
		kind = anAmount
	case whenAsked.MatchString(lower):
		kind = aTime
	default:
		kind = aName
	}
	return n, kind
}

// isTimeIn tells times by years and the months of a language.
func isTimeIn(code lang.Code) func(tokens []nearToken, i int) bool {
	isMonth := func(i int, tokens []nearToken) bool {
		if i < 0 || i >= len(tokens) {
			return false
		}
		_, ok := lang.Month(code, tokens[i].lower)
		return ok
	}
	return func(tokens []nearToken, i int) bool {
		return yearToken.MatchString(tokens[i].text) || isMonth(i, tokens) || startsWithDigit(tokens[i].text) && (isMonth(i+1, tokens) || isMonth(i+2, tokens) || isMonth(i-1, tokens))
	}
}

// partOf reports whether token i is of the kind that is asked for; a year or a day
// of a month is no amount, and the day is part of a time.
func (n Nearness) partOf(tokens []nearToken, i int, amount bool) bool {
	t := tokens[i]
	if n.asked[t.stem] || amount && (yearToken.MatchString(t.text) || dayOfMonth(tokens, i)) {
		return false
	}
	return n.fits(tokens, i) || !amount && i > 0 && startsWithDigit(t.text) && monthWords[tokens[i-1].lower]
}

func dayOfMonth(tokens []nearToken, i int) bool {
	day, err := strconv.Atoi(tokens[i].text)
	return err == nil && day <= 31 && (i > 0 && monthWords[tokens[i-1].lower] || i+1 < len(tokens) && monthWords[tokens[i+1].lower])
}

func plainNumber(word string) string { return strings.ReplaceAll(word, ",", "") }

// distance is how far token i is from the next word of the question.
func (n Nearness) distance(tokens []nearToken, i int) int {
	for far := 1; far < len(tokens); far++ {
		for _, k := range []int{i - far, i + far} {
			if k >= 0 && k < len(tokens) && n.asked[tokens[k].stem] {
				return far
			}
		}
	}
	return len(tokens)
}

// Differs reports whether two values exclude each other: each has what the other
// sentence lacks, names have nothing in common, and amounts may be of one time.
func (v Value) Differs(o Value) bool {
	if v.name {
		return slices.IndexFunc(v.words, o.has) < 0 && slices.IndexFunc(o.words, v.has) < 0
	}
	here, there := slices.Sorted(maps.Keys(v.years)), slices.Sorted(maps.Keys(o.years))
	if !v.amount && (len(here) == 0) != (len(there) == 0) {
		return false // a day of some year
	}
	if apart := slices.IndexFunc(here, func(y string) bool { return o.years[y] }) < 0; apart && len(here) > 0 && len(there) > 0 && !v.has(here[0]) {
		return false
	}
	return slices.ContainsFunc(v.words, func(w string) bool { return !o.all[w] }) && slices.ContainsFunc(o.words, func(w string) bool { return !v.all[w] })
}

func (v Value) has(word string) bool { return v.all[word] }
