package corrections

import (
	"testing"

	"footnote/backend/cite"
)

func TestWhatTakesAFigureBack(t *testing.T) {
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, other string
		want        bool
	}{
		{"The insurance premium was written down wrongly: it is £412, not £421.", "Renewed with Fenland Mutual at £421 for the year.", true},
		{"Es waren 23 Dosen zu 986 €, nicht zu 1.140 €.", "Der Schaden beträgt 1140 €.", true},
		{"Ferie Ilaria: non più 16-22 giugno ma 23-29 giugno.", "Ilaria chiede ferie dal 16 al 22 giugno: va bene.", true},
		{"Célia: de férias a partir de 23 de junho e não 16.", "Célia pede férias a partir de 16 de junho.", true},
		{"Il s'agit de 320 €, et non de 230 €.", "La caution est de 230 €.", true},
		{"Renewed at £421 for the year.", "The premium is £412, not £421.", false},
		{"The 421 bus does not stop here before 9.", "Renewed at £421.", false},
		{"Not all of the £421 was paid.", "Renewed at £421.", false},                                     // it tells none in its place
		{"The roof will be done not in 2025 but costs £900.", "The rent is £750 from July 2025.", false}, // a year is of much
		{"The boat takes not 12 but 10.", "Ada came on 12 May.", false},
		{"It is not known when, but £412 is due.", "Renewed at £421.", false},
	} {
		if got := Denies(c.text, c.other, checker); got != c.want {
			t.Errorf("%q takes back %q: %v", c.text, c.other, got)
		}
	}
}

func TestWhatIsAtAnotherTimeNow(t *testing.T) {
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, other string
		want        bool
	}{
		{"The fete, and our outside broadcast with it, has been moved to Saturday 26 July.", "Outside broadcast from the Wexcombe fete on Saturday 19 July, 11 to 4.", true},
		{"Der Betriebsausflug wird auf Freitag, den 20. Juni verlegt.", "Der Betriebsausflug ist am Freitag, 13. Juni.", true},
		{"The meeting has been moved to 3 May.", "Outside broadcast from the fete on 19 July.", false},
		{"Outside broadcast from the fete on 19 July.", "The outside broadcast of the fete has been moved to 26 July.", false},
	} {
		if got := Moves(c.text, c.other, checker); got != c.want {
			t.Errorf("%q moves %q: %v", c.text, c.other, got)
		}
	}
}
