package quote

import (
	"cmp"
	"math"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/quote/anchors"
	"footnote/backend/answer/quote/offers"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/lang"
)

// features describes candidates.
func (q Query) features(candidates []candidate, rare rarity, passages []Passage) []judged {
	kind, asked, spoken := answertype.Of(q.checker, q.text), lang.AsksFor(q.text), lang.Spoken(q.text)
	named, language := anchors.Of(q.text), lang.Detect(q.text)
	best := math.Inf(-1)
	for _, c := range candidates {
		if !c.row {
			best = max(best, c.Score)
		}
	}
	whole := map[int]reach{}
	out := make([]judged, len(candidates))
	for i, c := range candidates {
		p := passages[c.Passage]
		in, ok := whole[c.Passage]
		if !ok {
			in = q.reached(q.checker.Terms(p.Title+" "+p.Text), q.fileOf(c.Passage))
			whole[c.Passage] = in
		}
		text := c.weighed()
		itself := q.reached(q.checker.Terms(text+" "+q.abbreviated(c.label)), q.fileOf(c.Passage))
		with := itself.or(q.reached(q.checker.Terms(titled(p.Title, c.Heading)), reach{}))
		behind, place := 0.0, 0.0
		if !c.row {
			behind, place = best-c.Score, 1/float64(1+c.byRules)
		}
		read := strings.ToLower(p.Title + " " + p.Of + " " + p.Text)
		above := titled(p.Title, c.Heading) + " " + strings.Join(append(anchors.NamingFile(q.text, p.Of), p.Month()), " ")
		undated, another := named.MissingNumbers(above + " " + text)
		out[i] = judged{candidate: c, features: []float64{
			0, q.share(itself.forms), q.share(with.forms), q.share(in.forms), q.heaviest(with.forms), q.heaviest(in.forms), p.BM, p.Cosine,
			behind, place, fits(spoken, kind, text), number(c.Row), number(c.aside), math.Log1p(float64(statements.WordCount(text))),
			anchors.Lacking(anchors.NamesIn(q.text), read), anchors.Lacking(anchors.NumberText.FindAllString(q.text, -1), read), number(c.asked != ""),
			c.rare, c.rareWith - c.rare, c.near, rare.heaviest(with.forms), 1 / float64(1+c.byRare), offers.Kind(asked, q.text, text), number(c.row && !c.overlap), 0, 0, number(q.defines(c.Sentence)),
			named.MissingNames(above + " " + text), undated, number(another), number(c.Row || endsAsSentence(c.Text)), number(!c.Row && lang.Detect(p.Text) != language), 0,
			q.opened(rare, cmp.Or(c.Heading, p.Title)) / float64(1+c.Under), 0, 0,
		}}
	}
	return out
}

// opened is the share of a question that a heading has. One that is about more than the
// term whose meaning is asked for is about another thing: "The wiki" under "What is …?".
func (q Query) opened(rare rarity, heading string) float64 {
	terms := q.checker.Terms(heading)
	share := rare.share(q.found(terms, nil))
	if q.meaning == nil || len(terms) <= len(q.terms) {
		return share
	}
	return share * float64(len(q.terms)) / float64(len(terms))
}

// overall describes a question with its candidates, likeliest first.
func (q Query) overall(all []judged, rules float64) []float64 {
	gap, rivals := 0.0, 0
	for i, c := range all[1:] {
		if i == 0 {
			gap = all[0].logOdds - c.logOdds
		}
		if c.likely > all[0].likely-1 {
			rivals++
		}
	}
	return []float64{gap, all[0].likely, float64(rivals) / float64(len(all)), math.Log1p(float64(len(q.terms))), rules}
}

// heaviest is the weight of the heaviest word that was not found, by the
// heaviest of all.
func (q Query) heaviest(found []float64) float64 {
	missing, most := 0.0, 0.0
	for i, t := range q.terms {
		if q.asking[t.Stem] {
			continue
		}
		most = max(most, t.Weight)
		missing = max(missing, t.Weight*(1-found[i]))
	}
	if most == 0 {
		return 0
	}
	return missing / most
}

// fits tells whether a text has the kind of thing that is asked for. The weights were
// learnt while kinds were known in English alone; what other languages ask for they
// know by offers.
func fits(code lang.Code, kind answertype.Type, text string) float64 {
	switch {
	case code != lang.English:
		return 0
	case kind.Fulfilled(text):
		return 1
	case kind.Particular():
		return -1
	}
	return 0
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
