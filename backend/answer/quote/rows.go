package quote

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/cells"
	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/quote/labels"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Constants of the row channel: questions for a number are answered by rows of
// tables, which are found by the words of their labels. Vectors of labels were
// tried and gave nothing more (share of an answer's numbers 0.52 with, 0.51
// without; 0.05 without rows: four filings, 27 questions).
const (
	rowsShown    = 3
	rowsCompared = 6    // when the question compares periods: one a file
	rowEnough    = 0.45 // score from which a row is an answer
	rowDelta     = 0.15 // how far below the best a shown row may score
	shortLabel   = 2    // content words of a label whose head must be asked for, at most
	bareLabel    = 0.5  // most that a date or number is like one in the question that it is not
)

var (
	explained     = pattern.New(`, | \(`) // what follows explains a label
	headEnds      = pattern.New(`(?i)[,:;(\[–]| - | (?:of|in|on|for|from|to|per|by|with|at|under|over|before|after|as|than|that|which|who)\b`)
	headsJoined   = pattern.New(`(?i) (?:and|or|&) `)
	participle    = pattern.New(`(?i)\w(?:ed|ing) *$`)
	abbreviations = pattern.New(`\b[A-Z](?:&?[A-Z]){1,4}\b`)
)

// FoundRow is a row whose label fits the question, with the passage it stands in.
type FoundRow struct {
	evidence.Row
	passage rank.Candidate
	at      evidence.Span // bytes of the passage's text
	plain   float64       // how well it fits, 0 to 1
	match   float64       // what the match of its file's name adds
	told    float64       // share of the question in label and heading
	label   float64       // share of the label in the question
	beside  bool          // it is about another thing: its passage may help, the row does not answer
	tally   cells.Tally   // what is counted or worked out over rows of its table; without a text for none
	overlap bool          // cells found it, not its label: the scorer says whether it answers
}

// RowSources is how many sources are searched for rows, at least; whoever read
// pages for the question has those searched as well.
const RowSources = 8

// FindRows reads the tables of the first sources of what was found and gives the
// rows that answer the question, best first.
func FindRows(ctx context.Context, question string, pool []rank.Candidate, sources int, d Deps) []FoundRow {
	tables := tablesOf(ctx, pool, sources, d)
	tally := tallied(ctx, question, tables, pool, d)
	switch code := lang.Spoken(question); {
	case len(tally) > 0 && tally[0].tally.Sure && cells.AsksFigure(question):
		return tally
	case len(tables) == 0, lang.AsksYesNo(code, question) && !lang.OverPeriods(code, question): // a number proves neither
		return nil
	}
	var hits []FoundRow
	for _, part := range d.parts(question) {
		for _, h := range rowsFor(ctx, part, tables, pool, d) {
			if !slices.ContainsFunc(hits, func(o FoundRow) bool { return o.at == h.at && o.passage.Passage.ID == h.passage.Passage.ID }) {
				hits = append(hits, h)
			}
		}
	}
	hits = hits[:min(len(hits), rowsCompared)]
	if d.Scorer != nil {
		hits = append(hits, placed(ctx, rowsByOverlap(question, tables, hits, d), pool, d.Texts)...)
	}
	return append(tally, hits...)
}

