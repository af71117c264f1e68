package check

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// withdraw takes the markers out of the text whose passages do not bear their
// claims, when the settings want that; otherwise they are only marked. The rest
// of the text stays as it is.
func (x *Examiner) withdraw(text string, bindings []binding) (string, []binding) {
	if x.Task.Settings.Cite.Unsupported != "withdraw" {
		return text, bindings
	}
	var cuts []evidence.Span
	var kept []binding
	for _, b := range bindings {
		if v := b.verdict(); v != contract.NotFound && v != contract.Contradicted {
			kept = append(kept, b)
			continue
		}
		for _, m := range b.claim.At {
			if m.N == b.n {
				cuts = append(cuts, m.Span)
				x.Tell.Emit(contract.Dropped{Marker: text[m.Span.Start:m.Span.End], At: utf8.RuneCountInString(text[:m.Span.Start]), Reason: "unsupported"})
			}
		}
	}
	return without(text, cuts, kept)
}

// Unborne are the sentences with a claim that none of its passages bears, or has the numbers of. Where claim and
// passage are not both in English only those that a passage contradicts: there the checker
// goes by words alone, and does not find a paraphrase either.
func (x *Examiner) Unborne(ctx context.Context, text string) (all []evidence.Span) {
	bindings := x.bindings(text)
	x.judgeByEncoder(ctx, bindings)
	x.holdQuotes(text, bindings)
	reads := lang.Detect(text) == lang.English
	for at := 0; at < len(bindings); {
		claim, borne := bindings[at].claim, false
		for ; at < len(bindings) && bindings[at].claim.Sentence == claim.Sentence; at++ {
			b := &bindings[at]
			found := b.verdict() != contract.NotFound || !reads || b.passage == nil || lang.Detect(b.passage.Passage.Text) != lang.English
			borne = borne || b.verdict() != contract.Contradicted && found && !lacksNumber(b.finding)
		}
		if !borne && (len(all) == 0 || all[len(all)-1] != claim.Whole) {
			all = append(all, claim.Whole)
		}
	}
	return all
}

// lacksNumber reports whether the passage has not every number of a claim.
func lacksNumber(f cite.Finding) bool {
	return f.Verdict == cite.Partly && slices.ContainsFunc(f.InClaim, func(said string) bool { return strings.ContainsFunc(said, unicode.IsDigit) })
}

// without cuts spans out of a text, each with the space before it, and moves the
// claims along.
func without(text string, cuts []evidence.Span, bindings []binding) (string, []binding) {
	slices.SortFunc(cuts, func(a, b evidence.Span) int { return a.Start - b.Start })
	var out strings.Builder
	at := 0
	for i := range cuts {
		if cuts[i].Start > at && text[cuts[i].Start-1] == ' ' {
			cuts[i].Start--
		}
		out.WriteString(text[at:cuts[i].Start])
		at = cuts[i].End
	}
	out.WriteString(text[at:])
	moved := func(offset int) int {
		gone := 0
		for _, c := range cuts {
			gone += min(max(0, offset-c.Start), c.End-c.Start)
		}
		return offset - gone
	}
	shift := func(s evidence.Span) evidence.Span { return evidence.Span{Start: moved(s.Start), End: moved(s.End)} }
	for i := range bindings {
		c := &bindings[i].claim
		c.Sentence, c.Whole, c.At = shift(c.Sentence), shift(c.Whole), slices.Clone(c.At)
		for k := range c.At {
			c.At[k] = cite.MarkerAt{N: c.At[k].N, Span: shift(c.At[k].Span)}
		}
	}
	return out.String(), bindings
}
