package versions

import (
	"strconv"

	"footnote/backend/answer/answertype"
	"footnote/backend/cite"
	"footnote/backend/pattern"
)

// Version is what a text is called, and when it is from.
type Version struct {
	Called string // as Called; empty for a page that has a date of its own
	Dated  int    // as Of; 0 for unknown
}

// Month is the year and month that a text is called by, as "2024-03"; empty where its name has no
// month.
func (v Version) Month() string {
	if v.Called == "" || v.Dated/100%100 == 0 {
		return ""
	}
	return Date(v.Dated / 100 * 100)
}

// WithYear is a date of a page with the year of the page, where it has none; added tells
// whether it had none. How files are called says less of the days in them.
func (v Version) WithYear(date string) (with string, added bool) {
	if v.Called != "" || v.Dated == 0 || date == "" || year.MatchString(date) {
		return date, false
	}
	return date + " (" + strconv.Itoa(v.Dated/10000) + ")", true
}

var year = pattern.New(`\d{4}`)

// Statement is a sentence of a text.
type Statement struct {
	Text string
	Version
}

// Outdates reports whether a statement takes the place of an older one for a question:
// the same of a later text of its series, or of a newer page, which says another name,
// time or amount where the question asks for one. What was once does not get old.
func (s Statement) Outdates(old Statement, c *cite.Checker, question string) bool {
	if old.Dated == 0 || s.Dated <= old.Dated || (s.Called == "") != (old.Called == "") {
		return false
	}
	if s.Called != "" {
		return SameSeries(s.Called, old.Called) && SameMatter(c.Terms(s.Text), c.Terms(old.Text))
	}
	now, ok := answertype.ValueOf(c, question, s.Text)
	was, had := answertype.ValueOf(c, question, old.Text)
	if now, was = now.ToldIn(s.Dated/10000), was.ToldIn(old.Dated/10000); ok && had {
		return now.Differs(was) && !was.Past()
	}
	return ok == had && SameMatter(c.Terms(s.Text), c.Terms(old.Text))
}
