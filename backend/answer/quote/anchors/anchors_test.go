package anchors

import "testing"

func TestNamesAndNumbersThatAPassageLacks(t *testing.T) {
	if got := NamesIn("When did Ada Lovelace's brother visit O'Hara?"); len(got) != 3 || got[1] != "Lovelace" {
		t.Errorf("names %q", got)
	}
	if got := Lacking([]string{"Ada", "1932"}, "ada was there"); got != 0.5 {
		t.Errorf("lacking %v", got)
	}
}

func TestAnotherYearStandsInThePlaceOfOne(t *testing.T) {
	a := Of("Who led the Mill in 2012?")
	for text, want := range map[string]struct {
		missing float64
		other   bool
	}{
		"Ada led it from April 2010 until April 2013.": {0, false},
		"Ada led it in 2014.":                          {1, true},
		"Ada led it.":                                  {1, false},
	} {
		if missing, other := a.MissingNumbers(text); missing != want.missing || other != want.other {
			t.Errorf("%s: %v missing, another %v", text, missing, other)
		}
	}
	if a.MissingNames("the mill was sold") != 0 || a.MissingNames("the pond") != 1 {
		t.Error("names are wrong")
	}
}

func TestAnotherMonthStandsInThePlaceOfOne(t *testing.T) {
	for _, x := range []struct {
		question, text string
		missing        float64
		other          bool
	}{
		{"Day boat takings in August 2024", "August: 4310 (income 2024)", 0, false},
		{"Day boat takings in August 2024", "In July the takings of 2024 fell.", 0.5, true},
		{"resultado de agosto del año 2023", "En 2023 el resultado fue de 58.295 euros.", 0.5, false},
		{"Was kostete das Wasser im Mai?", "Wasser, 03.05.2024: 80 Euro", 0, false},
		{"quanto si è speso ad aprile?", "Spese di marzo: 80 euro", 1, true},
		{"may members bring dogs?", "Dogs are welcome in May.", 0, false},
		{"What may I bring in May?", "In May bring a hat.", 0, false},
	} {
		if missing, other := Of(x.question).MissingNumbers(x.text); missing != x.missing || other != x.other {
			t.Errorf("%s, %s: %v %v", x.question, x.text, missing, other)
		}
	}
}
