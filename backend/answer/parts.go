package answer

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const askers = `(?:who|whom|whose|what|when|where|why|how|which)\b`

var (
	joint = regexp.MustCompile(`(?i)(?:[,;]\s*|\s+)and\s+(?:also\s+)?((?:(?:by|for|to|with|from|at|in|on|since) )?` + askers + `)`)

	// onlyAsks is a part without a matter of its own: "and by whom?".
	onlyAsks  = regexp.MustCompile(`(?i)^(?:\p{L}+ )?` + askers + `[\s?.!]*$`)
	firstAsks = regexp.MustCompile(`(?i)^\s*(?:\p{L}+ )?` + askers + `\s+`)
)

// extracted chooses the rows and sentences that answer each part of the question.
func (p *pipeline) extracted(ctx context.Context) *extractResult {
	quotable, match := p.quotable(), p.matcher(ctx)
	asks := p.asks()
	r := withRows(p.quotedRows(), quotedFrom(p.Checker, asks, quotable, match), p.speaksOfRow)
	r = withConjuncts(p.Checker, asks, r, quotable, match)
	r = p.withHeads(withAntecedents(r, quotable))
	return &r
}

// asks is the question that sentences are chosen for. What the rules add to one
// that has a matter of its own helps to find passages; as a part of the question it
// would be answered itself.
func (p *pipeline) asks() string {
	added, adds := strings.CutPrefix(p.plan.Standalone, strings.TrimRight(p.q.Text, "?!. ")+" ")
	own := slices.DeleteFunc(wordsOf(p.q.Text), func(w string) bool { return strings.EqualFold(w, "about") })
	if adds && added != "" && len(own) > 1 {
		return p.q.Text
	}
	return p.plan.Standalone
}

// quotedFrom chooses the sentences that answer each part of a question.
func quotedFrom(c *cite.Checker, question string, passages []extractPassage, match matcher) extractResult {
	var results []extractResult
	for _, part := range questionParts(question) {
		results = append(results, newAsked(c, part).refined(extract(c, part, passages, match), passages))
	}
	return withSuccessors(mergeExtracts(results), passages)
}

// withHeads puts the heads of their columns to rows that would be quoted as they
// stand: figures in a row mean nothing without them.
func (p *pipeline) withHeads(r extractResult) extractResult {
	for i := range r.Sentences {
		s := &r.Sentences[i]
		if !s.Row || s.told != "" {
			continue
		}
		c := p.chosen[s.Passage]
		rows, _ := p.tableRows.get(c.Source.Digest)
		start := c.Passage.At.Start + utf8.RuneCountInString(c.Passage.Text[:s.Span.Start])
		if at := slices.IndexFunc(rows, func(row evidence.Row) bool { return row.At.Start == start && row.Heads != nil }); at >= 0 {
			s.told = rowHit{Row: rows[at]}.words()
		}
	}
	return r
}

// ofLabel is the share of a row's label from which a sentence speaks of the row.
const ofLabel = 0.3

// speaksOfRow reports whether a sentence is about what a row that answers is about.
func (p *pipeline) speaksOfRow(s extractSentence) bool {
	q := newAsked(p.Checker, s.Text)
	return slices.ContainsFunc(p.rows, func(h rowHit) bool { return q.shareOf(p.Checker.Terms(h.Label)) >= ofLabel })
}

// orderByQuotation chooses what a quoted answer says and puts the sources that
// it is going to cite first, in the order of the quotations, so that its
// footnotes count up from 1.
func (p *pipeline) orderByQuotation(ctx context.Context) {
	before := p.chosen
	p.numbers = map[evidence.SourceID]int{}
	for _, c := range before { // numbers for now: one a source
		if p.numbers[c.Source.ID] == 0 {
			p.numbers[c.Source.ID] = len(p.numbers) + 1
		}
	}
	p.quotation = p.extracted(ctx)
	place := map[evidence.SourceID]int{}
	for _, s := range p.quotation.Sentences {
		if id := before[s.Passage].Source.ID; place[id] == 0 {
			place[id] = len(place) + 1
		}
	}
	at := func(c rank.Candidate) int { return cmp.Or(place[c.Source.ID], len(place)+1) }
	p.chosen = slices.SortedStableFunc(slices.Values(before), func(a, b rank.Candidate) int { return at(a) - at(b) })
	p.renumber(before)
}

// renumber brings the quotation in line with a new order of the chosen passages.
func (p *pipeline) renumber(before []rank.Candidate) {
	number := map[int]int{}
	final := map[evidence.SourceID]int{}
	for _, c := range p.chosen {
		if final[c.Source.ID] == 0 {
			final[c.Source.ID] = len(final) + 1
		}
		number[p.numbers[c.Source.ID]] = final[c.Source.ID]
	}
	for i := range p.quotation.Sentences {
		s := &p.quotation.Sentences[i]
		id := before[s.Passage].Passage.ID
		s.Passage = slices.IndexFunc(p.chosen, func(c rank.Candidate) bool { return c.Passage.ID == id })
		s.N = number[s.N]
		for k, n := range s.Also {
			s.Also[k] = number[n]
		}
	}
}

