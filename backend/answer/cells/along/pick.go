package along

import (
	"cmp"
	"footnote/backend/answer/cells/times"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// Asked is a question as it is held against rows of tables.
type Asked struct {
	Text    string
	Checker *cite.Checker
	Period  times.Period
	terms   []cite.Term // of content, without numbers
	latest  bool
}

var partText = pattern.New(`\pL+|\d+`)

var latestText = pattern.New(`(?i)\b(?:latest|most recent|current|newest|last (?:reported |fiscal )?(?:quarter|year|period|report)|neueste\w*|jüngste\w*|letzte\w*|aktuell\w*|derni(?:er|ère)s?|plus récente?s?|último|última|más reciente|ultim[oa]|più recente)\b`)

// Read reads a question.
func Read(c *cite.Checker, question string) Asked {
	terms := slices.DeleteFunc(c.Terms(question), func(t cite.Term) bool { return times.IsNumber(t.Stem) })
	return Asked{Text: question, Checker: c, Period: times.PeriodOf(question), terms: terms, latest: latestText.MatchString(question)}
}

// Choice is what a question says of the cells of a row.
type Choice struct {
	At     int // which value it asks for; -1 where that cannot be told
	Period int // 1 when the row has a cell of the time that is asked for, -1 when its cells are of others, 0 when nothing tells
}

const (
	headEnough = 0.5  // share of a head that names its column
	headAhead  = 0.15 // of the next best one
	headPeriod = 0.35 // what the time that is asked for is worth beside it
)

// Choose tells which cell of a row a question asks for. of is what the row's file
// says of itself, its name first.
func (a Asked) Choose(row evidence.Row, of string) Choice {
	heads := make([]string, len(row.Values))
	copy(heads, row.Heads)
	c := a.column(heads, strings.Join([]string{row.Label, row.Section}, " "), row.Heading, of)
	if c.At < 0 && len(row.Values) == 1 && c.Period >= 0 {
		c.At = 0
	}
	if c.At >= 0 && Named(a.Text, row.Values[c.At]) { // it is given, and something else asked for
		c.At = -1
	}
	return c
}

// Named reports whether a text has the words of a cell, whole.
func Named(text, cell string) bool {
	words := Words(cell)
	return strings.ContainsFunc(words, unicode.IsLetter) && strings.Contains(" "+Words(text)+" ", " "+words+" ")
}

// Words are the words and numbers of a text in lower case, and nothing between them but spaces.
func Words(text string) string {
	return strings.Join(partText.FindAllString(strings.ToLower(text), -1), " ")
}

// List names several things, one after the other: commas may stand in a name.
func List(names []string) string {
	between := ", "
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, between) }) {
		between = "; "
	}
	return strings.Join(names, between)
}

// column tells which of several heads names the cells that are asked for, and
// whether what stands around them is of the time that is asked for.
func (a Asked) column(heads []string, around ...string) Choice {
	c := Choice{At: -1}
	ownPeriod := a.isOf(around[len(around)-1]) // "Q3 2023" is how the file calls its own
	type scored struct {
		at, period, last int
		share            float64
	}
	var all []scored
	dated := false
	for i, h := range heads {
		p := times.PeriodOf(h)
		s := scored{at: i, period: a.Period.Against(p), last: p.Last(), share: a.shareOf(withoutNumbers(a.Checker.Terms(h)))}
		if ownPeriod && s.period < 0 && (a.Period.Length == 0 || p.Length == 0 || p.Length == a.Period.Length) {
			s.period = 0
		}
		dated = dated || len(p.Years) > 0
		all = append(all, s)
	}
	if len(all) == 0 {
		return c
	}
	best := slices.MaxFunc(all, func(x, y scored) int { return cmp.Compare(x.period, y.period) })
	c.Period = best.period
	for _, text := range around {
		if c.Period == 0 {
			c.Period = a.Period.Against(times.PeriodOf(text))
		}
	}
	all = slices.DeleteFunc(all, func(s scored) bool { return s.period < min(best.period, 0) })
	if (a.latest || ownPeriod) && dated && len(all) > 1 {
		late := slices.MaxFunc(all, func(x, y scored) int { return cmp.Compare(x.last, y.last) }).last
		all = slices.DeleteFunc(all, func(s scored) bool { return s.last < late })
		c.Period = max(c.Period, 1)
	}
	worth := func(s scored) float64 { return s.share + headPeriod*float64(s.period) }
	slices.SortStableFunc(all, func(x, y scored) int { return cmp.Compare(worth(y), worth(x)) })
	told := all[0].share >= headEnough || all[0].period > 0 || len(all) == 1 && c.Period > 0
	if c.Period >= 0 && told && (len(all) == 1 || worth(all[0]) >= worth(all[1])+headAhead) {
		c.At = all[0].at
	}
	return c
}

// isOf reports whether a file names the quarter and the year of a question its own.
func (a Asked) isOf(of string) bool {
	if a.Period.Quarters == 0 || len(a.Period.Years) == 0 {
		return false
	}
	const name = 120
	p := times.PeriodOf(of[:min(len(of), name)])
	return p.Quarters&a.Period.Quarters != 0 && slices.Equal(p.Years, a.Period.Years)
}

func withoutNumbers(terms []cite.Term) []cite.Term {
	return slices.DeleteFunc(terms, func(t cite.Term) bool { return times.IsNumber(t.Stem) })
}

// shareOf is the share of the terms' weight that the question has.
func (a Asked) shareOf(terms []cite.Term) float64 {
	asked, whole := 0.0, 0.0
	for _, t := range terms {
		asked += t.Weight * likeness(t, a.terms)
		whole += t.Weight
	}
	if whole == 0 {
		return 0
	}
	return asked / whole
}

func likeness(t cite.Term, among []cite.Term) (best float64) {
	for _, o := range among {
		if best = max(best, o.Alike(t)); o.IsForm(t) {
			return 1
		}
	}
	return best
}
