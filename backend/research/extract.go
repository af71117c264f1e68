package research

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/recent"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
	"footnote/backend/research/report"
	"footnote/backend/research/sentences"
	"footnote/backend/research/sides"
)

const (
	factWords      = 25  // of a fact, at most
	quoteRunes     = 200 // of a quote
	factPassages   = 3   // of a page, that a fact is looked for in
	keptExtraction = 24 * time.Hour
	keptExtracts   = 1024
)

// material is the text of one source, as it is extracted: a page, or what was
// found of a file.
type material struct {
	source   evidence.Source
	text     string
	passages []rank.Candidate // best first
}

// extraction is what a model took from one source for one subquestion.
type extraction struct {
	Relevant bool     `json:"relevant"`
	Reason   string   `json:"reason"`
	Facts    []string `json:"facts"`
	Quotes   []string `json:"quotes"`
}

var extractionSchema = json.RawMessage(`{"type":"object","properties":{"relevant":{"type":"boolean"},"reason":{"type":"string"},"facts":{"type":"array","items":{"type":"string"},"maxItems":12},"quotes":{"type":"array","items":{"type":"string"},"maxItems":6}},"required":["relevant","facts","quotes"]}`)

// extractBest has the best sources that were not extracted yet extracted, some at
// a time, and takes over what holds against their text.
func (d *dimension) extractBest(ctx context.Context, ranked []rank.Candidate) {
	materials := d.materials(ranked)
	got := make([]*extraction, len(materials))
	places := make(chan struct{}, d.p.Task.Settings.Deep.ExtractionsAtOnce)
	var together sync.WaitGroup
	for i, m := range materials {
		together.Go(func() {
			defer calls.Contain(d.r.p.Tell.Log, d.out.Question)
			places <- struct{}{}
			defer func() { <-places }()
			got[i] = d.extractByModel(ctx, m)
		})
	}
	together.Wait()
	for i, m := range materials {
		if got[i] == nil {
			got[i] = d.extractByRules(m)
		}
		d.takeOver(m, *got[i])
	}
	d.tellFindings()
}

// materials are the texts of the best sources, in their order; snippets are none.
func (d *dimension) materials(ranked []rank.Candidate) []material {
	left := d.p.Task.Settings.Deep.Pages - d.out.Sources
	if d.out.Deepened {
		left = max(left, enoughSources)
	}
	var all []material
	at := map[evidence.SourceID]int{}
	for _, c := range ranked {
		if i, known := at[c.Source.ID]; known {
			all[i].passages = append(all[i].passages, c)
			continue
		}
		if c.Snippet || d.extracted[c.Source.ID] || len(all) >= left {
			continue
		}
		at[c.Source.ID] = len(all)
		all = append(all, material{source: c.Source, passages: []rank.Candidate{c}})
	}
	for i := range all {
		all[i].text = d.textOf(all[i])
		d.extracted[all[i].source.ID] = true
	}
	return all
}

// textOf is the page as it was read, or the passages found of a file.
func (d *dimension) textOf(m material) string {
	if doc, read := d.p.Search.Evidence.PageAt(m.source.Address); read && m.source.Kind != evidence.File {
		return plain.Cut(doc.Text, d.p.Task.Settings.Deep.PageChars)
	}
	texts := make([]string, len(m.passages))
	for i, c := range m.passages {
		texts[i] = c.Passage.Text
	}
	return plain.Cut(strings.Join(texts, "\n\n"), d.p.Task.Settings.Deep.PageChars)
}

// extractByModel asks the system model; nil when it gives nothing. The same page
// for the same subquestion is asked about once.
func (d *dimension) extractByModel(ctx context.Context, m material) *extraction {
	if d.p.Models.System.Model == nil || ctx.Err() != nil {
		return nil
	}
	name := recent.DigestOf(m.source.Digest, d.out.Question, d.p.Models.System.Name, prompts.Hash)
	if kept, ok := d.r.remembers.extractions.Get(name, d.p.Tell.Now(), keptExtraction); ok {
		return kept
	}
	const reply = 900
	text := evidence.WithoutOrders(m.text)
	if room := d.r.calls.Room(reply); llm.EstimateTokens(text) > room {
		text = calls.Fit(bestParts(m.passages, 4*room), room)
	}
	asked := "Question: " + d.out.Question + "\nTitle: " + plain.OneLine(evidence.WithoutOrders(m.source.Title), 200) + "\n\n" + calls.Quotation("Page", text)
	var x extraction
	if err := d.r.calls.Consult(ctx, calls.Request{Phase: phaseAnalyze, Purpose: "extract", Template: "deep_extract", Asked: asked, Schema: extractionSchema, Tokens: reply}, &x); err != nil {
		return nil
	}
	d.r.remembers.extractions.Put(name, d.p.Tell.Now(), &x)
	return &x
}

