// Package gist chooses the sentences that say most of a file as a whole.
package gist

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

const (
	most      = 6 // sentences
	short     = 5 // content words of a sentence, at least
	long      = 45
	lead      = 1.3  // what the first sentence below a heading gains
	first     = 1.5  // what the first of the file gains more
	few       = 3.0  // words that a sentence is taken to have more, of no weight: few words say little
	leaning   = 0.5  // what a sentence keeps that only the one before it explains, or that is a piece of one
	said      = 0.25 // what is left of a word's weight once a sentence has said it
	ofSection = 2    // sentences below one heading, where there are several
)

var fullStop = pattern.New(`[.!。！।؟][)\]”’"']*$`)

// Sentence is one of a file.
type Sentence struct {
	Passage int           // index of its passage
	Span    evidence.Span // bytes of the passage's text
	Text    string
	Order   int // position among the statements of its passage
	Heading string
	Score   float64

	leads bool // it is the first below its heading
}

// Of are the sentences that say most of a file, given as its passages in order, chosen
// by what the words of a sentence weigh in the whole file; a word that was said weighs little the next time (SumBasic: Nenkova and
// Vanderwende 2005, with the weights of the checker for stop words).
func Of(c *cite.Checker, file []rank.Candidate) []Sentence {
	all := []Sentence{}
	terms := [][]cite.Term{}
	code := lang.Detect(beginning(file))
	weight := map[string]float64{}
	for i, cand := range file {
		text := cand.Passage.Text
		under := evidence.Span{Start: -1}
		for k, s := range statements.Of(text) {
			found := c.Terms(text[s.Start:s.End])
			for _, t := range found {
				weight[t.Stem] += t.Weight
			}
			if s.Row || s.Leads || isOwnHeading(cand, text[s.Start:s.End]) || len(found) < short || len(found) > long || !fullStop.MatchString(text[s.Start:s.End]) {
				continue
			}
			heading := text[s.Under.Start:s.Under.End]
			if heading == "" {
				heading = cand.Passage.At.Heading
			}
			all = append(all, Sentence{Passage: i, Span: s.Span, Text: text[s.Start:s.End], Order: k, Heading: heading, leads: s.Under != under})
			terms = append(terms, found)
			under = s.Under
		}
	}
	sections := map[string]int{}
	for _, s := range all {
		sections[s.Heading] = 0
	}
	var chosen []Sentence
	taken := map[int]bool{}
	for len(chosen) < most {
		best, at := 0.0, -1
		for i, s := range all {
			if taken[i] || len(sections) > 1 && sections[s.Heading] == ofSection {
				continue
			}
			worth := score(terms[i], weight, s.leads, leans(code, s.Text))
			if i == 0 {
				worth *= first
			}
			if worth > best {
				best, at = worth, i
			}
		}
		if at < 0 {
			break
		}
		taken[at] = true
		sections[all[at].Heading]++
		for _, t := range terms[at] {
			weight[t.Stem] *= said
		}
		s := all[at]
		s.Score, s.leads = best, false
		chosen = append(chosen, s)
	}
	slices.SortFunc(chosen, func(a, b Sentence) int {
		if d := a.Passage - b.Passage; d != 0 {
			return d
		}
		return a.Order - b.Order
	})
	return chosen
}

// beginning is enough of a file to tell its language.
func beginning(file []rank.Candidate) string {
	var all strings.Builder
	for _, cand := range file[:min(len(file), 3)] {
		all.WriteString(cand.Passage.Text + "\n")
	}
	return all.String()
}

// isOwnHeading reports whether a text is a heading that its passage stands under, as
// those of plain text are that end with a full stop.
func isOwnHeading(cand rank.Candidate, text string) bool {
	return strings.Contains(cand.Passage.At.Heading, strings.TrimSpace(text))
}

// leans reports whether a sentence begins with a word that stands for something named
// before it, or in the middle of one.
func leans(code lang.Code, text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first) || slices.ContainsFunc([]lang.Class{lang.OfPerson, lang.OfThing, lang.Possessive, lang.Pointing}, func(class lang.Class) bool {
		_, opens := code.OpensWith(class, text)
		return opens
	})
}

// score is the mean weight of a sentence's words.
func score(terms []cite.Term, weight map[string]float64, leads, leans bool) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += weight[t.Stem]
	}
	sum /= float64(len(terms)) + few
	if leads {
		sum *= lead
	}
	if leans {
		sum *= leaning
	}
	return sum
}
