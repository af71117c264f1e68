package report

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
	"footnote/backend/research/figures"
	"footnote/backend/research/headings"
	"footnote/backend/research/sentences"
	"footnote/backend/research/sides"
	"footnote/backend/research/subject"
)

// finding is a sentence about the subject, with the heading it belongs under.
type finding struct {
	quote.Sentence
	before  []quote.Sentence // what it cannot be understood without
	source  evidence.Source
	passage evidence.PassageID
	likely  headings.Headed
	bare    []float32 // the vector of what it says, names and numbers left out
	said    figures.Statement
	full    string   // its text, with the subject named
	year    int      // of its source; 0 when unknown
	newer   *finding // what says the same anew with another figure
	also    []int    // further sources that say it word for word
}

// mostFindings of a report are told apart.
const mostFindings = 200

// sortFindings tells the sentences about the subject apart by headings, and which of
// them others replace; none where nothing can tell them.
func (w *reporter) sortFindings(ctx context.Context) {
	if w.Vectors == nil {
		return
	}
	all := w.findings()
	texts := make([]string, len(all))
	for i, f := range all {
		texts[i] = f.full
	}
	vectors, err := headings.BareVectors(ctx, w.Vectors, texts)
	if err != nil {
		w.Pipeline.Tell.Log.Warn("findings were not told apart by headings", "err", err)
		return
	}
	for i := range all {
		all[i].bare, all[i].likely = vectors[i], headings.Shipped().Of(all[i].full, vectors[i])
	}
	all = w.withoutLicences(all)
	slices.SortStableFunc(all, func(a, b *finding) int { return cmp.Compare(slices.Max(b.likely[:]), slices.Max(a.likely[:])) })
	w.found = all
	w.compare(ctx)
}

// findings are the sentences of all evidence that are about the subject, each once.
func (w *reporter) findings() (all []*finding) {
	candidates := w.allEvidence()
	passages := w.quotable(w.Study.Topic, candidates)
	said, _ := quote.NewQuery(w.Pipeline.Checker(), w.Study.Topic).Candidates(passages)
	m, seen := w.Subject.Among(passages), map[string]*finding{}
	for _, s := range w.Subject.Only(said, passages) {
		s = sentences.WithRemark(sentences.WithoutMark(s), passages[s.Passage].Text)
		key, c := sentences.Key(s.Text), candidates[s.Passage]
		if first := seen[key]; first != nil && first.N != s.N && !slices.Contains(first.also, s.N) {
			first.also = append(first.also, s.N)
		}
		if seen[key] != nil || s.Row || !sentences.States(s) || sentences.Fragment(s, passages[s.Passage].Text) || sentences.Breaks(s.Text) || !m.Named(s.Text) && answersAsked(s, passages[s.Passage]) {
			continue
		}
		whole := inContext(m, s, passages)
		if len(whole) == 0 {
			continue
		}
		full := m.InFull(s, passages, w.Study.Topic)
		seen[key] = &finding{full: full, Sentence: s, before: whole[:len(whole)-1], source: c.Source, passage: c.Passage.ID, year: w.Subject.Year(c), said: figures.Read(full, m.Words())}
		all = append(all, seen[key])
	}
	return w.weightiest(onceEach(withoutForms(all)))
}

// inContext is a sentence behind what it cannot be understood without: the sentence before it,
// where that can be, in the paragraph before too, as some write one to a paragraph. None for
// one that hangs in the air.
func inContext(m subject.Matter, s quote.Sentence, passages []quote.Passage) []quote.Sentence {
	if m.Upright(s, passages) {
		return []quote.Sentence{s}
	}
	whole := quote.Readable([]quote.Sentence{s}, passages, func(string) bool { return false })
	if len(whole) == 0 {
		text := passages[s.Passage].Text
		before := evidence.WholeSentences(text[:s.Span.Start])
		if len(before) == 0 {
			return nil
		}
		last := before[len(before)-1]
		lead := quote.Sentence{Passage: s.Passage, N: s.N, Order: s.Order - 1, Span: last, Text: text[last.Start:last.End]}
		if strings.Count(text[last.End:s.Span.Start], "\n") > 2 || !sentences.Ends(lead.Text) || !sentences.States(lead) || quote.Dangles(lead.Text) {
			return nil
		}
		whole = []quote.Sentence{lead, s}
	}
	for i := range whole[:len(whole)-1] {
		whole[i] = sentences.WithoutMark(whole[i])
	}
	return whole
}

// answersAsked reports whether a sentence is the first below a question: what it says is an
// answer to that, and nothing by itself.
func answersAsked(s quote.Sentence, p quote.Passage) bool {
	before := strings.TrimSpace(p.Text[:s.Span.Start])
	return strings.HasSuffix(before, "?") || before == "" && strings.HasSuffix(strings.TrimSpace(p.Title), "?")
}

// onceEach leaves out findings that say almost in the words of an earlier one the same; it
// is told their sources.
func onceEach(all []*finding) (some []*finding) {
	texts := make([]string, len(all))
	for i, f := range all {
		texts[i] = f.Text
	}
	for i, first := range rank.Twins(texts) {
		f := all[i]
		if first == i {
			some = append(some, f)
			continue
		}
		for _, n := range append([]int{f.N}, f.also...) {
			if n != all[first].N && !slices.Contains(all[first].also, n) {
				all[first].also = append(all[first].also, n)
			}
		}
	}
	return some
}

