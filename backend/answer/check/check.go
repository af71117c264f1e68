// Package check holds what an answer says against the passages it cites: each marker is
// bound to one, judged, and told where sources disagree.
package check

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/selection"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// binding is a marker of the finished text with the passage it is bound to.
type binding struct {
	claim   cite.Claim
	n       int
	passage *rank.Candidate // nil where row stands
	finding cite.Finding
	row     *contract.Citation // the citation of a row of a table
	quoted  bool               // the claim is a sentence of the passage itself
}

func (b *binding) verdict() contract.Verdict {
	if b.row != nil {
		return b.row.Verdict
	}
	if b.quoted && b.finding.Verdict == cite.Supported {
		return contract.QuotedIn // it supports itself: that says nothing
	}
	return contract.Verdict(b.finding.Verdict)
}

// Deps are the ports of checking.
type Deps struct {
	Checker *cite.Checker
	Meaning gather.Meaning
	Texts   gather.Texts
}

// Examiner checks a draft.
type Examiner struct {
	Deps      Deps
	Tell      *journal.Teller
	Task      *gather.Task
	Models    *llm.RoleModels
	Scorer    *gather.Scorer
	Binder    *Binder
	Plan      gather.Plan
	Evidence  gather.Evidence
	Selection selection.Selection
}

// Check binds every marker of the finished text to its passage, judges each,
// and reports on the whole. A text without a single marker is aligned with the
// passages by code first (ANSWER-10).
func (x *Examiner) Check(ctx context.Context, text string) Checked {
	x.Tell.Begin(contract.StageCheck)
	if x.Models.Chat.Model != nil {
		text = withoutOwnList(text)
	}
	if len(cite.Markers(text, len(x.Selection.Cards))) == 0 {
		text = x.align(text)
	}
	bindings := x.bindings(text)
	x.judgeByEncoder(ctx, bindings)
	x.holdQuotes(text, bindings)
	x.askAboutPartly(ctx, bindings)
	disagreements := x.compareSources(ctx, bindings)
	text, bindings = x.withdraw(text, bindings)
	citations, report := x.report(text, bindings)
	cards := x.placeCards(citations)
	x.tellPartial(cards, citations)
	x.Tell.Emit(contract.Checked{Citations: plain.Full(citations), Report: report})
	x.Tell.Timing.Check = x.Tell.Finish(len(bindings), len(citations))
	return Checked{Text: text, Citations: citations, Report: report, Cards: cards, Disagreements: disagreements}
}

// tellPartial names files that were read only in part, once each: those that are
// cited, or all where nothing is, for the rest may hold the answer.
func (x *Examiner) tellPartial(cards []contract.SourceCard, citations []contract.Citation) {
	for _, card := range cards {
		beside := len(citations) > 0 && !slices.ContainsFunc(citations, func(c contract.Citation) bool { return c.Source == card.ID })
		if !beside && slices.Contains(card.Flags, "partly-read") {
			x.Tell.Notice(contract.Notice{Code: "partly-read", Level: "warn", Message: card.Title + " was read only in part."})
		}
	}
}

// quotes reports whether a claim is what its source says, word for word: of a
// report without a model as of a quoted answer.
func (x *Examiner) quotes(claim cite.Claim, c rank.Candidate, f cite.Finding) bool {
	return x.Selection.Quotation != nil || x.Models.Chat.Model == nil && lettersOf(claim.Text) == lettersOf(c.Passage.Text[f.Quote.Start:f.Quote.End])
}

func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, text)
}

// bindings ties each marker to the passage of its source that carries its claim
// best, by the words.
func (x *Examiner) bindings(text string) (all []binding) {
	for _, claim := range cite.Claims(text) {
		for _, n := range claim.Markers {
			if row, ok := x.citedProof(text[:claim.Sentence.End], claim.Sentence.Start, n); ok {
				all = append(all, binding{claim: claim, n: n, row: &row})
				continue
			}
			if c, f := x.Binder.BestPassage(n, claim.Text); c != nil {
				all = append(all, binding{claim: claim, n: n, passage: c, finding: f, quoted: x.quotes(claim, *c, f)})
			}
		}
	}
	return all
}

// holdQuotes holds quotation marks to their word.
func (x *Examiner) holdQuotes(text string, bindings []binding) {
	for i := range bindings {
		b := &bindings[i]
		if b.passage == nil {
			continue
		}
		sentence := text[b.claim.Sentence.Start:b.claim.Sentence.End]
		if ok, has := cite.VerbatimQuote(sentence, b.passage.Passage.Text); has && !ok && !x.quotesOn(sentence, *b.passage) {
			b.finding.Verdict, b.finding.Why, b.finding.Held = cite.NotFound, "the quoted words are not in the passage", true
		}
	}
}

