// Package figures tells which sentences of different sources give different figures for
// the same, by what each states of what, when and where.
package figures

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/compare"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Bounds of what is taken for the same quantity, on testdata/figures.tsv.
const (
	asksSame     = 6.3  // log-odds from which one sentence answers what the other one's figure answers, and the other way round
	sameFrame    = 0.8  // of words in the same order: two sentences that are alike this far differ in what they count by any further word
	looseFrame   = 0.6  // and from here by a word that stands for another
	alikeSwapped = 0.9  // unless the vectors say that both words mean the same
	alikeAtAll   = 0.2  // of vectors; below, sentences are not held against each other
	mostAsked    = 48   // pairs of sentences of a report
	nearlyEqual  = 0.01 // two figures that differ by less are one, rounded
)

// Sentence is a sentence about a subject, with what it states.
type Sentence struct {
	Statement
	Text   string
	Source int       // its number
	Vector []float32 // of its bare words
}

// Pair are two of the sentences, by their places, which give different figures for the
// same.
type Pair struct {
	A, B int
	X, Y string // the figures
}

// pair are two sentences with a figure each that may count the same.
type pair struct {
	Pair
	a, b  Sentence
	x, y  counted
	alike float64
}

// Differing finds the sentences of different sources and the same years that give
// different figures for the same. answers says as log-odds how well texts answer a
// question; where it cannot tell, words and vectors do, by the nearness of a cosine.
func Differing(ctx context.Context, all []Sentence, subject []string, nearness func(float64) float64, answers func(context.Context, string, []string) ([]float64, bool)) []Pair {
	pairs := slices.DeleteFunc(pairsOf(all, subject, nearness), func(p pair) bool { return p.a.foreign || p.b.foreign })
	if same, ok := ofTheSame(ctx, pairs, answers); ok {
		return append(same, alikeButFor(all, nearness, true)...) // what can tell reads English
	}
	return alikeButFor(all, nearness, false)
}

// alikeButFor finds the sentences that are alike but for their figures; only of those in
// other languages than English, or of all.
func alikeButFor(all []Sentence, nearness func(float64) float64, foreign bool) (pairs []Pair) {
	for i, a := range all {
		for k, b := range all[i+1:] {
			if foreign && !a.foreign && !b.foreign || a.Source == b.Source || !slices.Equal(a.Years, b.Years) {
				continue
			}
			if x, y, ok := a.differ(b.Statement, nearness(likeness(a.Vector, b.Vector))); ok {
				pairs = append(pairs, Pair{i, i + 1 + k, x, y})
			}
		}
	}
	return pairs
}

// pairsOf are the sentences of different sources and the same years that may give
// different figures for the same, the most alike first.
func pairsOf(found []Sentence, subject []string, nearness func(float64) float64) (all []pair) {
	for i, a := range found {
		for k, b := range found[i+1:] {
			alike := nearness(likeness(a.Vector, b.Vector))
			if a.Source == b.Source || alike < alikeAtAll || !slices.Equal(a.Years, b.Years) || a.denies != b.denies || !sameSet(a.Names, b.Names) {
				continue
			}
			x, y, ok := a.figures(b.Statement)
			if ok && math.Abs(x.value-y.value) > nearlyEqual*math.Abs(x.value) && sameMatter(a.Text, b.Text, subject, alike) {
				all = append(all, pair{Pair{i, i + 1 + k, x.number, y.number}, a, b, x, y, alike})
			}
		}
	}
	slices.SortStableFunc(all, func(p, q pair) int { return cmp.Compare(q.alike, p.alike) })
	return all[:min(len(all), mostAsked)]
}

// figures are the one figure of each of two sentences that may count the same: the
// only ones, or the only ones of a unit.
func (s Statement) figures(o Statement) (x, y counted, ok bool) {
	if len(s.counts) == 1 && len(o.counts) == 1 {
		x, y = s.counts[0], o.counts[0]
		return x, y, x.comparable(y)
	}
	for _, m := range s.counts {
		for _, n := range o.counts {
			if m.unit == "" || m.unit != n.unit {
				continue
			}
			if ok {
				return x, y, false // several may be meant
			}
			x, y, ok = m, n, true
		}
	}
	return x, y, ok && sameRest(s.counts, o.counts, x, y)
}

