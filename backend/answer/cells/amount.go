package cells

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells/times"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// howMuch tells whether a question counts or asks how much, where a language has one word for
// both: how much, where what figures come to, what brings them in or what is paid stands behind
// it, and nothing that could be counted.
func (m *matter) howMuch(code lang.Code, text string, asks lang.AnswerType, amounts [][2]int) {
	price := func(of string) bool { return lang.OfMoneyIn(code, lang.Price, of) }
	m.counts = m.counts && asks != lang.Time && asks != lang.Duration || asks == lang.Count
	m.amount = asks == lang.Amount
	if asks == lang.Count && len(m.words) > 0 {
		first := m.words[0]
		m.amount = within(amounts, first.at) || price(first.text)
	}
	m.vague = asks == lang.Amount && endsAsking(code, text)
	if m.amount && (len(amounts) > 0 || price(text) || m.vague) {
		m.counts = false
	}
	if m.twofold {
		m.counts, m.amount, m.what = true, true, lang.Sum
	}
}

func within(said [][2]int, at int) bool {
	return slices.ContainsFunc(said, func(s [2]int) bool { return s[0] <= at && at < s[1] })
}

// endsAsking reports whether nothing stands behind the word that asks, in a language that parts
// no words: 加起来是多少, and not 多少订单.
func endsAsking(code lang.Code, text string) bool {
	if code != lang.Chinese && code != lang.Japanese {
		return false
	}
	last := 0
	for _, said := range lang.AskedAt(code, text) {
		last = max(last, said[1])
	}
	return last > 0 && !slices.ContainsFunc(lang.Terms(code, text[last:]), func(t lang.Term) bool { return t.Means != lang.Filler })
}

// saysMoney reports whether the question tells of money: by words of prices, by what brings it
// in, or by how a name of what is paid ends: 水电费.
func (s *sheet) saysMoney() bool {
	return s.asksMoney() || s.unspaced && slices.ContainsFunc(s.code.Forms(lang.MoneyTail), func(tail string) bool { return strings.Contains(s.Text, tail) })
}

// isOfEach reports whether a figure of every month, day or hour is asked for, and nothing in
// the table says that its figures are that.
func (s *sheet) isOfEach() bool {
	said := slices.DeleteFunc(lang.OfEach(s.code, s.Text), func(at [2]int) bool { return startsTime(s.code, s.Text[at[1]:]) })
	if len(said) == 0 {
		return false
	}
	says := func(text string) bool {
		return slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool { return len(lang.OfEach(code, text)) > 0 })
	}
	if slices.ContainsFunc(s.heads, says) || says(s.rows[0].Heading+", "+s.rows[0].Section+", "+s.name()) {
		return false
	}
	for _, row := range s.rows {
		if says(row.Label) || slices.ContainsFunc(row.Values, says) {
			return false
		}
	}
	return true
}

var nextWord = pattern.New(`^[\s(]*([\pL\pM]+|\d{4}\b)`)

// startsTime reports whether a text begins with a year or a month: "im Jahr 2024".
func startsTime(code lang.Code, text string) bool {
	m := nextWord.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	_, isMonth := lang.Month(code, strings.ToLower(m[1]))
	return isMonth || times.IsNumber(m[1])
}

// isOfNow reports whether what holds now is asked for, and the rows are what happened on days.
func (s *sheet) isOfNow() bool {
	if s.what != lang.NoSum || s.thisYear || s.dates >= 0 || s.code.CountIn(lang.Fresh, s.Text) == 0 {
		return false
	}
	for at := range s.heads {
		if cells := s.cells(at); len(cells) > 0 && !slices.ContainsFunc(cells, func(c string) bool { p, _ := times.In(c, times.AnyMonth); return p.Days == 0 }) {
			return true
		}
	}
	return false
}

// isMixed reports whether the question may not mean all of the rows that are left, and does not
// say which: some were called off and others were not, or some are not paid where it asks what
// was paid; or whether it asks what was brought in, and the rows tell what was paid to others.
func (s *sheet) isMixed() bool {
	paid := len(lang.Paid(s.code, s.Text)) > 0
	for at, head := range s.heads {
		n := 0
		for _, row := range s.rows {
			if cell := s.cellAt(row, at); lang.IsVoid(cell) || paid && lang.NamesPayment(head) && (s.lacks(row, at) || lang.IsOwed(cell)) {
				n++
			}
		}
		if n > 0 && n < len(s.rows) && len(s.only[at]) == 0 && !slices.Contains(s.settled, at) {
			return true
		}
	}
	return lang.BringsIn(s.code, s.Text) && slices.ContainsFunc(s.heads, func(head string) bool {
		return lang.NamesPayee(head) && !s.isFigures(slices.Index(s.heads, head))
	})
}
