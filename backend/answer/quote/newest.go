package quote

import (
	"maps"
	"slices"

	"footnote/backend/answer/cells/times"
	"footnote/backend/answer/quote/corrections"
	"footnote/backend/answer/quote/pairs"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// newestBehind and pageBehind are how far behind the likeliest candidate, in log-odds, the same
// of a newer text may be to stand before it: of a page less, unless what is new is asked for.
const newestBehind, pageBehind = 3.0, 1.5

// queryOver is a question to passages. Words for the version of a text that is meant, "the old
// contract", "now", are none of its own where they tell some passages from others.
func queryOver(c *cite.Checker, question string, passages []Passage) Query {
	asked, found := versions.AskedIn(question), map[versions.Version]bool{}
	for _, p := range passages {
		found[p.Version] = true
	}
	all, costs := slices.Collect(maps.Keys(found)), make([]float64, len(passages))
	for i, p := range passages {
		costs[i] = asked.Costs(p.Version, all)
	}
	matter := question
	if !asked.Both() && slices.Max(append(costs, 0)) > 0 && lang.Spoken(asked.Matter()) == lang.Spoken(question) {
		matter = asked.Matter()
	}
	q := NewQuery(c, matter)
	q.said, q.version, q.costs = question, asked, costs
	return q
}

// newestFirst puts what the newest text says before what older ones say of the same, unless
// the question names a year or compares.
func (q Query) newestFirst(all []judged, passages []Passage) {
	asked, two := pairs.Of(q.text)
	if q.version.ForOlder() || len(times.PeriodOf(q.text).Years) > 0 || two && asked.What != lang.Sum || lang.OverPeriods(lang.Spoken(q.text), q.text) {
		return
	}
	of := func(c judged) versions.Statement {
		return versions.Statement{Text: c.Text, Version: passages[c.Passage].Version}
	}
	newest, said, behind := 0, of(all[0]), newestBehind
	if said.Called == "" && !lang.HasCue(q.text, lang.News) {
		behind = pageBehind
	}
	for i, c := range all {
		if s := of(c); s.Dated > said.Dated && c.Row == all[0].Row && c.likely >= all[0].likely-behind && s.Outdates(of(all[0]), q.checker, q.text) {
			newest, said = i, s
		}
	}
	first := all[newest]
	copy(all[1:newest+1], all[:newest])
	all[0] = first
}

// How far behind the likeliest candidate, in log-odds, one may be that takes it back: that says
// which figure it is not, and that something has been moved.
const deniedBehind, movedBehind = 5.0, 2.0

// correctedFirst puts what takes the likeliest candidate back before it, where a figure or a time
// may be asked for, and not what it was.
func (q Query) correctedFirst(all []judged, passages []Passage) {
	kind := lang.KindAsked(lang.Spoken(q.text), q.text)
	other := slices.Contains([]lang.AnswerType{lang.Person, lang.Place, lang.Reason, lang.Manner}, kind)
	if other || all[0].Row || q.version.ForOlder() || q.version.Both() || len(times.PeriodOf(q.text).Years) > 0 {
		return
	}
	first := all[0]
	at := slices.IndexFunc(all, func(c judged) bool {
		if dated := passages[c.Passage].Version.Dated; c.Row || c.Text == first.Text || dated != 0 && dated < passages[first.Passage].Version.Dated {
			return false
		}
		return c.likely >= first.likely-deniedBehind && corrections.Denies(c.Text, first.Text, q.checker) ||
			kind == lang.Time && c.likely >= first.likely-movedBehind && corrections.Moves(c.Text, first.Text, q.checker)
	})
	if at > 0 {
		c := all[at]
		copy(all[1:at+1], all[:at])
		all[0] = c
	}
}
