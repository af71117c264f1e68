package followup

import (
	"slices"
	"strconv"
	"strings"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

var fourDigits = pattern.New(`(?:1[5-9]|20|21)\d\d`)

// yearsApart puts the year that is meant in the place of "the year before": it is
// counted from the time that was last spoken of.
func (c context) yearsApart(q question) (question, bool) {
	if c.when == "" {
		return q, false
	}
	for _, way := range []struct {
		class lang.Class
		by    int
	}{{"yearbefore", -1}, {"yearafter", 1}} {
		s := q.phrase(way.class)
		if s.empty() || q.leadsOff(s) || s.to < len(q.toks) && q.content(s.to) && !q.has("postpositions") && !q.has("unspaced") {
			continue
		}
		when := c.shifted(way.by)
		if when == "" {
			continue
		}
		if lead := q.one("intime"); lead != "" && s.from > 0 && !q.is("prep", q.word(s.from-1)) && !newQuestion(q.lexicon, when).is("prep", newQuestion(q.lexicon, when).word(0)) {
			when = q.joined(lead, when)
		}
		return q.with(s, when), true
	}
	return q, false
}

// leadsOff reports whether a question has a time of its own beside that of a phrase, or
// compares with it: "how much more than the year before".
func (q question) leadsOff(s span) bool {
	before := q.word(s.from - 1)
	if !q.has("postpositions") && q.is("prep", before) && !strings.HasPrefix(q.one("intime"), before) {
		return true
	}
	return fourDigits.MatchString(q.text[:q.toks[s.from].start] + q.text[q.toks[s.to-1].end:])
}

// shifted is the time last spoken of, some years on. Of several years it is the one
// before the first, or after the last.
func (c context) shifted(by int) string {
	years := fourDigits.FindAllString(c.when, -1)
	if len(years) == 0 {
		return ""
	}
	slices.Sort(years)
	from := years[0]
	if by > 0 {
		from = years[len(years)-1]
	}
	n, _ := strconv.Atoi(from) // four digits
	to := strconv.Itoa(n + by)
	if years[0] != years[len(years)-1] {
		return to
	}
	return strings.ReplaceAll(c.when, from, to)
}

// phrase is where a form of a class stands in a question, the longest.
func (q question) phrase(class lang.Class) span { return q.firstOf(q.name.Forms(class)) }

// firstOf is where the first of some forms stands that a question has.
func (q question) firstOf(forms []string) span {
	text := lowered(q.text)
	for _, form := range forms {
		if !strings.Contains(text, form) {
			continue
		}
		want := newQuestion(q.lexicon, form)
		for i := 0; i+len(want.toks) <= len(q.toks); i++ {
			same := true
			for j := range want.toks {
				same = same && want.word(j) == q.word(i+j)
			}
			if same {
				return span{i, i + len(want.toks)}
			}
		}
	}
	return span{}
}

// again asks the last question of another time: "how much was it in 2022?"
func (c context) again(q question) (string, bool) {
	when := q.when()
	if when.empty() || q.lexicon != c.last.lexicon {
		return "", false
	}
	points := false
	for i := range q.toks {
		in := i >= when.from && i < when.to
		points = points || !in && (q.is("thing", q.word(i)) || q.is("demo", q.word(i)))
		if !in && q.content(i) {
			return "", false
		}
	}
	asked := lang.KindAsked(q.name, q.text)
	if !points || asked == lang.Thing || asked == lang.AsksNothing || asked != lang.KindAsked(q.name, c.last.text) {
		return "", false
	}
	return c.last.timed(q, when).text, true
}
