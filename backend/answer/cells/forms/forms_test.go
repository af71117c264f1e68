package forms

import (
	"testing"

	"footnote/backend/lang"
)

func TestFormsAreBroughtTogether(t *testing.T) {
	for word, want := range map[string]string{"Käufe": "kaufe", "réservation": "reservation", "والكهرباء": "كهرباء", "Señal": "senal"} {
		if got := string(Plain(word)); got != want {
			t.Errorf("%s: %q", word, got)
		}
	}
	for _, c := range []struct {
		code       lang.Code
		word, want string
	}{
		{lang.German, "Eintrittsgelder", "eintritt"}, {lang.German, "Nebenkosten", "neben"}, {lang.German, "Kosten", "Kosten"},
		{lang.Dutch, "huurinkomsten", "huurinkomsten"}, {lang.English, "takings", "takings"},
	} {
		if got := Untailed(c.code, c.word); got != c.want {
			t.Errorf("%s: %q", c.word, got)
		}
	}
}
