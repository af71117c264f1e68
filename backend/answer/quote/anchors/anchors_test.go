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
