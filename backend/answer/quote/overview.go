package quote

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/intent"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

// An overview is asked of one file as a whole: "Summarise the minutes". No passage
// is nearer to such a question than another, so the sentences are taken that say
// most of what the file speaks of.

const (
	overviewMost    = 6 // sentences
	overviewShort   = 5 // content words of a sentence, at least
	overviewLong    = 45
	overviewLead    = 1.3  // what the first sentence below a heading gains
	overviewFirst   = 1.5  // what the first of the file gains more
	overviewFew     = 3.0  // words that a sentence is taken to have more, of no weight: few words say little
	overviewLeans   = 0.5  // what a sentence keeps that only the one before it explains, or that is a piece of one
	overviewSaid    = 0.25 // what is left of a word's weight once a sentence has said it
	overviewSection = 2    // sentences below one heading, where there are several
	overviewParts   = 8    // rows and lines of a file that has no sentences
	ownLanguage     = 1.25 // what a file in the language of the question gains
)

var fullStop = pattern.New(`[.!。！।؟][)\]”’"']*$`)

// FindOverview finds the file that an overview is asked of: one whose name has
// every word of it, or the only one where the question is held to a scope.
func FindOverview(c *cite.Checker, question string, pool []rank.Candidate, scoped bool) (rank.Candidate, bool) {
	named, asks := lang.AsksOverview(question)
	if !asks {
		return rank.Candidate{}, false
	}
	code := lang.Detect(question)
	q := NewQuery(c, named)
	var best rank.Candidate
	most, files := 0.0, map[string]bool{}
	for _, c := range pool {
		if c.Source.Kind == evidence.Pasted && len(q.terms) == 0 {
			return c, true
		}
		if !c.Local() || files[c.Source.Digest] {
			continue
		}
		files[c.Source.Digest] = true
		name := q.checker.Terms(fileName(c.Source))
		if len(q.terms) == 0 || q.recall(q.reached(name, reach{}).forms) < 1 {
			continue
		}
		share := q.shareOf(name)
		if code != lang.Unknown && lang.Detect(c.Passage.Text) == code { // of several that are called so
			share *= ownLanguage
		}
		if share > most {
			best, most = c, share
		}
	}
	if most == 0 && len(q.terms) == 0 && len(files) == 1 && scoped {
		best, most = pool[slices.IndexFunc(pool, rank.Candidate.Local)], 1
	}
	return best, most > 0
}

// fileName is what a person may call a file: its title and its name.
func fileName(src evidence.Source) string {
	name := path.Base(strings.ReplaceAll(src.Address, `\`, "/"))
	return src.Title + " " + strings.TrimSuffix(name, path.Ext(name))
}

// Overview quotes the sentences that say most of a file, given as its passages in
// order; of one that has none, a table, what its parts begin with. code is the
// language that it is told in.
func Overview(c *cite.Checker, file []rank.Candidate, code lang.Code) Result {
	label, said := "overview", TellingSentences(c, file)
	if len(said) == 0 {
		label, said = "overview-parts", overviewOfParts(file)
	}
	return Result{
		State: Answer, Sentences: said, scale: wordScale,
		Lead: fmt.Sprintf(intent.Label(code, label), file[0].Source.Title),
	}
}

// overviewOfParts takes the first rows or lines below each heading, sheet or page.
func overviewOfParts(file []rank.Candidate) (chosen []Sentence) {
	of := map[string]int{}
	parts := map[string]bool{}
	for _, cand := range file {
		parts[partOf(cand)] = true
	}
	each := max(1, overviewParts/max(1, len(parts)))
	for i, cand := range file {
		text := cand.Passage.Text
		for k, s := range statements.Of(text) {
			said := strings.TrimSpace(text[s.Start:s.End])
			if len(chosen) == overviewParts || of[partOf(cand)] == each || !strings.ContainsFunc(said, unicode.IsLetter) {
				continue
			}
			of[partOf(cand)]++
			chosen = append(chosen, Sentence{Passage: i, Span: s.Span, Text: text[s.Start:s.End], Order: k, Heading: cand.Passage.At.Heading, Score: 1})
		}
	}
	return chosen
}

func partOf(c rank.Candidate) string {
	return fmt.Sprint(c.Passage.At.Heading, c.Passage.At.Page)
}

// TellingSentences are those that say most of a file, chosen by what the words of a sentence weigh in the whole
// file; a word that was said weighs little the next time (SumBasic: Nenkova and
// Vanderwende 2005, with the weights of the checker for stop words).
func TellingSentences(c *cite.Checker, file []rank.Candidate) []Sentence {
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
			if s.Row || s.Leads || isOwnHeading(cand, text[s.Start:s.End]) || len(found) < overviewShort || len(found) > overviewLong || !fullStop.MatchString(text[s.Start:s.End]) {
				continue
			}
			heading := text[s.Under.Start:s.Under.End]
			if heading == "" {
				heading = cand.Passage.At.Heading
			}
			all = append(all, Sentence{Passage: i, Span: s.Span, Text: text[s.Start:s.End], Order: k, Heading: heading, Leads: s.Under != under})
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
	for len(chosen) < overviewMost {
		best, at := 0.0, -1
		for i, s := range all {
			if taken[i] || len(sections) > 1 && sections[s.Heading] == overviewSection {
				continue
			}
			score := overviewScore(terms[i], weight, s.Leads, leans(code, s.Text))
			if i == 0 {
				score *= overviewFirst
			}
			if score > best {
				best, at = score, i
			}
		}
		if at < 0 {
			break
		}
		taken[at] = true
		sections[all[at].Heading]++
		for _, t := range terms[at] {
			weight[t.Stem] *= overviewSaid
		}
		s := all[at]
		s.Score, s.Leads = best, false
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

// overviewScore is the mean weight of a sentence's words.
func overviewScore(terms []cite.Term, weight map[string]float64, leads, leans bool) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += weight[t.Stem]
	}
	sum /= float64(len(terms)) + overviewFew
	if leads {
		sum *= overviewLead
	}
	if leans {
		sum *= overviewLeans
	}
	return sum
}