// report makes the citations of the answer, and counts them.
func (x *Examiner) report(text string, bindings []binding) ([]contract.Citation, contract.Report) {
	var citations []contract.Citation
	var bound []cite.Bound
	verdicts, table := contract.NoVerdicts(), ""
	for i := range bindings {
		b := &bindings[i]
		citations = append(citations, b.citation(text))
		bound = append(bound, cite.Bound{N: b.n, Verdict: string(b.verdict())})
		verdicts[b.verdict()]++
		if b.finding.Table == cite.EncoderTable {
			table = cite.EncoderTable
		}
	}
	q := cite.Report(text, bound, len(x.Selection.Cards))
	return citations, contract.Report{
		HasCitations: q.HasCitations, CitationCount: q.Count, AllCitationsValid: q.AllValid, Coverage: q.Coverage,
		Verdicts: verdicts, Unanswered: plain.Full(unanswered(x.Task, text)), Warnings: plain.Full(q.Warnings), Table: table,
	}
}

func (b *binding) citation(text string) contract.Citation {
	span := contract.RangeIn(text, b.claim.Sentence.Start, b.claim.Sentence.End)
	claim := contract.Quoted{Start: span.Start, End: span.End, Text: text[b.claim.Sentence.Start:b.claim.Sentence.End]}
	if b.row != nil {
		row := *b.row
		row.Claim = claim
		return row
	}
	f, body := b.finding, b.passage.Passage.Text
	if len(f.Highlight) == 0 { // nothing carries the claim: the footnote opens at the passage
		f.Quote = evidence.Span{End: len(body)}
	}
	quote := contract.RangeIn(body, f.Quote.Start, f.Quote.End)
	out := contract.Citation{
		Marker: b.n, Passage: b.passage.Passage.ID, Source: b.passage.Source.ID, Claim: claim,
		Quote: contract.Quoted{Start: quote.Start, End: quote.End, Text: body[f.Quote.Start:f.Quote.End]}, Highlight: []contract.Range{}, Verdict: b.verdict(), Why: f.Why,
	}
	for _, h := range f.Highlight {
		out.Highlight = append(out.Highlight, contract.RangeIn(body, h.Start, h.End))
	}
	return out
}

// quotesOn reports whether a sentence quotes over the border of a passage and
// what was read along with it.
func (x *Examiner) quotesOn(sentence string, c rank.Candidate) bool {
	for id, n := range x.Selection.Neighbours {
		if id != c.Passage.ID && n.Passage.ID != c.Passage.ID {
			continue
		}
		at := slices.IndexFunc(x.Selection.Chosen, func(o rank.Candidate) bool { return o.Passage.ID == id })
		if ok, _ := cite.VerbatimQuote(sentence, x.Selection.Chosen[at].Passage.Text+x.Binder.Alongside(x.Selection.Chosen[at])); ok {
			return true
		}
	}
	return false
}

// align puts a marker behind each sentence that a passage supports. Nothing of
// the text is changed besides.
func (x *Examiner) align(text string) string {
	var b strings.Builder
	at := 0
	for _, s := range evidence.Sentences(text) {
		sentence := text[s.Start:s.End]
		if utf8.RuneCountInString(sentence) <= 20 {
			continue
		}
		n := x.supporter(cite.Plain(sentence))
		if n == 0 {
			continue
		}
		b.WriteString(text[at:s.End])
		b.WriteString(" [" + strconv.Itoa(n) + "]")
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}

func (x *Examiner) supporter(sentence string) int {
	best, number := 0.0, 0
	for _, card := range x.Selection.Cards {
		_, f := x.Binder.BestPassage(card.N, sentence)
		if f.Verdict == "supported" && f.Score > best {
			best, number = f.Score, card.N
		}
	}
	return number
}

// unanswered names the parts of a question in several sentences of which the
// answer shares no content word.
func unanswered(t *gather.Task, text string) []string {
	var open []string
	parts := evidence.Sentences(t.Question.Text)
	if len(parts) < 2 {
		return nil
	}
	said := map[string]bool{}
	for _, term := range rank.Terms(text) {
		said[term] = true
	}
	for _, s := range parts {
		part := strings.TrimSpace(t.Question.Text[s.Start:s.End])
		terms := rank.Terms(part)
		if !strings.HasSuffix(part, "?") || len(terms) == 0 || slices.ContainsFunc(terms, func(t string) bool { return said[t] }) {
			continue
		}
		open = append(open, part)
	}
	return open
}

// Checked is what checking an answer brought.
type Checked struct {
	Text          string
	Citations     []contract.Citation
	Report        contract.Report
	Cards         []contract.SourceCard   // of the selection, each at the place of its first citation
	Disagreements []contract.Disagreement // of its sources
}
