package quote

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/quote/rowcache"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// A list is quoted whole where a way to do something is asked for, and behind the
// sentence that leads to it, up to so many characters: half of the steps are no way,
// and "The following formats can be read:" is no answer.
const stepsRunes = 2_400

// holds reports whether a sentence of a passage stands in a list.
func holds(l rowcache.List, s Sentence, p Passage) bool {
	at := p.Start + utf8.RuneCountInString(p.Text[:s.Span.Start])
	return l[0].Start <= at && at < l[len(l)-1].End
}

// follows reports whether a list begins right behind a sentence of a passage, or
// behind the paragraph that the sentence opens under the same heading.
func follows(l rowcache.List, s Sentence, p Passage, all []statements.Statement) bool {
	at := l[0].Start - p.Start
	if at < 0 || at >= utf8.RuneCountInString(p.Text) {
		return false
	}
	start := len(string([]rune(p.Text)[:at]))
	first := slices.IndexFunc(all, func(o statements.Statement) bool { return o.End > start })
	return first > s.Order && s.Order < len(all) && all[first].Under == all[s.Order].Under && !strings.Contains(p.Text[s.Span.End:start], "\n\n\n") && first-s.Order <= leadReach
}

// withSteps puts the whole list in the place of the sentence that leads to it and,
// where a way to do something is asked for, of a sentence of it; what leads to the
// list stands before it. ok is false where the best sentence belongs to no list.
func (q Query) withSteps(r Result, passages []Passage, known *RowCache) (Result, bool) {
	if r.State == None || len(r.Sentences) == 0 || known == nil {
		return r, false
	}
	best := r.Sentences[0]
	if !endsWithColon(best.Text) && lang.AsksFor(q.text) != lang.Manner {
		return r, false
	}
	p := passages[best.Passage]
	all := statements.Of(p.Text)
	lists := known.Lists(p.Digest)
	at := slices.IndexFunc(lists, func(l rowcache.List) bool { return holds(l, best, p) || follows(l, best, p, all) })
	if at < 0 {
		return r, false
	}
	steps := stepsOf(lists[at], best, passages)
	if len(steps) < 2 {
		return r, false
	}
	steps[0].Score, steps[0].Also = best.Score, best.Also
	r.Sentences = steps
	return r, true
}

// stepsOf are the sentences of a list, with the one that leads to it and the best
// one where that stands before it, as far as the passages have it.
func stepsOf(l rowcache.List, best Sentence, passages []Passage) (steps []Sentence) {
	runes := 0
	for _, i := range inTextOrder(passages[best.Passage].Digest, passages) {
		p := passages[i]
		all := statements.Of(p.Text)
		for order, s := range all {
			one := Sentence{Passage: i, N: p.N, Heading: best.Heading}.replacedBy(all, order, p.Text)
			if s.Row || !holds(l, one, p) && !leads(one, best, l, p, all) {
				continue
			}
			if runes += utf8.RuneCountInString(one.Text); runes > stepsRunes {
				return steps
			}
			one.apart = slices.ContainsFunc(l, func(item evidence.Span) bool {
				return near(item.Start, p.Start+utf8.RuneCountInString(p.Text[:s.Start]))
			})
			steps = append(steps, one)
		}
	}
	return steps
}

// near reports whether a sentence begins where an item does: behind its number or
// bullet.
func near(item, sentence int) bool { return item <= sentence && sentence-item <= 6 }

// leads reports whether a sentence stands before a list and belongs to it: it is the
// best one, or ends with a colon right before the first item.
func leads(s, best Sentence, l rowcache.List, p Passage, all []statements.Statement) bool {
	if s.at() == best.at() {
		return true
	}
	return endsWithColon(s.Text) && follows(l, s, p, all) && s.Order+1 < len(all) && holds(l, s.replacedBy(all, s.Order+1, p.Text), p)
}

// inTextOrder are the passages of one text as they stand in it.
func inTextOrder(digest string, passages []Passage) (order []int) {
	for i, p := range passages {
		if p.Digest == digest {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return passages[a].Start - passages[b].Start })
	return order
}
