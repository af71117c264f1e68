package cells

import (
	"strconv"
	"strings"

	"footnote/backend/lang"
)

// partsOf are the parts of a question that each ask something.
func partsOf(code lang.Code, text string) (parts []string) {
	if code == lang.Chinese || code == lang.Japanese {
		return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、。？?;；", r) })
	}
	for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("?？؟;", r) }) {
		parts = append(parts, code.CutJoints(sentence)...)
	}
	return parts
}

// isTwofold reports whether a question asks in one part how many there are of something and in
// another how much they are.
func (a Asked) isTwofold(code lang.Code) bool {
	many, much := false, false
	for _, part := range partsOf(code, a.Text) {
		asks, amounts := lang.KindAsked(code, part), len(lang.Amounts(code, part)) > 0
		what, _ := lang.Calculates(code, part)
		money := amounts || lang.OfMoneyIn(code, lang.Price, part)
		switch {
		case (money || what == lang.Sum && asks == lang.Amount) && many:
			much = true
		case asks == lang.Count && !money:
			many = true
		}
	}
	return many && much
}

// countedAndAdded is how many rows the question names, and what their figures come to.
func (s *sheet) countedAndAdded() (t Tally, ok bool) {
	for at, head := range s.heads {
		if s.isFigures(at) && (s.firstIs(head) && !s.unspaced || s.unspaced && strings.Contains(partsOf(s.code, s.Text)[0], head)) { // of nights, hours: no number of rows
			return t, false
		}
	}
	s.counts = false
	c := s.chosen()
	s.counts = true
	if !c.found || len(s.rows) < 2 {
		return t, false
	}
	s.accountFor(c)
	t, conditions, ok := s.judged(c, false)
	if !ok {
		return t, false
	}
	t, ok = s.figured(t, c.at, conditions, true, true)
	t.Text = strconv.Itoa(len(s.rows)) + " – " + t.Text
	return t, ok
}
