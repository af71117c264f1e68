// Package pairs finds two statements of one wording that tell a thing of two texts, or of two
// parts of one: what a question that compares or adds up rests on.
package pairs

import (
	"cmp"
	"slices"
	"strings"

	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/answer/quote/versions"
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
	Name   string    // of the source, or of the row
	Under  string    // of a row, what announces it
	Series string    // what the source is called without its date; empty where it has none
	Dated  int       // as versions.Of
	Likely float64   // log-odds that it answers the question
	Has    []float64 // of each word of the question, how well it has it with its source, 0 to 1
	Of     []float64 // and how well what its source is called has it
}

// Asked is what a question wants of two things.
type Asked struct {
	What    lang.Calculation // lang.Sum, lang.Difference or lang.NoSum: to see both
	Words   []string
	Weights []float64 // of its words; those that only ask or compare weigh nothing
	Priced  bool      // it asks for a price
	Names   []bool    // which of its words name something: names, numbers, months
	Times   []bool    // and which of these are numbers and months
	code    lang.Code
	matter  string
	changes bool // from the earlier to the later
	versus  bool // two things are named, or said to be two
	ages    bool // of what is and of what was
}

// Of is what a question wants of two things; ok is false for a question of one.
func Of(question string) (a Asked, ok bool) {
	code := lang.Spoken(question)
	said := lang.CalculationsIn(code, question)
	a = Asked{code: code, ages: versions.AskedIn(question).Both()}
	a.versus = len(said[lang.Versus]) > 0 || a.ages
	a.changes = len(said[lang.Change]) > 0 && (a.versus || lang.KindAsked(code, question) == lang.Amount || len(times.PeriodOf(question).Years) > 1) // "how often is the oil changed?"
	a.matter = lang.WithoutCalculations(code, question)
	switch kind := lang.KindAsked(code, question); {
	case kind == lang.Reason:
		return a, false
	case kind == lang.Manner:
		return a, a.versus
	case len(said[lang.Difference]) > 0, a.changes:
		a.What = lang.Difference
	case a.versus && (len(said[lang.Most]) > 0 || len(said[lang.Least]) > 0):
		a.What = lang.Difference
	case times.Spans(question): // of all between two months, and not of the two
		return a, false
	case len(said[lang.Sum]) > 0:
		a.What = lang.Sum
	case !a.versus:
		return a, false
	}
	return a, true
}

// Matter is the question without the words that only compare, or say what is to be done.
func (a Asked) Matter() string { return a.matter }

// AsksOfTwo reports whether a question asks what comes of the figures of two things.
func (a Asked) AsksOfTwo() bool {
	return a.ages || a.What != lang.NoSum && (a.versus || a.changes || a.times() > 1)
}

func (a Asked) times() (n int) {
	for _, is := range a.Times {
		if is {
			n++
		}
	}
	return n
}

// IsTold reports whether one statement can tell that: it has more than one figure, or compares or
// adds up itself, where not two times are named.
func (a Asked) IsTold(text string) bool {
	figures := Statement{Text: text}.figuresIn(numbers.Of([]string{text}, a.code))
	return len(figures) > 1 || a.times() < 2 && len(lang.CalculationsIn(lang.Spoken(text), text)) > 0
}