// questionParts cuts a question that asks several things into the things. A
// part that names nothing itself is asked about what the part before names:
// "How high is the tower, and when was it built?" gives two questions about the
// tower.
func questionParts(question string) []string {
	var parts []string
	for _, s := range evidence.Sentences(question) {
		sentence := question[s.Start:s.End]
		at := 0
		for _, m := range joint.FindAllStringSubmatchIndex(sentence, -1) {
			parts = append(parts, strings.TrimSpace(sentence[at:m[0]]))
			at = m[2]
		}
		parts = append(parts, strings.TrimSpace(sentence[at:]))
	}
	parts = withMatter(parts)
	for i := 1; i < len(parts); i++ {
		if named := names(parts[i-1]); lastName(parts[i]) == "" && len(named) > 0 {
			parts[i] += " " + strings.Join(named, " ")
		} else if len(named) == 0 && lastName(parts[i]) == "" && pronoun.MatchString(parts[i]) {
			parts[i] = strings.TrimSpace(parts[i] + " " + topicOf(parts[i-1]))
		}
	}
	return parts
}

// withMatter gives a part that only asks the matter of the part beside it: "When
// and where was it built?", "When was it built, and by whom?".
func withMatter(parts []string) []string {
	matter := func(part string) string { return strings.TrimRight(firstAsks.ReplaceAllString(part, ""), "?!. ") }
	bare := func(part string) string { return strings.TrimRight(part, "?!. ") }
	for i := len(parts) - 2; i >= 0; i-- {
		if onlyAsks.MatchString(parts[i]) && !onlyAsks.MatchString(parts[i+1]) {
			parts[i] = bare(parts[i]) + " " + matter(parts[i+1]) + "?"
		}
	}
	for i := 1; i < len(parts); i++ {
		if onlyAsks.MatchString(parts[i]) && !onlyAsks.MatchString(parts[i-1]) {
			parts[i] = bare(parts[i]) + " " + matter(parts[i-1]) + "?"
		}
	}
	return parts
}

// shortAt is the share of the question that a sentence must have in itself for
// its date to stand alone as the answer.
const shortAt = 0.7

// mergeExtracts joins what was extracted for each part into one result: a
// sentence stands once, in the order of the first part that chose it. The
// result is as good as its best part.
func mergeExtracts(results []extractResult) extractResult {
	merged := results[0]
	if len(results) == 1 {
		return merged
	}
	merged.Sentences, merged.Short = nil, ""
	better := map[string]int{extractNone: 0, extractWeak: 1, extractAnswer: 2}
	merged.State = extractNone
	for _, r := range results {
		if better[r.State] > better[merged.State] {
			merged.State = r.State
		}
	}
	seen := map[place]bool{}
	fair := max(1, extractMost/len(results))
	for _, r := range results {
		taken := 0
		for _, s := range r.Sentences {
			at := s.at()
			if r.State == extractNone || seen[at] || taken == fair {
				continue
			}
			seen[at] = true
			taken++
			merged.Sentences = append(merged.Sentences, s)
		}
	}
	return merged
}

// withSuccessors puts the next sentence in the place of one that says nothing by
// itself: a question, or a heading that runs into its text ("Gallery railing.").
func withSuccessors(r extractResult, passages []extractPassage) extractResult {
	var out []extractSentence
	for _, s := range r.Sentences {
		if !s.Row && (strings.HasSuffix(s.Text, "?") || len(strings.Fields(s.Text)) <= 3 && !leadsTo(s, r.Sentences, passages[s.Passage].Text)) {
			if all := statements(passages[s.Passage].Text); s.order+1 < len(all) {
				s = s.replacedBy(all, s.order+1, passages[s.Passage].Text)
			}
		}
		if !slices.ContainsFunc(out, func(o extractSentence) bool { return o.Passage == s.Passage && o.Span == s.Span }) {
			out = append(out, s)
		}
	}
	r.Sentences = out
	return r
}

// replacedBy is the sentence in the place of another one of its passage.
func (s extractSentence) replacedBy(all []statement, order int, text string) extractSentence {
	s.order, s.Span, s.Row = order, all[order].Span, all[order].row
	s.Text = text[s.Span.Start:s.Span.End]
	return s
}

// leadReach is how many sentences a label may stand before what it leads to.
const leadReach = 4

// leadsTo reports whether a sentence soon after this one in its line was chosen
// too: a label such as a date then says what that is about.
func leadsTo(s extractSentence, chosen []extractSentence, text string) bool {
	return slices.ContainsFunc(chosen, func(o extractSentence) bool {
		return o.Passage == s.Passage && o.order > s.order && o.order <= s.order+leadReach && !strings.Contains(text[s.Span.End:o.Span.Start], "\n")
	})
}