// weightiest are as many findings as are told apart, in their order: those that have most
// of what due diligence asks for, else the first.
func (w *reporter) weightiest(all []*finding) []*finding {
	if len(all) <= mostFindings {
		return all
	}
	if w.Pipeline.Task.Question.SubMode != contract.DueDiligence {
		return all[:mostFindings]
	}
	texts, order := make([]string, len(all)), make([]int, len(all))
	for i, f := range all {
		texts[i], order[i] = f.Text, i
	}
	scores := rank.NewBM25(texts).Scores(strings.Join(append(sides.Against(w.code()), sides.About(w.code())...), " "))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	order = order[:mostFindings]
	slices.Sort(order)
	some := make([]*finding, len(order))
	for i, at := range order {
		some[i] = all[at]
	}
	return some
}

// underAsked quotes the findings under the heading that a question asks for, in any
// language; empty where it asks for none, or none were told apart.
func (w *reporter) underAsked(ctx context.Context, question string) string {
	if len(w.found) == 0 {
		return ""
	}
	heading, err := w.Asked.Of(ctx, w.Vectors, question)
	if parts := queries.Parts(question); err == nil && heading == headings.Other && len(parts) > 1 { // of two things that are asked the first is looked for
		heading, err = w.Asked.Of(ctx, w.Vectors, parts[0])
	}
	if err != nil {
		w.Pipeline.Tell.Log.Warn("which heading a question asks for was not told", "err", err)
	}
	if err != nil || heading == headings.Other {
		return ""
	}
	for _, f := range w.under(heading) {
		w.hasSaid(append(slices.Clone(f.before), f.Sentence))
	}
	return w.underHeading(heading)
}

// quoted is a finding with the footnotes of all sources that say it.
func (f *finding) quoted() string {
	text := quote.Result{Sentences: append(slices.Clone(f.before), f.Sentence)}.Quotations()
	for _, n := range f.also {
		text += " [" + strconv.Itoa(n) + "]"
	}
	return text
}

// heading is where a finding belongs: what speaks against the subject before all.
// Figures have numbers in them, and people names, where capital letters tell those.
func (f *finding) heading() string {
	likely := f.likely
	if !strings.ContainsFunc(f.Text, unicode.IsDigit) {
		likely[slices.Index(headings.All, headings.Figures)] = 0
	}
	if len(f.said.Names) == 0 && lang.Detect(f.Text).NamesByCapitals() {
		likely[slices.Index(headings.All, headings.People)] = 0
	}
	return likely.Heading()
}

// bears reports whether a finding stands under a heading, or would if it did not speak
// against the subject.
func (f *finding) bears(heading string) bool {
	if f.newer != nil {
		return false
	}
	left := 1 - f.likely.Of(headings.Risks) - f.likely.Of(headings.Weaknesses)
	return f.heading() == heading || f.heading() == headings.Risks && slices.Contains(matters, heading) && f.likely.Of(heading) >= alsoBears*left
}

// matters are the headings that say what a sentence is of, not how it speaks.
var matters = []string{headings.Security, headings.Licence, headings.Figures, headings.Timeline, headings.People, headings.Competitors}

const alsoBears = 0.2 // of what is left beside risks and weaknesses, from which a risk is of another heading too

// under are the findings of a heading that nothing replaces, the surest first.
func (w *reporter) under(heading string) (all []*finding) {
	for _, f := range w.found {
		if f.newer == nil && f.heading() == heading {
			all = append(all, f)
		}
	}
	all = withoutLeads(all, w.found, heading)
	slices.SortStableFunc(all, func(a, b *finding) int { return cmp.Compare(b.likely.Of(heading), a.likely.Of(heading)) })
	return all
}

// withoutLeads leaves out findings of a heading that another one is shown behind; those that
// speak against the subject only where that stands there too.
func withoutLeads(all, found []*finding, heading string) []*finding {
	against := heading == headings.Risks || heading == headings.Weaknesses
	leads := map[string]bool{}
	for _, f := range found {
		if of := f.heading(); f.newer != nil || of == headings.Other || against && of != heading {
			continue
		}
		for _, s := range f.before {
			leads[sentences.Key(s.Text)] = true
		}
	}
	return slices.DeleteFunc(all, func(f *finding) bool { return leads[sentences.Key(f.Text)] })
}

// fewestOfForm are sources that say a sentence with other dates each, from which it
// belongs to the form that they fill in.
const fewestOfForm = 3

// withoutForms leaves out the sentences that several sources say alike but for their
// own dates, as declarations at the end of filings.
func withoutForms(all []*finding) []*finding {
	sources := map[string]map[string]int{} // by form, by wording: a source that says it
	for _, f := range all {
		key := sentences.Form(f.Text)
		if sources[key] == nil {
			sources[key] = map[string]int{}
		}
		sources[key][sentences.Key(f.Text)] = f.N
	}
	return slices.DeleteFunc(all, func(f *finding) bool { return len(sources[sentences.Form(f.Text)]) >= fewestOfForm })
}
