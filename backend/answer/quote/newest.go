package quote

import (
	"footnote/backend/answer/cells"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/lang"
)

// newestBehind is how far behind the likeliest candidate, in log-odds, the same of a newer
// text may be to stand before it.
const newestBehind = 3

// newestFirst puts what the newest text says before what older ones say of the same, unless
// the question names a year or compares.
func (q Query) newestFirst(all []judged, passages []Passage) {
	calculation, _ := lang.Calculates(lang.Spoken(q.text), q.text)
	if len(cells.PeriodOf(q.text).Years) > 0 || calculation == lang.Difference || periodsAsked.MatchString(q.text) || compareAsked.MatchString(q.text) {
		return
	}
	best := all[0]
	newest, dated := 0, passages[best.Passage].Dated
	terms := q.checker.Terms(best.Text)
	for i, c := range all {
		p := passages[c.Passage]
		if dated > 0 && p.Dated > dated && versions.SameSeries(passages[best.Passage].Called, p.Called) && c.Row == best.Row && c.likely >= best.likely-newestBehind && versions.SameMatter(terms, q.checker.Terms(c.Text)) {
			newest, dated = i, p.Dated
		}
	}
	first := all[newest]
	copy(all[1:newest+1], all[:newest])
	all[0] = first
}
