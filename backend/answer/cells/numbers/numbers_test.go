package numbers

import (
	"testing"

	"footnote/backend/lang"
)

func TestFiguresAsTheirTableWritesThem(t *testing.T) {
	for _, c := range []struct {
		text  string
		comma bool
		value float64
		ok    bool
	}{
		{"1.234,50 €", true, 1234.5, true}, {"1,234.50", false, 1234.5, true}, {"1 234,5", true, 1234.5, true}, {"176.4", true, 176.4, true}, {"24,200円", false, 24200, true},
		{"(1.2)", false, -1.2, true}, {"-3", false, -3, true}, {"€ 12,50", true, 12.5, true}, {"98450 km", true, 98450, true}, {"17 %", true, 17, true},
		{"A-1", false, 0, false}, {"12.03.2025", true, 0, false}, {"3a", false, 0, false}, {"2025-01-03", false, 0, false}, {"", false, 0, false}, {"D2505005", false, 0, false},
	} {
		value, _, ok := Reader{Comma: c.comma}.Read(c.text)
		if ok != c.ok || value != c.value {
			t.Errorf("%q: %v, %v", c.text, value, ok)
		}
	}
}

func TestFiguresOfCells(t *testing.T) {
	plain := Reader{}
	for text, want := range map[string]float64{"4,210": 4210, "$ (1.5)": -1.5, "(17) %": -17, "17 %": 17, "−3": -3, "€12": 12} {
		if got, _, ok := plain.Read(text); !ok || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "–", "n/a", "12 of 40", "1,2,3", "2019-20"} {
		if got, _, ok := plain.Read(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	for want, value := range map[string]float64{"1,234,567.5": 1234567.5, "−310": -310, "0": -0.0001, "0.25": 0.25} {
		if got := Grouped(value, 2); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}

// A column of days with points says nothing of how its table writes figures.
func TestDaysAreNoFigures(t *testing.T) {
	if !ReaderOf([]string{"10.01.2024", "1200,00", "15.01.2024", "450,00", "20.02.2024"}, lang.Polish).Comma {
		t.Error("days were taken for figures with a point")
	}
}