// pointsBack are openings of sentences that cannot be understood without the
// sentence before.
var pointsBack = regexp.MustCompile(`^(?:He|She|It|They|His|Her|Its|Their|This|These|Those|Such|Both|The (?:same|former|latter|film|book|work|company|city|town|ship|team|building|deal|group|plan)|(?:We|I|You)\b.*\b(?:they|them|it))\b`)

const antecedentRunes = 240

// withAntecedents puts in front of a sentence what it cannot be understood
// without: the label that its line opens with, and the sentence before one that
// points back to it.
func withAntecedents(r extractResult, passages []extractPassage) extractResult {
	var out []extractSentence
	add := func(s extractSentence) {
		if !slices.ContainsFunc(out, func(o extractSentence) bool { return o.at() == s.at() }) {
			out = append(out, s)
		}
	}
	for _, s := range r.Sentences {
		all := statements(passages[s.Passage].Text)
		if label, ok := labelOf(s, all, passages[s.Passage].Text); ok && tellsMore(label, s) && !slices.ContainsFunc(out, func(o extractSentence) bool {
			return o.Passage == s.Passage && o.order > label.order && o.order < s.order
		}) {
			add(label)
		}
		if before, ok := antecedent(s, all, passages[s.Passage].Text); ok && !slices.ContainsFunc(r.Sentences, func(o extractSentence) bool { return o.at() == before.at() }) {
			add(before)
		}
		add(s)
	}
	r.Sentences = out
	return r
}

// labelOf is the label that the line of a sentence opens with. A question that
// opens it is none: its reply is understood without.
func labelOf(s extractSentence, all []statement, text string) (extractSentence, bool) {
	if s.Row || s.order >= len(all) || !all[s.order].opens || text[all[s.order].under.End-1] == '?' {
		return s, false
	}
	i := slices.IndexFunc(all, func(o statement) bool { return o.Span == all[s.order].under })
	if i < 0 {
		return s, false
	}
	label := s.replacedBy(all, i, text)
	label.Also, label.Score = nil, 0
	return label, true
}

// tellsMore reports whether a label says what its sentence does not: a date, or
// more of the question.
func tellsMore(label, s extractSentence) bool {
	return dateText.MatchString(label.Text) || s.opening > 0
}

// antecedent is the sentence before s in its paragraph, when s points back to it
// and it points no further.
func antecedent(s extractSentence, all []statement, text string) (extractSentence, bool) {
	if s.Row || s.order == 0 || !pointsBack.MatchString(s.Text) {
		return s, false
	}
	before := s.replacedBy(all, s.order-1, text)
	before.Also, before.Score = nil, 0
	far := strings.Contains(text[before.Span.End:s.Span.Start], "\n\n") || all[s.order-1].under != all[s.order].under
	return before, !far && !before.Row && !pointsBack.MatchString(before.Text) && runes(before.Text) <= antecedentRunes && !strings.HasSuffix(before.Text, "?")
}

// telling leaves out sentences that were chosen for their title alone: they
// have less than half as much of the question in themselves as the best one.
// Beside one that has all of it, more is asked of them.
func telling(sentences []extractSentence) []extractSentence {
	best := 0.0
	for _, s := range sentences {
		best = max(best, s.own)
	}
	least := best / 2
	if best >= tellsAll {
		least = tellsToo * best
	}
	return slices.DeleteFunc(slices.Clone(sentences), func(s extractSentence) bool { return s.own < least })
}

// withRows puts rows of tables before the sentences. Rows answer by themselves:
// sentences with less of the question or about something else are left out beside
// them, and so are rows as they stand in the text.
func withRows(rows []extractSentence, r extractResult, speaksOfRow func(extractSentence) bool) extractResult {
	rows = besideTelling(rows, r.Sentences)
	if len(rows) == 0 {
		return r
	}
	if r.State != extractAnswer {
		r.Sentences = nil
	}
	r.State, r.Short = extractAnswer, ""
	rest := slices.DeleteFunc(slices.Clone(r.Sentences), func(s extractSentence) bool { return s.Row || s.own < rows[0].titled+rowsAhead || !speaksOfRow(s) })
	r.Sentences = append(rows, rest...)
	return r
}

const (
	// tellsAll is the share of a question in one sentence from which rows must
	// have nearly as much of it.
	tellsAll = 0.85
	// tellsToo is the share of it that a further sentence must have.
	tellsToo = 0.7
	// rowsAhead is how much more of the question than the best row a sentence
	// beside it must have.
	rowsAhead = 0.1
)

// besideTelling leaves out rows that have less of the question than a sentence
// that has all of it.
func besideTelling(rows, sentences []extractSentence) []extractSentence {
	best := 0.0
	for _, s := range sentences {
		best = max(best, s.titled)
	}
	if best < tellsAll {
		return rows
	}
	return slices.DeleteFunc(rows, func(row extractSentence) bool { return row.titled < best-0.2 })
}
