package quote

import (
	"testing"

	"footnote/backend/evidence"
)

func TestWhatIsWorkedOutOfTheCellsOfARow(t *testing.T) {
	sales := evidence.Row{Label: "Total sales", Values: []string{"$ 4,210", "3,900", "(1,200.5)"}, Heads: []string{"2019 (in millions)", "2018", "FY17"}}
	twice := evidence.Row{Label: "Sales", Values: []string{"1", "2"}, Heads: []string{"2019 East", "2019 West"}}
	for question, want := range map[string]string{
		"What was the change in total sales between 2018 and 2019?":         "310 = $ 4,210 (2019) − 3,900 (2018), in millions",
		"By how much did total sales increase from 2018 to 2019?":           "310 = $ 4,210 (2019) − 3,900 (2018), in millions",
		"What is the percentage change in total sales from 2018 to 2019?":   "7.95 % = ($ 4,210 (2019) − 3,900 (2018)) ÷ 3,900",
		"What was the average of total sales for 2018 and 2019?":            "4,055 = (3,900 (2018) + $ 4,210 (2019)) ÷ 2, in millions",
		"What were the average total sales from 2017 to 2019?":              "2,303.167 = ((1,200.5) (2017) + 3,900 (2018) + $ 4,210 (2019)) ÷ 3, in millions",
		"What was the sum of total sales for FY17 and FY18?":                "2,699.5 = (1,200.5) (2017) + 3,900 (2018), in millions",
		"Wie hoch war die durchschnittliche Summe der Jahre 2018 und 2019?": "4,055 = (3,900 (2018) + $ 4,210 (2019)) ÷ 2, in millions",
		"What was the change in total sales between 2015 and 2019?":         "",
		"What were total sales in 2019?":                                    "",
		"What is the ratio of total sales to costs in 2018 and 2019?":       "",
		"Total sales in 2018 as a percentage of total costs?":               "",
		"What is the change in total sales?":                                "",
	} {
		if got, ok := workedOut(question, sales); got != want || ok != (want != "") {
			t.Errorf("%s\n got %q\nwant %q", question, got, want)
		}
	}
	if got, ok := workedOut("What was the change in sales between 2018 and 2019?", twice); ok {
		t.Errorf("two cells of a year gave %q", got)
	}
}

func TestFiguresOfCells(t *testing.T) {
	for text, want := range map[string]float64{"4,210": 4210, "$ (1.5)": -1.5, "(17) %": -17, "17 %": 17, "−3": -3, "€12": 12} {
		if got, _, ok := figure(text); !ok || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "–", "n/a", "12 of 40", "1,2,3", "2019-20"} {
		if got, _, ok := figure(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	for want, value := range map[string]float64{"1,234,567.5": 1234567.5, "−310": -310, "0": -0.0001, "0.25": 0.25} {
		if got := grouped(value, 2); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}