// bestParts are passages, best first, up to so many characters.
func bestParts(passages []rank.Candidate, n int) string {
	var parts []string
	for _, c := range passages {
		text := strings.TrimSpace(evidence.WithoutOrders(c.Passage.Text))
		if n -= utf8.RuneCountInString(text); n < 0 && len(parts) > 0 {
			break
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n")
}

// extractByRules quotes the sentences of a source that fit the subquestion best.
func (d *dimension) extractByRules(m material) *extraction {
	passages := make([]quote.Passage, min(len(m.passages), 8))
	best := 0.0
	for i := range passages {
		best = max(best, m.passages[i].Score.BM25)
	}
	for i := range passages {
		c := m.passages[i]
		passages[i] = quote.Passage{Digest: c.Source.Digest, Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text}
		if best > 0 {
			passages[i].BM = c.Score.BM25 / best
		}
	}
	result := quote.FindByWords(d.out.Question, passages, quote.Deps{Checker: d.p.Checker(), Parts: queries.Parts})
	if topic, cue := sides.Of(d.out.Question); cue != nil {
		result = quote.BearingOn(d.p.Checker(), topic, cue, passages)
	}
	x := &extraction{Relevant: result.State != quote.None}
	result.Sentences = d.r.subject.Only(result.Sentences, passages)
	x.Relevant = len(result.Sentences) > 0 && x.Relevant
	for _, s := range result.Sentences {
		if !s.Row && !quote.Dangles(s.Text) && sentences.States(s) {
			x.Quotes = append(x.Quotes, wholeWords(s.Text, quoteRunes))
		}
	}
	return x
}

// extractByScorer takes the sentences that the scorer considers, where no words of the
// subquestion told any: a text may answer in other words.
func (d *dimension) extractByScorer(ctx context.Context, ranked []rank.Candidate) {
	if d.r.vectors == nil || d.p.Models.System.Model != nil || sides.Is(d.r.code(), d.out.Question) {
		return
	}
	read := slices.DeleteFunc(slices.Clone(ranked), func(c rank.Candidate) bool { return c.Snippet })
	read = read[:min(len(read), report.MostEvidence)]
	passages := make([]quote.Passage, len(read))
	for i, c := range read {
		passages[i] = quote.Passage{ID: c.Passage.ID, Digest: c.Source.Digest, Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text, BM: c.Score.BM25 / max(1, read[0].Score.BM25)}
	}
	r := d.p.Quote(ctx, d.out.Question, passages)
	if r.Trace == nil {
		return
	}
	m := d.r.subject.Among(passages)
	for _, c := range r.Trace.Considered {
		s, ok := sentences.Placed(c, passages)
		if !ok || c.Row || c.Right < sentences.Likely || !m.Covers(s, passages) || !sentences.States(s) || quote.Dangles(s.Text) || len(d.out.Quotes) >= d.p.Task.Settings.Deep.Quotes {
			continue
		}
		from := read[s.Passage]
		d.relevant[from.Source.ID] = true
		d.out.Quotes = append(d.out.Quotes, contract.Excerpt{Text: wholeWords(s.Text, quoteRunes), Source: from.Source.ID, Passage: from.Passage.ID})
	}
	d.tellFindings()
}

// wholeWords cuts a text after a word.
func wholeWords(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	text = string([]rune(text)[:n])
	if at := strings.LastIndexFunc(text, unicode.IsSpace); at > 0 {
		text = text[:at]
	}
	return text
}

// takeOver adds what holds of an extraction: quotes that stand in the text word
// for word, facts that its passages state.
func (d *dimension) takeOver(m material, x extraction) {
	if !x.Relevant {
		return
	}
	d.relevant[m.source.ID] = true
	for _, said := range x.Quotes {
		if q, ok := m.quote(said); ok && len(d.out.Quotes) < d.p.Task.Settings.Deep.Quotes && !slices.ContainsFunc(d.out.Quotes, func(o contract.Excerpt) bool { return o.Text == q.Text }) {
			d.out.Quotes = append(d.out.Quotes, q)
		}
	}
	for _, said := range x.Facts {
		if f, ok := d.fact(m, said); ok && len(d.out.Facts) < d.p.Task.Settings.Deep.Facts && !slices.ContainsFunc(d.out.Facts, func(o contract.Fact) bool { return cite.Same(o.Text) == cite.Same(f.Text) }) {
			d.out.Facts = append(d.out.Facts, f)
			d.r.tellsOf(m.source, f)
		}
	}
}

// tellsOf notes that a fact tells of passages of a file: what is asked about it
// carries their text in other words.
func (r *research) tellsOf(source evidence.Source, f contract.Fact) {
	if source.Kind != evidence.File {
		return
	}
	for _, id := range f.Passages {
		r.p.Task.Taint.Tells(id, f.Text)
	}
}

// quote finds what a model quoted in the text. White space apart it must stand
// there word for word; the quote is what the text has.
func (m material) quote(said string) (contract.Excerpt, bool) {
	said = strings.Trim(strings.TrimSpace(strings.ToValidUTF8(said, "")), `"“”„«»`)
	span, ok := verbatim(m.text, said)
	if !ok || utf8.RuneCountInString(said) < 12 || utf8.RuneCountInString(m.text[span.Start:span.End]) > quoteRunes {
		return contract.Excerpt{}, false
	}
	q := contract.Excerpt{Text: m.text[span.Start:span.End], Source: m.source.ID}
	for _, c := range m.passages {
		if _, within := verbatim(c.Passage.Text, q.Text); within {
			q.Passage = c.Passage.ID
			return q, true
		}
	}
	begin := wholeWords(q.Text, 40) // it goes on in the next passage
	for _, c := range m.passages {
		if _, within := verbatim(c.Passage.Text, begin); within {
			q.Passage = c.Passage.ID
			return q, true
		}
	}
	return contract.Excerpt{}, false
}

// verbatim finds words in a text; runs of white space count as one blank.
func verbatim(text, words string) (evidence.Span, bool) {
	fields := strings.Fields(words)
	if len(fields) == 0 {
		return evidence.Span{}, false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], fields[0])
		if at < 0 {
			return evidence.Span{}, false
		}
		start := from + at
		if end, ok := follow(text, start, fields); ok {
			return evidence.Span{Start: start, End: end}, true
		}
		from = start + len(fields[0])
	}
}