// LeavesOut reports whether a row tells of one alone of the times that are held against each other.
func (a Asked) LeavesOut(row string) bool {
	if !a.versus || a.times() < 2 {
		return false
	}
	row = strings.ToLower(row)
	for i, w := range a.Words {
		if a.Times[i] && !strings.Contains(row, strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// Pair is two statements.
type Pair struct {
	One, Other int     // places of the statements, in their order
	Worked     string  // what their figures come to, with how: empty where nothing is to be worked out, or of what is not plain
	alike      float64 // share of their words that both have, 0 to 1
	matter     float64 // share of the question, without what tells them apart, that they have with their sources
	named      bool    // they have some of that which is no number and no month, or there is none
	bare       bool    // the question has no matter besides
	lacks      bool    // one has a word of that which the other lacks
	stranger   bool    // that word is a name
	sides      bool    // each has a word that tells it from the other
	apart      bool    // each is of another side of the question, or they are versions of one text
	spoken     bool    // beside a figure of one stands a word of the question, or one that says that it is all; or both are the money that is asked for
	behind     float64 // how far they are behind the likeliest of their sources, in log-odds
	unworked   bool    // they are rows whose figures come to nothing that is asked for
	score      float64
}

// A pair has at least so much of each; what speaks for one, in log-odds.
const (
	leastAlike   = 0.4
	leastMatter  = 0.5
	leastScore   = 4.5
	totalsAlike  = 0.6 // what two figures are alike that are all there is of something
	mostBehind   = 3.5 // the likeliest of their sources, in log-odds
	foremost     = 0.5 // how far behind the likeliest of its source is what needs to be like no other
	alikeWeight  = 4.0
	matterWeight = 5.0
	apartWeight  = 1.5
	figureWeight = 1.0
	totalWeight  = 1.5
	spokenWeight = 0.5

	strangerCosts = 1.0
)

// told is a statement, taken apart once.
type told struct {
	Statement
	terms, head []cite.Term // of all of it, and of its first clause
	figures     []figure
	behind      float64 // the likeliest of its source, in log-odds
}

func (a Asked) told(all []Statement, c *cite.Checker) (out []told) {
	best := map[int]float64{}
	for _, s := range all {
		if likely, known := best[s.Source]; !known || s.Likely > likely {
			best[s.Source] = s.Likely
		}
	}
	for _, s := range all {
		figures := s.figuresIn(numbers.Of([]string{s.Text}, a.code))
		for i, f := range figures {
			figures[i].total, figures[i].speaks = slices.ContainsFunc(f.beside, saysAll), a.speaksOf(f)
		}
		out = append(out, told{s, c.Terms(s.Text), c.Terms(headOf(s.Text)), figures, best[s.Source] - s.Likely})
	}
	return out
}

// Best is the pair that a question most likely asks about. ok is false where no two statements
// tell the same of two things.
func (a Asked) Best(statements []Statement, c *cite.Checker) (best Pair, ok bool) {
	most := 1.0
	if !lang.PartsWords(a.code) {
		most = a.mostOf(statements)
	}
	places := likeliest(statements)
	of := figures{}
	var weighed []Statement
	for _, at := range places {
		weighed = append(weighed, statements[at])
	}
	all := a.told(weighed, c)
	for i, one := range all {
		for k := i + 1; k < len(all); k++ {
			if p, figures, is := a.pair(one, all[k], most); is && (!ok || p.score > best.score) {
				p.One, p.Other = i, k
				best, of, ok = p, figures, true
			}
		}
	}
	if !ok {
		return best, false
	}
	if of.plain && (best.spoken || of.totals || best.alike >= sureAlike) {
		best.Worked = a.worked(all[best.One], all[best.Other], of)
	}
	best.unworked = a.What != lang.NoSum && best.Worked == "" && all[best.One].Row && all[best.Other].Row
	best.One, best.Other = places[best.One], places[best.Other]
	return best, true
}

const (
	sureAlike  = 0.55 // of a pair that answers
	sureMatter = 0.75
	sameAlike  = 0.8 // of one whose figures are worked out
	sureBehind = 1.0 // how far behind the likeliest of their sources
)

// IsSure reports whether a pair is surely what is asked for: nothing of the question is lacking on
// one side, and the statements are alike enough or the likeliest of their sources.
func (p Pair) IsSure() bool {
	if !p.apart || p.bare || p.lacks || p.unworked || p.Worked != "" && !p.spoken || p.behind > sureBehind {
		return false
	}
	return p.alike >= sureAlike && p.matter >= sureMatter || p.alike >= sameAlike && p.Worked != "" || p.behind == 0 && p.spoken && p.matter >= sureMatter
}

const mostWeighed = 160 // statements: each is held against each

// likeliest are the places of the likeliest statements, in their order.
func likeliest(all []Statement) []int {
	places := make([]int, len(all))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(all[b].Likely, all[a].Likely) })
	places = places[:min(len(places), mostWeighed)]
	slices.Sort(places)
	return places
}

// pair is what two statements are worth together; ok is false where they are no pair.
func (a Asked) pair(one, other told, most float64) (p Pair, f figures, ok bool) {
	sameSource := one.Source == other.Source
	if sameSource && one.Part == other.Part && (one.Cell == "" || other.Cell == "") || !sameSource && one.Text == other.Text {
		return p, f, false
	}
	p = a.covered(one.Statement, other.Statement)
	if sameSource && !p.apart && one.Under == other.Under || p.matter == 0 || p.matter < leastMatter*most || a.What == lang.Sum && !p.sides && !a.versus {
		return p, f, false
	}
	f, p.alike = a.figures(one, other), likeness(one, other)
	if f.totals {
		p.alike = max(p.alike, totalsAlike)
	}
	p.spoken = f.plain && (f.both[0].speaks+f.both[1].speaks > 0 || a.Priced && f.both[0].isMoney())
	p.behind = max(one.behind, other.behind)
	if p.behind > mostBehind || !p.named && !p.spoken {
		return p, f, false
	}
	isPair := p.alike >= leastAlike || p.apart && p.behind <= foremost && (f.plain || a.What == lang.NoSum)
	if !isPair || a.What == lang.Sum && !f.plain {
		return p, f, false
	}
	p.score = alikeWeight*p.alike + matterWeight*p.matter/most - one.behind - other.behind
	if p.apart {
		p.score += apartWeight
	}
	if p.stranger {
		p.score -= strangerCosts
	}
	if f.plain && a.What != lang.NoSum {
		p.score += figureWeight
	}
	if p.spoken {
		p.score += spokenWeight
	}
	if f.totals {
		p.score += totalWeight
	}
	return p, f, p.score >= leastScore
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
		most = max(most, a.covered(s, s).matter)
	}
	if most == 0 {
		return 1
	}
	return most
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

// covered is what two statements have of the question: the share of its matter, which is the words
// that do not tell them apart. Those are names, or words of what their sources are called, that
// one has and the other lacks.
func (a Asked) covered(one, other Statement) (p Pair) {
	mine, theirs := false, false
	sides := make([]bool, len(a.Weights))
	for i, w := range a.Weights {
		of, not := a.tells(i, one, other), a.tells(i, other, one)
		sides[i] = w > 0 && (of || not) && (a.Times[i] || a.times() < 2) // of two times no other word tells
		mine, theirs = mine || sides[i] && of, theirs || sides[i] && not
	}
	all, found, things, named := 0.0, 0.0, 0.0, 0.0
	for i, w := range a.Weights {
		if sides[i] && mine && theirs {
			continue
		}
		had := w * (one.Has[i] + other.Has[i]) / 2
		if lacks := w > 0 && (parts(one.Has[i], other.Has[i]) || parts(other.Has[i], one.Has[i])); lacks {
			p.lacks = true
			p.stranger = p.stranger || a.Names[i] && !a.Times[i]
		}
		all, found = all+w, found+had
		if !a.Times[i] {
			things, named = things+w, named+had
		}
	}
	p.sides = mine && theirs
	same := versions.SameName(one.Series, other.Series) || a.ages && versions.SameSeries(one.Series, other.Series)
	p.apart = p.sides || one.Dated != other.Dated && same
	p.bare, p.named = things == 0 && !a.Priced, things == 0 || named > 0
	if p.matter = 1; all > 0 {
		p.matter = found / all
	}
	return p
}

// tells reports whether a word of the question tells a statement from another one.
func (a Asked) tells(word int, s, other Statement) bool {
	return parts(s.Has[word], other.Has[word]) && (a.Names[word] || parts(s.Of[word], other.Of[word]))
}

func parts(has, lacks float64) bool { return has == 1 && lacks == 0 }
