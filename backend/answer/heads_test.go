package answer_test

import (
	"strings"
	"testing"
)

func TestRowsThatAreQuotedNameTheirColumns(t *testing.T) {
	bills := "year  month  heating  electricity\n2023  December  155.20  64.30\n2024  January  182.40  66.10\n2024  February  171.10  63.00\n"
	a := tabled(t, map[string]string{"/x/bills.csv": bills}, "What did we pay for heating in 2024?", 0)
	if !strings.Contains(a.Answer, "January: year: 2024; heating: 182.40; electricity: 66.10") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}
