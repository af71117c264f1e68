package check

import (
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// citedProof is the citation of a row that the answer tells: the row as it stands
// proves it, and the heads of its columns were put to it by code. So is that of a
// counted file and of a sentence of several clauses. text ends with what is cited, of
// which the last sentence begins at a byte.
func (x *Examiner) citedProof(text string, last, n int) (contract.Citation, bool) {
	if x.Selection.Proofs != nil {
		return x.citedMention(n)
	}
	if x.Selection.Quotation == nil {
		return contract.Citation{}, false
	}
	s, ok := x.Selection.Quotation.Proof(text, last, n)
	if !ok {
		return contract.Citation{}, false
	}
	c := x.Selection.Chosen[s.Passage]
	at := contract.RangeIn(c.Passage.Text, s.Span.Start, s.Span.End)
	return contract.Citation{
		Marker: n, Passage: c.Passage.ID, Source: c.Source.ID, Quote: contract.Quoted{Start: at.Start, End: at.End, Text: s.Text},
		Highlight: []contract.Range{at}, Verdict: contract.QuotedIn,
	}, true
}

// citedMention is the citation of a counted file: the sentence of its first
// place, which proves that it has the words. The figures were counted, not read.
func (x *Examiner) citedMention(n int) (contract.Citation, bool) {
	in, ok := x.Selection.Proofs[n]
	if !ok {
		return contract.Citation{}, false
	}
	body := in.Passage.Text
	whole := in.At
	for _, s := range evidence.Sentences(body) {
		if s.Start <= in.At.Start && in.At.End <= s.End {
			whole = s
		}
	}
	quote, mark := contract.RangeIn(body, whole.Start, whole.End), contract.RangeIn(body, in.At.Start, in.At.End)
	verdict := contract.Supported
	if in.Times == 0 { // listed, not counted: the file begins like this
		verdict = contract.QuotedIn
	}
	return contract.Citation{
		Marker: n, Passage: in.Passage.ID, Source: in.Source.ID, Quote: contract.Quoted{Start: quote.Start, End: quote.End, Text: body[whole.Start:whole.End]},
		Highlight: []contract.Range{mark}, Verdict: verdict,
	}, true
}
