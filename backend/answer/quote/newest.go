package quote

import (
	"footnote/backend/answer/cells/times"
	"footnote/backend/answer/quote/pairs"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/lang"
)

// newestBehind and pageBehind are how far behind the likeliest candidate, in log-odds, the same
// of a newer text may be to stand before it: of a page less, unless what is new is asked for.
const newestBehind, pageBehind = 3.0, 1.5

// newestFirst puts what the newest text says before what older ones say of the same, unless
// the question names a year or compares.
func (q Query) newestFirst(all []judged, passages []Passage) {
	asked, two := pairs.Of(q.text)
	if len(times.PeriodOf(q.text).Years) > 0 || two && asked.What != lang.Sum || lang.OverPeriods(lang.Spoken(q.text), q.text) {
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
