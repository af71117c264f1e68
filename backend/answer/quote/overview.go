package quote

import (
	"path"
	"slices"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
	"footnote/backend/plain"
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
	overviewSaid    = 0.25 // what is left of a word's weight once a sentence has said it
	overviewSection = 2    // sentences below one heading, where there are several
)

var (
	overviewAsked = pattern.New(`(?i)^\s*(?:please |can you |could you )*(?:` + strings.Join([]string{
		`(?:summari[sz]e|sum up|outline)\s+(.+?)`,
		`(?:give (?:me )?|show (?:me )?|what is )?(?:a |an |the )?(?:\p{L}+ )?(?:summary|overview|outline|gist) of\s+(.+?)`,
		`(?:what are |give me |list )?(?:the )?(?:key|main|most important) (?:points|facts|ideas) (?:of|in|from)\s+(.+?)`,
		`what (?:is|are)\s+(.+?)\s+about`,
		`what does\s+(.+?)\s+say`,
		`tl;?dr:?\s*(.+?)`,
		`(?:fasse?|fassen sie) (?:mir |bitte )*(.+?) zusammen`,
		`(?:eine )?zusammenfassung (?:von|des|der) (.+?)`,
		`(?:r[ée]sume[rz]?|r[ée]sum[ée] (?:de|du|des)|resumen del?|resume) (.+?)`,
	}, "|") + `)(?:,? (?:please|in short|briefly|for me))?\s*[?.!]*\s*$`)

	fullStop = pattern.New(`[.!。！][)\]”’"']*$`)

	// anyFile are words for a file that name none.
	anyFile = plain.WordSet(`this that these it file document doc pdf text page paper whole entire attached content contents`)
)

// AsksOverview tells what a question asks an overview of; ok is false for other
// questions.
func AsksOverview(question string) (of string, ok bool) {
	for i, group := range overviewAsked.FindStringSubmatch(question) {
		if i > 0 && group != "" {
			return group, true
		}
	}
	return "", false
}

// FindOverview finds the file that an overview is asked of: one whose name has
// every word of it, or the only one where the question is held to a scope.
func FindOverview(c *cite.Checker, question string, pool []rank.Candidate, scoped bool) (rank.Candidate, bool) {
	of, asks := AsksOverview(question)
	if !asks {
		return rank.Candidate{}, false
	}
	named := strings.Join(slices.DeleteFunc(strings.Fields(of), func(w string) bool { return anyFile[strings.ToLower(strings.Trim(w, ".,“”\"'"))] }), " ")
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
		if share := q.shareOf(name); share > most {
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
// order.
func Overview(c *cite.Checker, file []rank.Candidate) Result {
	return Result{
		State: Answer, Sentences: overviewSentences(c, file), scale: wordScale,
		Lead: "Sentences that say most of “" + file[0].Source.Title + "”, in its order:",
	}
}

// overviewSentences chooses by what the words of a sentence weigh in the whole
// file; a word that was said weighs little the next time (SumBasic: Nenkova and
// Vanderwende 2005, with the weights of the checker for stop words).
func overviewSentences(c *cite.Checker, file []rank.Candidate) []Sentence {
	all := []Sentence{}
	terms := [][]cite.Term{}
	weight := map[string]float64{}
	for i, cand := range file {
		text := cand.Passage.Text
		under := evidence.Span{Start: -1}
		for k, s := range statements(text) {
			found := c.Terms(text[s.Start:s.End])
			for _, t := range found {
				weight[t.Stem] += t.Weight
			}
			if s.row || s.leads || len(found) < overviewShort || len(found) > overviewLong || !fullStop.MatchString(text[s.Start:s.End]) {
				continue
			}
			heading := text[s.under.Start:s.under.End]
			if heading == "" {
				heading = cand.Passage.At.Heading
			}
			all = append(all, Sentence{Passage: i, Span: s.Span, Text: text[s.Start:s.End], Order: k, Heading: heading, Leads: s.under != under})
			terms = append(terms, found)
			under = s.under
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
			if score := overviewScore(terms[i], weight, s.Leads); score > best {
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

// overviewScore is the mean weight of a sentence's words.
func overviewScore(terms []cite.Term, weight map[string]float64, leads bool) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += weight[t.Stem]
	}
	sum /= float64(len(terms))
	if leads {
		sum *= overviewLead
	}
	return sum
}
