package check

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// claimsCompared bounds how many claims of an answer are held against the other
// sources.
const claimsCompared = 40

// compareSources finds the claims that one source supports and another one says
// otherwise: another number or date, or a no for a yes. Each claim is told once,
// with what every source says.
func (x *Examiner) compareSources(ctx context.Context, bindings []binding) []contract.Disagreement {
	if q := x.Selection.Quotation; q != nil && q.Sides {
		return nil
	}
	var all []contract.Disagreement
	told := map[string]bool{}
	f := newFramer(x.Plan.Standalone)
	for _, b := range bindings {
		if b.passage == nil || b.finding.Verdict != cite.Supported || told[b.claim.Text] || len(told) == claimsCompared {
			continue
		}
		told[b.claim.Text] = true
		sides := x.otherSides(b, f)
		if len(sides) < 2 {
			sides = x.framedSides(b, f)
		}
		if sides = x.ofOneTime(ctx, sides); len(sides) > 1 && !sameSides(all, sides) {
			all = append(all, contract.Disagreement{Claim: b.claim.Text, Sides: sides})
		}
	}
	if d, ok := x.otherAnswers(); ok && len(all) == 0 {
		if d.Sides = x.ofOneTime(ctx, d.Sides); len(d.Sides) > 1 {
			all = append(all, d)
		}
	}
	return all
}

// A sentence counts as what its source says to the question when it is this likely
// the answer, when the cross-encoder, which reads each by itself, is this sure
// (log-odds), or where that does not read, when it is hardly further from the question
// in meaning than the best one: how likely it is falls with every other sentence that
// answers as well.
const (
	likelyAnswer = 0.25
	readAsAnswer = 3
	nearAsBest   = 0.03
)

// answersAlone reports whether a sentence answers as well as the best one does.
func answersAlone(said, best quote.Considered) bool {
	if said.Right >= likelyAnswer || said.LogOdds >= readAsAnswer {
		return true
	}
	return best.LogOdds == 0 && said.Near > 0 && said.Near >= best.Near-nearAsBest
}

// otherAnswers holds what each source answers, without a model, against what the
// best one does: another name, time or amount where the question asks for one.
func (x *Examiner) otherAnswers() (d contract.Disagreement, ok bool) {
	q := x.Selection.Quotation
	if q == nil || q.Trace == nil || len(q.Trace.Considered) == 0 || q.State != quote.Answer && q.Trace.Considered[0].LogOdds < readAsAnswer || len(queries.Parts(x.Plan.Standalone)) > 1 { // of two things asked, the values differ
		return d, false
	}
	byPassage := map[evidence.PassageID]rank.Candidate{}
	for _, c := range x.Binder.Citable() {
		byPassage[c.Passage.ID] = c
	}
	var heard []evidence.SourceID
	var values []answertype.Value
	numbers := numbersIn(x.Plan.Standalone)
	for _, said := range q.Trace.Considered {
		c, known := byPassage[said.Passage]
		if !known || c.Snippet || said.Row || !answersAlone(said, q.Trace.Considered[0]) || slices.Contains(heard, c.Source.ID) {
			continue
		}
		numbers = slices.DeleteFunc(numbers, func(n string) bool { return len(d.Sides) == 0 && !slices.Contains(numbersIn(said.Text), n) })
		if slices.ContainsFunc(numbers, func(n string) bool { return !slices.Contains(numbersIn(said.Text), n) }) {
			continue // it tells of another year or version than the best one
		}
		heard = append(heard, c.Source.ID)
		v, found := answertype.ValueOf(x.Deps.Checker, x.Plan.Standalone, said.Text)
		if !c.Source.Published.IsZero() {
			v = v.ToldIn(c.Source.Published.Year())
		}
		at := strings.Index(c.Passage.Text, said.Text)
		if !found || at < 0 || slices.ContainsFunc(values, func(o answertype.Value) bool { return !v.Differs(o) }) {
			continue
		}
		values = append(values, v)
		d.Sides = append(d.Sides, sideOf(c, v.Text, evidence.Span{Start: at, End: at + len(said.Text)}))
		if d.Claim == "" {
			d.Claim = plain.OneLine(said.Text, 400)
		}
	}
	return d, len(d.Sides) > 1
}

// numbersIn are the words of a text that have digits.
func numbersIn(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"“”", r) })
	for i, w := range words {
		words[i] = strings.TrimRight(w, ".")
	}
	return slices.DeleteFunc(words, func(w string) bool { return !hasDigit(w) })
}

// otherSides is what the source of a claim and those that differ say, the
// claim's own first; the others with the passage that differs.
func (x *Examiner) otherSides(b binding, f *framer) []contract.Side {
	quoted := b.passage.Passage.Text[b.finding.Quote.Start:b.finding.Quote.End]
	heard := []evidence.SourceID{b.passage.Source.ID}
	var own string
	var sides []contract.Side
	for _, c := range x.Binder.Citable() {
		if c.Snippet || slices.Contains(heard, c.Source.ID) {
			continue
		}
		d, ok := x.Deps.Checker.Dispute(b.claim.Text, x.Binder.Read(c.Passage))
		if !ok || d.Kind == cite.DisputedName && otherLanguage(b.passage.Passage.Text, c.Passage.Text) || f.otherThing(quoted, c.Passage.Text[d.Span.Start:d.Span.End]) {
			continue
		}
		heard = append(heard, c.Source.ID)
		own = cmp.Or(own, d.Claim)
		sides = append(sides, sideOf(c, d.Passage, d.Span))
	}
	return append([]contract.Side{sideOf(*b.passage, own, b.finding.Quote)}, sides...)
}

// otherLanguage reports whether two texts are in different languages: there every
// word is another one.
func otherLanguage(a, b string) bool {
	one, other := lang.Detect(a), lang.Detect(b)
	return one != lang.Unknown && other != lang.Unknown && one != other
}

func sideOf(c rank.Candidate, value string, at evidence.Span) contract.Side {
	date := cmp.Or(versions.Date(versions.Of(c.Source.Address, c.Source.Title)), gather.DateOf(c.Source.Published), gather.DateOf(c.Score.Changed), gather.DateOf(c.Source.Seen))
	return contract.Side{Source: c.Source.ID, Value: value, Date: date, Passage: c.Passage.ID, Quote: plain.OneLine(c.Passage.Text[at.Start:at.End], 400)}
}

// sameSides reports whether another claim told the same values of the same
// sources: where both are quoted, each says what the other one has.
func sameSides(all []contract.Disagreement, sides []contract.Side) bool {
	return slices.ContainsFunc(all, func(d contract.Disagreement) bool {
		return len(d.Sides) == len(sides) && !slices.ContainsFunc(sides, func(b contract.Side) bool {
			return !slices.ContainsFunc(d.Sides, func(a contract.Side) bool { return a.Source == b.Source && a.Value == b.Value })
		})
	})
}
