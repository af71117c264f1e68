// Package pairs finds two statements of one wording that tell a thing of two texts, or of two
// parts of one: what a question that compares or adds up rests on.
package pairs

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// Statement is a sentence or a row that may be one of a pair.
type Statement struct {
	Text   string
	Row    bool
	Cell   string    // of a row, the one that is asked for; empty where none is
	Label  string    // of that: what the row is called, and its column
	Source int       // number of its source
	Part   string    // of the source that it stands in: its heading
	Name   string    // of the source
	Series string    // what the source is called without its date; empty where it has none
	Dated  int       // as versions.Of
	Likely float64   // log-odds that it answers the question
	Has    []float64 // of each word of the question, how well it has it with its source, 0 to 1
	Of     []float64 // and how well what its source is called has it
}

// Asked is what a question wants of two things.
type Asked struct {
	What    lang.Calculation // lang.Sum, lang.Difference or lang.NoSum: to see both
	Weights []float64        // of its words; those that only ask or compare weigh nothing
	Words   []string
	Text    string
	code    lang.Code
	matter  string
	changes bool // from the earlier to the later
	versus  bool // two things are named, or said to be two
}

// Of is what a question wants of two things; ok is false for a question of one.
func Of(question string) (a Asked, ok bool) {
	code := lang.Spoken(question)
	said := lang.CalculationsIn(code, question)
	a = Asked{Text: question, code: code, versus: len(said[lang.Versus]) > 0}
	a.changes = len(said[lang.Change]) > 0 && (a.versus || lang.KindAsked(code, question) == lang.Amount || len(cells.PeriodOf(question).Years) > 1) // "how often is the oil changed?"
	a.matter = lang.WithoutCalculations(code, question)
	switch {
	case len(said[lang.Difference]) > 0, a.changes:
		a.What = lang.Difference
	case a.versus && (len(said[lang.Most]) > 0 || len(said[lang.Least]) > 0):
		a.What = lang.Difference
	case len(said[lang.Sum]) > 0:
		a.What = lang.Sum
	case !a.versus:
		return a, false
	}
	return a, true
}

// Matter is the question without the words that only compare, or say what is to be done.
func (a Asked) Matter() string { return a.matter }

// Pair is two statements.
type Pair struct {
	One, Other int     // places of the statements, in their order
	Alike      float64 // share of their words that both have, 0 to 1
	Matter     float64 // share of the question, without what tells them apart, that they have with their sources
	Apart      bool    // each has a word of the question that the other lacks, or they are versions of one text
	score      float64
}

// A pair has at least so much of each; what speaks for one, in log-odds.
const (
	leastAlike   = 0.4
	leastMatter  = 0.5
	leastScore   = 3.5
	totalsAlike  = 0.6 // what two figures are alike that are all there is of something
	alikeWeight  = 4.0
	matterWeight = 5.0
	apartWeight  = 1.5
	figureWeight = 1.0
	totalWeight  = 1.5
)

// told is a statement, taken apart once.
type told struct {
	Statement
	terms, head []cite.Term // of all of it, and of its first clause
	figures     []figure
}

func (a Asked) told(all []Statement, c *cite.Checker) (out []told) {
	for _, s := range all {
		out = append(out, told{s, c.Terms(s.Text), c.Terms(headOf(s.Text)), s.figuresIn(cells.FiguresOf([]string{s.Text}, a.code))})
	}
	return out
}

// Best is the pair that a question most likely asks about, and what its figures come to, with
// how: empty where nothing is to be worked out, or of what is not plain. ok is false where no two
// statements are of one wording and differ.
func (a Asked) Best(statements []Statement, c *cite.Checker) (best Pair, worked string, ok bool) {
	most := 1.0
	if !lang.PartsWords(a.code) {
		most = a.mostOf(statements)
	}
	all := a.told(statements, c)
	var of figures
	for i, one := range all {
		for k := i + 1; k < len(all); k++ {
			other := all[k]
			if one.Source == other.Source && one.Part == other.Part && (one.Cell == "" || other.Cell == "") || one.Text == other.Text && one.Source != other.Source {
				continue
			}
			p := Pair{One: i, Other: k}
			if p.Matter, p.Apart = a.covered(one.Statement, other.Statement); p.Matter == 0 || p.Matter < leastMatter*most || a.What == lang.Sum && !p.Apart && !a.versus {
				continue
			}
			p.Matter /= most
			figures := a.figures(one, other)
			if a.What == lang.Sum && !figures.plain {
				continue
			}
			if p.Alike = likeness(one, other); figures.totals {
				p.Alike = max(p.Alike, totalsAlike)
			}
			if p.score = a.score(p, one, other, figures); p.Alike >= leastAlike && p.score >= leastScore && (!ok || p.score > best.score) {
				best, of, ok = p, figures, true
			}
		}
	}
	if ok && of.plain {
		worked = a.worked(all[best.One], all[best.Other], of)
	}
	return best, worked, ok
}

// likeness is how alike two statements are, or begin.
func likeness(one, other told) float64 {
	return max(alike(one.terms, other.terms), headAlike*alike(one.head, other.head))
}

// mostOf is the largest share of the question that a statement has. Where words are not parted,
// many of what is taken for one are none.
func (a Asked) mostOf(all []Statement) float64 {
	most := 0.0
	for _, s := range all {
		share, _ := a.covered(s, s)
		most = max(most, share)
	}
	if most == 0 {
		return 1
	}
	return most
}

func (a Asked) score(p Pair, one, other told, f figures) float64 {
	score := (one.Likely+other.Likely)/2 + alikeWeight*p.Alike + matterWeight*p.Matter
	if p.Apart {
		score += apartWeight
	}
	if f.plain && a.What != lang.NoSum {
		score += figureWeight
	}
	if f.totals {
		score += totalWeight
	}
	return score
}

const headAlike = 0.9 // what it counts that two statements begin alike

// headOf is a statement up to where its first clause ends.
func headOf(text string) string {
	if at := strings.IndexAny(text, ",;，；、"); at > 0 {
		return text[:at]
	}
	return text
}

// alike is the share of the words of two texts that both have; numbers are no words of theirs.
func alike(a, b []cite.Term) float64 {
	share := func(of, in []cite.Term) float64 {
		found, all := 0.0, 0.0
		for _, t := range of {
			if t.IsNumber() {
				continue
			}
			all += t.Weight
			if slices.ContainsFunc(in, t.IsForm) {
				found += t.Weight
			}
		}
		if all == 0 {
			return 0
		}
		return found / all
	}
	return (share(a, b) + share(b, a)) / 2
}

// covered is the share of the question that two statements have, without the words that tell them
// apart, and whether they are told apart: each has a word that the other lacks, or they are
// versions of one text.
func (a Asked) covered(one, other Statement) (share float64, apart bool) {
	mine, theirs := false, false
	for i, w := range a.Weights {
		mine, theirs = mine || w > 0 && parts(one.Has[i], other.Has[i]), theirs || w > 0 && parts(other.Has[i], one.Has[i])
	}
	all, found := 0.0, 0.0
	for i, w := range a.Weights {
		if mine && theirs && (parts(one.Has[i], other.Has[i]) || parts(other.Has[i], one.Has[i])) {
			continue
		}
		all, found = all+w, found+w*(one.Has[i]+other.Has[i])/2
	}
	versions := one.Series != "" && one.Series == other.Series && one.Dated != other.Dated
	if all == 0 {
		return 1, mine && theirs || versions
	}
	return found / all, mine && theirs || versions
}

func parts(has, lacks float64) bool { return has == 1 && lacks == 0 }