// rowsFor ranks the rows of tables for one question.
func rowsFor(ctx context.Context, question string, tables []table, pool []rank.Candidate, d Deps) []FoundRow {
	q := NewQuery(d.Checker, question)
	want := answertype.Of(d.Checker, question)
	var hits []FoundRow
	for _, t := range tables {
		seen := map[string]bool{}
		for _, row := range t.rows {
			key := row.Label + "\x00" + strings.Join(row.Values, "\x00")
			if seen[key] || want.When && !labels.TellsTime(row) {
				continue
			}
			seen[key] = true
			if label, told := q.rowByWords(row); label > 0 {
				hits = append(hits, FoundRow{Row: row, passage: t.from, plain: 0.5*label + 0.5*told, match: t.from.Score.Boost, told: told, label: label, beside: q.abbreviated(row.Label) == "" && !q.hasHeadOf(row.Label) || want.Money && !inMoney(row)})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b FoundRow) int { return cmp.Compare(b.plain+b.match, a.plain+a.match) })
	return placed(ctx, enoughRows(hits, question), pool, d.Texts)
}

// rowByWords is the share of the label that the question has, and the share of
// the question that label, heading and heads have. What follows a comma or stands
// in brackets explains a label and need not be asked for.
func (q Query) rowByWords(row evidence.Row) (ofLabel, ofQuestion float64) {
	label := q.checker.Terms(row.Label)
	share := q.shareOf(label)
	if labels.IsBare(row.Label) && !labels.NamesBare(q.text, row.Label) {
		if labels.IsDay(row.Label) && answertype.NamesDay(q.text) {
			return 0, 0 // of another day
		}
		share = min(share, bareLabel)
	}
	short := q.abbreviated(row.Label)
	if share == 0 && short == "" {
		return 0, 0
	}
	if at := explained.FindStringIndex(row.Label); at != nil && at[0] > 3 && unicode.IsLetter(rune(row.Label[0])) {
		share = max(share, q.shareOf(q.checker.Terms(row.Label[:at[0]])))
	}
	found := q.found(q.checker.Terms(rowHeading(row)), nil)
	if short != "" {
		share, found = 1, q.found(q.checker.Terms(short), found)
	}
	for _, head := range row.Heads {
		found = q.found(q.checker.Terms(head), found)
	}
	return share, q.recall(q.found(label, found))
}

// hasHeadOf reports whether a question has the word that says what a label is
// about: the last one before a preposition or an explanation ("lean" of "Lean of the
// tower", "room" of "Lamp room"). Of two things joined by "and" either will do, and
// a long label says enough without.
func (q Query) hasHeadOf(label string) bool {
	cut := false
	if at := headEnds.FindStringIndex(label); at != nil && at[0] > 0 {
		label, cut = label[:at[0]], true
	}
	for _, part := range headsJoined.Split(label, -1) {
		terms := q.checker.Terms(part)
		if len(terms) == 0 || len(terms) > shortLabel || !strings.ContainsFunc(part, unicode.IsLetter) {
			return true
		}
		head := terms[len(terms)-1]
		if cut && participle.MatchString(part) && len(terms) > 1 { // "Cash generated by …"
			head = terms[len(terms)-2]
		}
		if slices.ContainsFunc(q.terms, func(t cite.Term) bool { return t.IsForm(head) || t.Alike(head) > 0 }) {
			return true
		}
	}
	return false
}

// shareOf is the share of the terms' weight that the question has.
func (q Query) shareOf(terms []cite.Term) float64 {
	asked, whole := 0.0, 0.0
	for _, t := range terms {
		best := 0.0
		for _, want := range q.terms {
			best = max(best, want.Alike(t))
		}
		asked += best * t.Weight
		whole += t.Weight
	}
	if whole == 0 {
		return 0
	}
	return asked / whole
}

// abbreviated is the abbreviation in the question that stands for the label
// (R&D for "Research and development"); empty when none does.
func (q Query) abbreviated(label string) string {
	for _, short := range abbreviations.FindAllString(q.text, -1) {
		letters := strings.ReplaceAll(short, "&", "")
		all, content := "", ""
		for _, word := range strings.Fields(label) {
			first := strings.ToUpper(string([]rune(word)[:1]))
			all += first
			if !joining[strings.ToLower(word)] {
				content += first
			}
		}
		if strings.HasPrefix(all, letters) || strings.HasSuffix(all, letters) || strings.HasPrefix(content, letters) || strings.HasSuffix(content, letters) {
			return short
		}
	}
	return ""
}

var joining = map[string]bool{"and": true, "of": true, "the": true, "for": true, "in": true, "on": true, "to": true, "from": true}

func rowHeading(row evidence.Row) string {
	heading := row.Heading
	if i := strings.LastIndex(heading, " > "); i >= 0 {
		heading = heading[i+3:]
	}
	if row.Section == "" {
		return heading
	}
	return heading + ", " + row.Section
}

// enoughRows takes the rows that answer: the best few of the files that the
// question names, or the best of each file when periods are compared.
func enoughRows(hits []FoundRow, question string) []FoundRow {
	named := 0.0 // how much the question has of the best label that is a date or number
	for _, h := range hits {
		if labels.IsBare(h.Label) {
			named = max(named, h.label)
		}
	}
	hits = slices.DeleteFunc(hits, func(h FoundRow) bool { return h.plain < rowEnough || labels.IsBare(h.Label) && h.label < named })
	if len(hits) == 0 {
		return nil
	}
	best := hits[0]
	compare := lang.OverPeriods(lang.Spoken(question), question)
	most := rowsShown
	if compare {
		most = rowsCompared
	}
	var out []FoundRow
	files := map[string]bool{}
	for _, h := range hits {
		file := h.passage.Source.Digest
		switch {
		case len(out) == most:
		case h.plain < best.plain-rowDelta:
		case compare && files[file]:
		case !compare && h.match < best.match:
		default:
			files[file] = true
			out = append(out, h)
		}
	}
	return out
}

// placed finds the passage each row stands in: one that was found, or the one
// that the library made of this part of the text.
func placed(ctx context.Context, hits []FoundRow, pool []rank.Candidate, texts Texts) []FoundRow {
	split := map[string][]rank.Candidate{}
	var out []FoundRow
	for _, h := range hits {
		digest := h.passage.Source.Digest
		holds := func(c rank.Candidate) bool {
			return c.Source.Digest == digest && !c.Snippet && c.Passage.At.Start <= h.At.Start && h.At.End <= c.Passage.At.End
		}
		i := slices.IndexFunc(pool, holds)
		from := pool
		if i < 0 {
			if split[digest] == nil {
				split[digest] = texts.Split(ctx, h.passage)
			}
			from = split[digest]
			i = slices.IndexFunc(from, holds)
		}
		if i < 0 {
			continue // longer than a passage
		}
		h.passage = from[i]
		h.at.Start = len(string([]rune(h.passage.Passage.Text)[:h.At.Start-h.passage.Passage.At.Start]))
		h.at.End = h.at.Start + h.End - h.Start
		out = append(out, h)
	}
	return out
}

// WithPassages adds the passages of rows that the searches did not find.
func WithPassages(pool []rank.Candidate, rows []FoundRow) []rank.Candidate {
	for _, h := range rows {
		if !slices.ContainsFunc(pool, samePassage(h)) {
			pool = append(pool, h.passage)
		}
	}
	return pool
}

func samePassage(h FoundRow) func(rank.Candidate) bool {
	return func(c rank.Candidate) bool { return c.Passage.ID == h.passage.Passage.ID }
}

// RowsFirst puts the passages of the rows before the chosen ones, at most so many
// in all. Rows whose passage finds no place go.
func RowsFirst(rows []FoundRow, ranked, chosen []rank.Candidate, most int) ([]rank.Candidate, []FoundRow) {
	all := make([]rank.Candidate, 0, len(chosen)+len(rows))
	add := func(c rank.Candidate) {
		if !slices.ContainsFunc(all, func(a rank.Candidate) bool { return a.Passage.ID == c.Passage.ID }) {
			all = append(all, c)
		}
	}
	addRows := func(overlap bool) {
		for _, h := range rows {
			if i := slices.IndexFunc(ranked, samePassage(h)); i >= 0 && h.overlap == overlap {
				add(ranked[i])
			}
		}
	}
	addRows(false)
	for i, c := range chosen {
		if i == len(chosen)/2 {
			addRows(true)
		}
		add(c)
	}
	addRows(true)
	all = all[:min(len(all), most)]
	return all, slices.DeleteFunc(rows, func(h FoundRow) bool { return !slices.ContainsFunc(all, samePassage(h)) })
}

// quotedRows are the rows that answer by their labels as chosen sentences.
func quotedRows(rows []FoundRow, passages []Passage) []Sentence {
	return slices.DeleteFunc(rowSentences(byLabel(rows), passages), func(s Sentence) bool { return s.aside })
}

// rowSentences are all rows as sentences.
func rowSentences(rows []FoundRow, passages []Passage) []Sentence {
	var out []Sentence
	for _, h := range rows {
		i := slices.IndexFunc(passages, func(p Passage) bool { return p.ID == h.passage.Passage.ID })
		text := passages[i].Text[h.at.Start:h.at.End]
		out = append(out, Sentence{Passage: i, N: passages[i].N, Span: h.at, Text: text, Row: true, Told: h.words(), shares: shares{titled: h.told}, foundRow: foundRow{label: h.Label, aside: h.beside, overlap: h.overlap}, Heading: strings.Trim(rowHeading(h.Row), ", #")})
	}
	return out
}

// Proof is what the end of the rendered answer is that words alone would not find again: a
// row that it tells or was worked out of, a long sentence, or one that is cut in two by an
// abbreviation, of which only the last part, from a byte on, is taken for what is cited.
func (r Result) Proof(text string, last, n int) (Sentence, bool) {
	cited := strings.TrimSpace(text[last:])
	if r.Worked && strings.HasSuffix(strings.Trim(text, "* "), plain.EscapeMarkdown(r.Short)) {
		for i, s := range r.Sentences {
			if s.N == n && (i == 0 || i == 1 && r.Sides) {
				return s, true
			}
		}
	}
	for _, s := range r.Sentences {
		shown := plain.EscapeMarkdown(s.shown())
		if s.N == n && (shown == cited && (s.Told != "" || s.Clauses > 0) || len(shown) > len(cited) && strings.HasSuffix(strings.TrimSpace(text), shown)) {
			return s, true
		}
	}
	return Sentence{}, false
}

var (
	footnoteMark = pattern.New(`(?:\s*\(\w\))+$`)
)

var amount = pattern.New(`\d{3}|\d[.,]\d`)

// inMoney reports whether a row can tell a price: it names money, or has a figure
// that is no small number.
func inMoney(row evidence.Row) bool {
	all := strings.Join(slices.Concat([]string{row.Heading, row.Section, row.Label}, row.Heads, row.Values), " ")
	return answertype.NamesMoney(all) || slices.ContainsFunc(row.Values, amount.MatchString)
}

// words is a row in words: what it is about, and its values under their heads.
func (h FoundRow) words() string {
	var b strings.Builder
	if section := along.SectionOf(h.Row); section != "" && !strings.Contains(cite.Same(h.Label), cite.Same(section)) {
		b.WriteString(section + " – ")
	}
	b.WriteString(footnoteMark.ReplaceAllString(h.Label, "") + ": ")
	for i, v := range h.Values {
		if i > 0 {
			b.WriteString("; ")
		}
		if h.Heads != nil && h.Heads[i] != "" {
			b.WriteString(h.Heads[i] + ": ")
		}
		b.WriteString(v)
	}
	if h.Scale != "" {
		b.WriteString(" (" + strings.Trim(h.Scale, "()") + ")")
	}
	return b.String()
}
