package quote

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/intent"
	"footnote/backend/answer/quote/gist"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// An overview is asked of one file as a whole: "Summarise the minutes". No passage
// is nearer to such a question than another, so the sentences are taken that say
// most of what the file speaks of.

const (
	overviewParts = 8    // rows and lines of a file that has no sentences
	ownLanguage   = 1.25 // what a file in the language of the question gains
)

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
	label, said := "overview", tellingSentences(c, file)
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

func tellingSentences(c *cite.Checker, file []rank.Candidate) (said []Sentence) {
	for _, s := range gist.Of(c, file) {
		said = append(said, Sentence{Passage: s.Passage, Span: s.Span, Text: s.Text, Order: s.Order, Heading: s.Heading, Score: s.Score})
	}
	return said
}