// follow reads fields one after another from a place on and tells where they end.
func follow(text string, at int, fields []string) (end int, ok bool) {
	for i, field := range fields {
		if i > 0 {
			rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
			if len(rest) == len(text)-at {
				return 0, false
			}
			at = len(text) - len(rest)
		}
		if !strings.HasPrefix(text[at:], field) {
			return 0, false
		}
		at += len(field)
	}
	return at, true
}

// fact finds the passages of a source that state what a model took from it. What
// none states is not taken.
func (d *dimension) fact(m material, said string) (contract.Fact, bool) {
	said = strings.Trim(plain.OneLine(strings.ToValidUTF8(said, ""), 400), " -*•")
	if n := rank.CountWords(said); n < 3 || n > factWords || evidence.Instructs(said) {
		return contract.Fact{}, false
	}
	texts := make([]string, len(m.passages))
	order := make([]int, len(m.passages))
	for i, c := range m.passages {
		texts[i], order[i] = gather.RankText(c), i
	}
	scores := rank.NewBM25(texts).Scores(said)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	f := contract.Fact{Text: said, Source: m.source.ID}
	for _, at := range order[:min(len(order), factPassages)] {
		c := m.passages[at]
		if d.p.Checker().CheckRead(said, d.out.Question, d.p.Read(c.Passage)).Verdict == cite.Supported {
			f.Passages = append(f.Passages, c.Passage.ID)
		}
	}
	return f, len(f.Passages) > 0
}

// tellFindings publishes what was found; without facts, the quotes.
func (d *dimension) tellFindings() {
	for _, f := range d.out.Facts[min(d.told, len(d.out.Facts)):] {
		d.p.Tell.Emit(contract.Finding{Text: f.Text, Dimension: d.out.Question, Passages: f.Passages})
	}
	d.told = len(d.out.Facts)
	if d.told > 0 {
		return
	}
	for _, q := range d.out.Quotes[min(d.toldQuotes, len(d.out.Quotes)):] {
		d.p.Tell.Emit(contract.Finding{Text: q.Text, Dimension: d.out.Question, Passages: []evidence.PassageID{q.Passage}})
	}
	d.toldQuotes = len(d.out.Quotes)
}
