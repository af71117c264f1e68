package answertype

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/lang"
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
	unit   string          // of the amount, as a symbol; empty where it has none
	told   int             // the year of the text, where the time has none; 0 for unknown
}

// ValueOf finds the value of a sentence for a question. ok is false where the
// question asks for no such thing, or the sentence has none near the words of the
// question.
func ValueOf(c *cite.Checker, question, sentence string) (v Value, ok bool) {
	n := NewNearness(c, question)
	if n.fits == nil && AsksPrice(question) && hasPrice(sentence) { // "what does it cost": of no kind by its words
		n.kind, n.fits = lang.Amount, n.isAmount
	}
	if n.fits == nil || n.kind == lang.Reason || n.Of(sentence) == 0 {
		return Value{}, false
	}
	named := n.kind == lang.Person || n.kind == lang.Place
	amount := !named && n.kind != lang.Time
	tokens := n.tokens(sentence)
	v = Value{amount: amount, name: named, all: map[string]bool{}, years: map[string]bool{}}
	nearest := len(tokens) + nearTokens + 1
	for i := 0; i < len(tokens); i++ {
		from := i
		for ; i < len(tokens) && n.partOf(tokens, i, amount); i++ {
			v.all[plainNumber(tokens[i].lower)] = true
		}
		far := n.distance(tokens, from)
		if n.kind == lang.Time && !slices.ContainsFunc(tokens[from:i], func(t nearToken) bool { return startsWithDigit(t.text) }) {
			far += nearTokens // a day or a year says more than a season
		}
		if i > from && far < nearest {
			nearest, v.Text, v.words, v.unit = far, "", nil, ""
			if i < len(tokens) {
				v.unit, _ = lang.Unit(lang.Spoken(sentence), tokens[i].lower)
			}
			if of := tokens[i-1].text; strings.Contains(sentence, of+"°") || strings.Contains(sentence, of+" °") || strings.Contains(sentence, of+"\u00a0°") {
				v.unit = "°" // no token
			}
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

// partOf reports whether token i is of the kind that is asked for; a year or a day
// of a month is no amount, and the day is part of a time.
func (n Nearness) partOf(tokens []nearToken, i int, amount bool) bool {
	t := tokens[i]
	if n.asked[t.stem] || amount && (yearToken.MatchString(t.text) || n.dayOfMonth(tokens, i)) {
		return false
	}
	return n.fits(tokens, i) || !amount && i > 0 && startsWithDigit(t.text) && n.isMonth(tokens, i-1)
}

func (n Nearness) dayOfMonth(tokens []nearToken, i int) bool {
	day, err := strconv.Atoi(tokens[i].text)
	return err == nil && day <= 31 && (n.isMonth(tokens, i-1) || n.isMonth(tokens, i+1))
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
	if v.unit != "" && o.unit != "" && v.unit != o.unit {
		return false // a length beside a weight, or millimetres of something beside metres of something else
	}
	here, there := slices.Sorted(maps.Keys(v.years)), slices.Sorted(maps.Keys(o.years))
	switch {
	case v.amount || (len(here) == 0) == (len(there) == 0):
	case len(here) == 0:
		return v.otherDay(o)
	default:
		return o.otherDay(v)
	}
	if apart := slices.IndexFunc(here, func(y string) bool { return o.years[y] }) < 0; apart && len(here) > 0 && len(there) > 0 && !v.has(here[0]) {
		return false
	}
	return slices.ContainsFunc(v.words, func(w string) bool { return !o.all[w] }) && slices.ContainsFunc(o.words, func(w string) bool { return !v.all[w] })
}

func (v Value) has(word string) bool { return v.all[word] }

// otherDay reports whether a time without a year, told in a known one, is another day
// than one with its year; without either it is a day of some year.
func (v Value) otherDay(o Value) bool {
	return v.told > 0 && slices.ContainsFunc(v.words, func(w string) bool { return !o.all[w] }) &&
		slices.ContainsFunc(o.words, func(w string) bool { return !v.all[w] && !o.years[w] })
}

// ToldIn is a value of a text of a year, which is that of a day without one.
func (v Value) ToldIn(year int) Value {
	v.told = year
	return v
}

// Past reports whether a value is of years before that of its text alone: what was once
// is told by newer texts as well.
func (v Value) Past() bool {
	if v.amount || v.told == 0 || len(v.years) == 0 {
		return false
	}
	for year := range v.years {
		if n, err := strconv.Atoi(year); err != nil || n >= v.told {
			return false
		}
	}
	return true
}
