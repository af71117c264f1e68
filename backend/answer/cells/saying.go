package cells

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footnote/backend/answer/cells/times"
)

// saying is the head of a column and what the rows were chosen by.
func (s *sheet) saying(at int) string {
	said := append([]string{s.heads[at]}, s.conditions()...)
	return strings.Join(slices.DeleteFunc(said, func(t string) bool { return strings.TrimFunc(t, unicode.IsSpace) == "" }), ", ")
}

// conditions are the cells and the years that the rows were chosen by.
func (s *sheet) conditions() (said []string) {
	for i, head := range s.heads {
		if cells := s.only[i]; len(cells) > 0 && len(cells) <= 3 {
			said = append(said, strings.TrimPrefix(strings.TrimSpace(head)+": "+strings.Join(cells, ", "), ": "))
		}
	}
	if years := s.yearsSaid(); s.dates >= 0 && len(years) > 0 {
		said = append(said, strings.Join(years, ", "))
	}
	return said
}

// yearsSaid are the years that the question names, or means by this year.
func (s *sheet) yearsSaid() (years []string) {
	asked, _ := times.In(s.Text, func(string) (int, bool) { return 0, false })
	if s.thisYear {
		asked.Years = []int{s.lastYear()}
	}
	for _, y := range asked.Years {
		years = append(years, strconv.Itoa(y))
	}
	return years
}