// sameRest reports whether what two sentences have besides a figure each are the same
// figures, or one has none: version 3 is not version 4.
func sameRest(a, b []counted, x, y counted) bool {
	numbers := func(all []counted, but counted) (rest []string) {
		for _, c := range all {
			if c != but {
				rest = append(rest, c.number)
			}
		}
		return rest
	}
	one, other := numbers(a, x), numbers(b, y)
	return len(one) == 0 || len(other) == 0 || sameSet(one, other)
}

// comparable reports whether two figures may count the same: in the same unit, or
// things under whatever name.
func (c counted) comparable(n counted) bool {
	return c.unit == n.unit || !c.many && !n.many
}

// sameMatter reports whether two sentences may count the same by their words: told in
// the same words, any further word makes it another thing; told in others, the
// encoders decide.
func sameMatter(a, b string, subject []string, alike float64) bool {
	ofSubject := func(word string) bool { return slices.Contains(subject, word) }
	f := compare.Align(compare.Read(a, ofSubject), compare.Read(b, ofSubject), bothCounts)
	switch {
	case f.Shared >= sameFrame:
		return len(f.Swapped)+len(f.Extra) == 0
	case f.Shared >= looseFrame && len(f.Swapped) > 0:
		return alike >= alikeSwapped
	}
	return true
}

func bothCounts(a, b string) bool {
	digit := func(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
	return digit(a) && digit(b) && !yearText.MatchString(a) && !yearText.MatchString(b)
}

// ofTheSame leaves the pairs whose figures answer the same question: each sentence
// answers what the other one's figure does. ok is false where nothing can tell.
func ofTheSame(ctx context.Context, pairs []pair, answers func(context.Context, string, []string) ([]float64, bool)) (same []Pair, ok bool) {
	for from := 0; from < len(pairs); {
		p := pairs[from]
		forth, ok := answers(ctx, p.a.asking(p.a.Text, p.x), []string{p.b.Text})
		if !ok {
			return nil, false
		}
		from++
		if forth[0] < asksSame {
			continue
		}
		back, ok := answers(ctx, p.b.asking(p.b.Text, p.y), []string{p.a.Text})
		if !ok {
			return nil, false
		}
		if back[0] >= asksSame {
			same = append(same, p.Pair)
		}
	}
	return same, true
}

// asking is the question that a figure of a sentence answers.
func (s Statement) asking(text string, c counted) string {
	return text[:c.at] + "how many" + text[c.at+len(c.number):]
}

// countsIn reads the figures of a sentence, without years, dates, and numbers that are
// part of a name or code, or the sign of a footnote, "[3]".
func countsIn(code lang.Code, text string) (all []counted) {
	for _, at := range countedText.FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		if unicode.IsLetter(before) || unicode.IsDigit(before) || strings.ContainsRune("-_/[", before) {
			continue
		}
		if c, ok := newCounted(code, part(1), strings.TrimRight(part(2), ".,"), strings.ToLower(part(3))); ok {
			c.at = at[4]
			all = append(all, c)
		}
	}
	return append(all, saidIn(code, text)...)
}

var saidText = pattern.New(`(\p{L}+)\s(\p{L}[\p{L}-]*)`)

// saidIn reads the numbers of a sentence that are written as words, from two on.
func saidIn(code lang.Code, text string) (all []counted) {
	for from := 0; ; {
		at := saidText.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return all
		}
		word, unit := text[from+at[2]:from+at[3]], text[from+at[4]:from+at[5]]
		before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text[:from+at[2]], " "))
		if unicode.IsDigit(before) { // of "25 million" the figure was read
			from += at[3]
			continue
		}
		if n, ok := lang.Number(code, word); ok && n > 1 && !lang.IsFunctionWord(code, strings.ToLower(unit)) {
			if c, ok := newCounted(code, "", word, strings.ToLower(unit)); ok {
				c.at = from + at[2]
				all = append(all, c)
			}
		}
		from += at[3]
	}
}
