package cite

import "unicode/utf8"

// Limits from which two sentences are one, edited.
const (
	editedFrom  = 0.72 // share of the words of the longer one that both have in the same order
	fewestAlike = 5    // such words
	longestEdit = 6    // words that stand in the place of others
)

// edit is a run of words of the claim and what a sentence has in its place.
type edit struct{ from, to, at, end int }

// disputedWording finds a sentence that is the claim but for a name in the place of
// another, or for a word that denies it: one text was made from the other.
func (p *pair) disputedWording(passage *Passage) (d Dispute, ok bool) {
	for j := range p.sentences {
		s := &p.sentences[j]
		edits, alike := editsOf(&p.claim, s)
		longer := max(len(p.claim.tokens), len(s.tokens))
		if alike == longer { // the passage says it too
			return Dispute{}, false
		}
		if ok || alike < fewestAlike || float64(alike) < editedFrom*float64(longer) || !p.sameTime(s) {
			continue
		}
		if d, ok = p.renamed(s, edits); !ok {
			d, ok = p.denied(s, edits)
		}
		d.Span = passage.spans[j]
	}
	return d, ok
}

// editsOf compares two sentences word by word: where they differ, and how many
// words they share in one order.
func editsOf(a, b *sentence) (edits []edit, alike int) {
	n, m := len(a.tokens), len(b.tokens)
	common := make([][]int, n+1)
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); a.tokens[i].lower == b.tokens[k].lower {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	last := edit{}
	for i, k := 0, 0; i < n || k < m; {
		switch {
		case i < n && k < m && a.tokens[i].lower == b.tokens[k].lower:
			if i > last.from || k > last.at {
				edits = append(edits, edit{last.from, i, last.at, k})
			}
			i, k = i+1, k+1
			last = edit{from: i, at: k}
		case k == m || i < n && common[i+1][k] >= common[i][k+1]:
			i++
		default:
			k++
		}
	}
	if last.from < n || last.at < m {
		edits = append(edits, edit{last.from, n, last.at, m})
	}
	return edits, common[0][0]
}

// renamed finds the one edit that puts names in the place of names.
func (p *pair) renamed(s *sentence, edits []edit) (d Dispute, ok bool) {
	for _, e := range edits {
		if e.from == e.to || e.at == e.end || e.to-e.from > longestEdit || e.end-e.at > longestEdit {
			continue
		}
		if ok = !ok && p.otherNames(s, e); !ok {
			return Dispute{}, false
		}
		d = Dispute{Kind: DisputedName, Claim: p.claim.run(e.from, e.to), Passage: s.run(e.at, e.end)}
	}
	return d, ok
}

// otherNames reports whether both sides of an edit are names, and none of the one
// stands in the other sentence.
func (p *pair) otherNames(s *sentence, e edit) bool {
	return onlyNames(&p.claim, e.from, e.to, s) && onlyNames(s, e.at, e.end, &p.claim)
}

func onlyNames(s *sentence, from, to int, other *sentence) bool {
	for i := from; i < to; i++ {
		t := &s.tokens[i]
		initial := utf8.RuneCountInString(t.text) == 1
		if t.number() || initial || !t.stop && (!capitalised(t.text) || hasStem(other, t.stem)) {
			return false
		}
	}
	return from < to && !s.tokens[from].stop
}

// denied finds the one edit that only adds or takes away a word that denies.
func (p *pair) denied(s *sentence, edits []edit) (d Dispute, ok bool) {
	for _, e := range edits {
		here, there := denials(&p.claim, e.from, e.to), denials(s, e.at, e.end)
		if here == there {
			if content(&p.claim, e.from, e.to)+content(s, e.at, e.end) > 1 {
				return Dispute{}, false
			}
			continue
		}
		if ok = !ok && here+there == 1 && content(&p.claim, e.from, e.to)+content(s, e.at, e.end) == 0; !ok {
			return Dispute{}, false
		}
		d = Dispute{Kind: DisputedNegation, Claim: p.claim.run(max(0, e.from-1), min(len(p.claim.tokens), e.to+1)), Passage: s.run(max(0, e.at-1), min(len(s.tokens), e.end+1))}
	}
	return d, ok
}

// denials counts the words of a run that negate a statement.
func denials(s *sentence, from, to int) (n int) {
	for _, i := range realNegators(s) {
		if i >= from && i < to {
			n++
		}
	}
	return n
}

// content counts the words of meaning of a run.
func content(s *sentence, from, to int) (n int) {
	for i := from; i < to; i++ {
		if t := &s.tokens[i]; !t.stop && !t.negator {
			n++
		}
	}
	return n
}

// run is what stands from one token up to another, as it is written.
func (s *sentence) run(from, to int) string {
	return s.text[s.tokens[from].start:s.tokens[to-1].end]
}
