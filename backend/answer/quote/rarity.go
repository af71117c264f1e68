package quote

import (
	"cmp"
	"context"
	"math"
	"slices"

	"footnote/backend/answer/quote/copies"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// rarity weighs the words of a question by the candidates themselves: what all of
// them have tells none apart. In languages whose words the checker's table does
// not know it is the only weight there is.
type rarity struct {
	weights []float64 // of the question's terms
	sum     float64
}

// found is how well the words of a question were found, 0 to 1 each.
type found struct {
	alone []float64 // in the sentence
	with  []float64 // with its title and heading
}

// foundIn gives what a sentence has of the question's words; Candidates keeps it
// for those that it made.
func (q Query) foundIn(s Sentence, passages []Passage) found {
	if of := q.fileOf(s.Passage).forms; s.found.alone != nil {
		return found{alone: higher(s.found.alone, of), with: higher(s.found.with, of)}
	}
	alone := q.reached(q.checker.Terms(s.weighed()), q.fileOf(s.Passage))
	with := alone.or(q.reached(q.checker.Terms(titled(passages[s.Passage].Title, s.Heading)), reach{}))
	return found{alone: alone.forms, with: with.forms}
}

// newRarity weighs the terms of a question by how many candidates have them.
func (q Query) newRarity(all []Sentence) rarity {
	r := rarity{weights: make([]float64, len(q.terms))}
	for i := range q.terms {
		having := 0
		for _, s := range all {
			if s.found.alone[i] >= 0.5 {
				having++
			}
		}
		r.weights[i] = math.Log((float64(len(all)) + 1) / (float64(having) + 0.5))
		if q.asking[q.terms[i].Stem] {
			r.weights[i] = 0
		}
		r.sum += r.weights[i]
	}
	return r
}

// share is the share of the question's weight that was found.
func (r rarity) share(found []float64) float64 {
	if r.sum == 0 {
		return 0
	}
	sum := 0.0
	for i, w := range r.weights {
		sum += w * found[i]
	}
	return sum / r.sum
}

// heaviest is the weight of the heaviest term that was not found, by the
// heaviest of all.
func (r rarity) heaviest(found []float64) float64 {
	missing, most := 0.0, 0.0
	for i, w := range r.weights {
		most, missing = max(most, w), max(missing, w*(1-found[i]))
	}
	if most == 0 {
		return 0
	}
	return missing / most
}

// Weights of the order by rare words: of the passage's rank, and of what stands
// in the title or heading alone.
const (
	rarePassage = 0.3
	rareBeside  = 0.5
)

// inOrder are all candidates, rows and then sentences as they come, weighed by rare words.
func (q Query) inOrder(pool, rows []Sentence, passages []Passage) (byRules []candidate, r rarity) {
	all := slices.Concat(rows, pool)
	for i := range all {
		all[i].found = q.foundIn(all[i], passages)
	}
	r = q.newRarity(all)
	byRules = make([]candidate, len(all))
	for i, s := range all {
		c := candidate{Sentence: s, row: i < len(rows), byRules: i - len(rows)}
		c.rare, c.rareWith = r.share(s.found.alone), r.share(s.found.with)
		c.score = c.rare + rareBeside*(c.rareWith-c.rare) + rarePassage*passages[s.Passage].BM
		byRules[i] = c
	}
	near := neighbours(byRules)
	for i := range byRules {
		byRules[i].near = r.share(higher(byRules[i].found.with, near[byRules[i].place()])) - byRules[i].rareWith
	}
	return byRules, r
}

// shortlisted are the candidates that are scored: rows by their labels, sentences
// that say what the term is whose meaning is asked for, then in turn the best by
// rules, the best by rare words, the next of the nearest stretches and the best of the
// next passage, at most so many besides the rows. Sentences that share words of the question crowd in one passage:
// the others are found by what they mean, and each is heard.
// pool is best first by rules; ranks are the places by rare words.
func (q Query) shortlisted(pool, rows []Sentence, passages []Passage, windows [][]rank.Window, most int) (chosen []candidate, _ rarity) {
	byRules, r := q.inOrder(pool, rows, passages)
	byRare := slices.Clone(byRules)
	slices.SortStableFunc(byRare, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for i := range byRare {
		byRare[i].byRare = i
	}
	at := map[place]int{}
	for i, c := range byRare {
		at[c.at()] = i
	}
	seen, copied := map[place]bool{}, copies.Of{}
	add := func(c candidate) {
		if !seen[c.at()] && (c.Row || copied.First(c.Text, c.N)) {
			seen[c.at()] = true
			chosen = append(chosen, byRare[at[c.at()]])
		}
	}
	for _, c := range byRules[:len(rows)] {
		add(c)
	}
	most += len(chosen)
	of, byWindow := bestOfPassages(byRare, passages), nearest(byRare, windows)
	if q.abroad(passages) {
		most += most / 2
		for _, best := range of {
			for _, c := range byRules[len(rows):] {
				if c.Passage == best.Passage && len(chosen) < most {
					add(c)
				}
			}
		}
	}
	for _, c := range byRare {
		if len(chosen) < most/2 && q.defines(c.Sentence) {
			add(c)
		}
	}
	for i := 0; i < len(byRules) && len(chosen) < most; i++ {
		if i+len(rows) < len(byRules) {
			add(byRules[i+len(rows)])
		}
		if len(chosen) < most {
			add(byRare[i])
		}
		if len(chosen) < most && i < len(byWindow) {
			add(byWindow[i])
		}
		if len(chosen) < most && i < len(of) {
			add(of[i])
		}
	}
	for _, c := range byRare {
		if !c.Row {
			copied.First(c.Text, c.N)
		}
	}
	for i, c := range chosen {
		if !c.Row {
			chosen[i].Also = copied.Others(c.Text, c.N)
		}
	}
	return chosen, r
}

// windows are the stretches of passages that the sentence encoder knows.
func (q Query) windows(ctx context.Context, passages []Passage, of Windows) [][]rank.Window {
	if of == nil {
		return make([][]rank.Window, len(passages))
	}
	texts := make([]rank.Text, len(passages))
	for i, p := range passages {
		texts[i] = p.Encoded
	}
	return of.Windows(ctx, q.text, texts)
}

// nearest are the candidates in the nearest stretches, and of each in the order given.
func nearest(inOrder []candidate, windows [][]rank.Window) (best []candidate) {
	near := map[place]float64{}
	for _, c := range inOrder {
		for start, w := 0, windows[c.Passage]; len(w) > 0 && start < c.Span.End; start, w = w[0].End, w[1:] {
			if at, seen := near[c.at()]; w[0].End > c.Span.Start && (!seen || w[0].Near > at) {
				near[c.at()] = w[0].Near
			}
		}
		if _, known := near[c.at()]; known {
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(near[b.at()], near[a.at()]) })
	return best
}

// abroad reports whether no passage is in the language of the question, and most are in
// others. Its words are in none of them then, and passages are found by what they mean.
func (q Query) abroad(passages []Passage) bool {
	own, others := lang.Detect(q.text), 0
	for _, p := range passages {
		switch lang.Detect(p.Text) {
		case own:
			return false
		case lang.Unknown:
		default:
			others++
		}
	}
	return own != lang.Unknown && 2*others > len(passages)
}

// bestOfPassages are the first candidate of each passage, that of the passage which
// fits the question best first.
func bestOfPassages(inOrder []candidate, passages []Passage) (best []candidate) {
	seen := map[int]bool{}
	for _, c := range inOrder {
		if !seen[c.Passage] {
			seen[c.Passage] = true
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(passages[b.Passage].S2, passages[a.Passage].S2) })
	return best
}

// candidate is a sentence or row with its places in the orders that found it.
type candidate struct {
	Sentence
	row            bool // found by its label
	byRules        int  // place by rules; below 0 for a row found by its label
	byRare         int  // place by rare words
	score          float64
	rare, rareWith float64 // share by rare words in the sentence, and with title and heading
	near           float64 // what the sentences around it add
}

// order is the place of a sentence among those of its passage.
type order struct{ passage, at int }

func (c candidate) place() order { return order{c.Passage, c.Order} }

// neighbours gives what the sentences before and behind each place have.
func neighbours(all []candidate) map[order][]float64 {
	of := map[order][]float64{}
	for _, c := range all {
		if !c.row {
			of[c.place()] = c.found.alone
		}
	}
	out := map[order][]float64{}
	for _, c := range all {
		p := c.place()
		out[p] = higher(higher(c.found.alone, of[order{p.passage, p.at - 1}]), of[order{p.passage, p.at + 1}])
	}
	return out
}

// defines reports whether a sentence says what the term is whose meaning is asked for,
// or is the first one under a heading that is the term.
func (q Query) defines(s Sentence) bool {
	return q.meaning != nil && (q.meaning.SaidBy(s.weighed()) || s.Under == 0 && q.meaning.OpenedBy(s.Heading))
}
