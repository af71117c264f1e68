package quote

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/cells"
	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/quote/anchors"
	"footnote/backend/answer/quote/pairs"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

const surePair = 0.75 // how sure a pair is that surely is what is asked for

// withPair answers a question that compares or adds up by two statements of one wording, which
// tell of two things.
func (q Query) withPair(r Result, g graded, rows []Sentence, passages []Passage, d Deps) Result {
	asked, ok := pairs.Of(q.text)
	if !ok || len(g.all) == 0 || r.State == Answer && r.Worked && asked.What != lang.NoSum { // a row has both
		return r
	}
	q.taken(&asked)
	claimed := r.State == Answer
	if first := r.Sentences[0]; claimed && (asked.AsksOfTwo() && !asked.IsTold(first.weighed()) || first.Row && asked.LeavesOut(first.weighed())) {
		r.State = Closest
	}
	from, all := q.statements(g, r.pool, rows, passages, d)
	p, ok := asked.Best(all, q.checker)
	if !ok {
		return r
	}
	sure := p.IsSure()
	if r.Worked && !sure && asked.What != lang.NoSum {
		return r
	}
	kept := claimed && slices.ContainsFunc(r.Sentences, func(s Sentence) bool { return s.at() == from[p.One].at() || s.at() == from[p.Other].at() })
	if claimed && !sure && !kept && !asked.AsksOfTwo() {
		return r
	}
	r.Sentences, r.Short = []Sentence{from[p.One], from[p.Other]}, p.Worked
	r.Worked, r.Sides = r.Short != "", true
	switch {
	case sure:
		r.State, r.Confidence = Answer, max(r.Confidence, surePair)
	case kept:
		r.State = Answer
	default:
		r.State = Closest
	}
	return r
}

// taken gives a question that weighs two things its words, and what they weigh: those that only
// ask or compare weigh nothing.
func (q Query) taken(asked *pairs.Asked) {
	n := len(q.terms)
	asked.Words, asked.Weights, asked.Names, asked.Times = make([]string, n), make([]float64, n), make([]bool, n), make([]bool, n)
	code, matter := lang.Spoken(q.text), q.checker.Terms(asked.Matter())
	names := anchors.NamesIn(q.text)
	for i, t := range q.terms {
		if !q.asking[t.Stem] && slices.ContainsFunc(matter, func(m cite.Term) bool { return m.Stem == t.Stem }) {
			asked.Weights[i] = t.Weight
		}
		asked.Names[i], asked.Times[i] = t.IsNumber(), t.IsNumber()
	}
	for _, w := range answertype.AskedWords(q.text) {
		of := q.checker.Terms(w)
		i := slices.IndexFunc(q.terms, func(t cite.Term) bool { return len(of) == 1 && of[0].Stem == t.Stem })
		if i < 0 || !lang.PartsWords(code) {
			continue
		}
		_, isMonth := lang.MonthOf(w)
		isName := code != lang.German && slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, w) })
		asked.Words[i], asked.Names[i] = w, asked.Names[i] || isMonth || isName
		asked.Times[i] = asked.Times[i] || isMonth
		if lang.OfMoneyIn(code, lang.Price, w) {
			asked.Weights[i], asked.Priced = 0, true
		}
	}
}

// statements are the candidates of a question as a pair is looked for among them.
func (q Query) statements(g graded, pool, rows []Sentence, passages []Passage, d Deps) (from []Sentence, all []pairs.Statement) {
	likely, least := map[place]float64{}, 0.0
	for _, c := range g.all {
		likely[c.at()], least = c.likely, min(least, c.likely)
	}
	read := cells.Read(q.checker, q.text)
	for _, s := range slices.Concat(rows, pool) {
		if slices.ContainsFunc(from, func(o Sentence) bool { return o.at() == s.at() }) {
			continue
		}
		p := passages[s.Passage]
		name, _, _ := strings.Cut(p.Title, " > ")
		one := pairs.Statement{Text: s.weighed(), Row: s.Row, Source: s.N, Part: s.Heading, Name: strings.TrimSuffix(name, path.Ext(name)), Series: p.Called, Dated: p.Dated, Likely: least - 1, Has: q.foundIn(s, passages).with, Of: q.found(q.checker.Terms(p.named()), nil)}
		if l, ok := likely[s.at()]; ok {
			one.Likely = l
		}
		if row, ok := rowOf(s, passages, d.Rows); ok {
			at := read.Choose(row, p.named()).At
			if at < 0 {
				at = numbers.Only(row.Values)
			}
			if at >= 0 {
				one.Cell, one.Name, one.Label, one.Under = row.Values[at], row.Label, along.Said(row, at), cmp.Or(along.SectionOf(row), row.Heading)
			}
		}
		from, all = append(from, s), append(all, one)
	}
	return from, all
}
