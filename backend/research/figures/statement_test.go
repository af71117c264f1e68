package figures

import (
	"strings"
	"testing"
)

func TestFiguresDifferOnlyWhereTheSameIsSaid(t *testing.T) {
	subject := []string{"acme"}
	for _, c := range []struct {
		a, b   string
		alike  float64
		differ bool
	}{
		{"In 2023 Acme sold 3,289 pumps.", "Shipments of Acme came to 4,846 pumps in 2023.", 0.69, true},
		{"In 2023 Acme sold 3,289 pumps.", "Shipments of Acme came to 3,290 pumps in 2023.", 0.69, false},
		{"Acme sold 300 pumps.", "Acme sold 120 pumps in Norway.", 0.9, false},
		{"A ticket of Acme costs 22 cents.", "A ticket of Acme costs 34 cents.", 1, true},
		{"A ticket of Acme costs 12 euros.", "A ticket of Acme costs 9 euros for children.", 0.82, false},
		{"Revenue of Acme reached 4 crowns.", "Profit of Acme reached 1 crowns.", 0.94, false},
		{"80 members voted for Acme.", "20 members voted against Acme.", 0.71, false},
		{"In 2023 Acme sold 3,289 pumps.", "Acme sold 120 boats in 2023.", 0.35, false},
	} {
		if _, _, ok := Read(c.a, subject).differ(Read(c.b, subject), c.alike); ok != c.differ {
			t.Errorf("%q and %q differ: %v", c.a, c.b, ok)
		}
	}
}

func TestFiguresAreReadInOtherLanguages(t *testing.T) {
	subject := []string{"acme"}
	for _, c := range []struct {
		a, b   string
		differ bool
	}{
		{"80 Abgeordnete stimmten für Acme.", "20 Abgeordnete stimmten gegen Acme.", false},
		{"80 députés ont voté pour Acme.", "20 députés ont voté contre Acme.", false},
		{"80 diputados votaron por Acme.", "20 diputados votaron contra Acme.", false},
		{"Eine Fahrkarte von Acme kostet 22 Euro.", "Eine Fahrkarte von Acme kostet 34 Euro.", true},
		{"Eine Fahrkarte von Acme kostet derzeit 22 Kronen.", "Heute kostet eine Fahrkarte von Acme 34 Kronen.", true},
		{"Un billet d'Acme coûte 22 euros.", "Un billet d'Acme coûte 34 euros.", true},
		{"Un billet d'Acme coûte 22 euros.", "Un billet d'Acme ne coûte pas 34 euros.", false},
		{"Acme gives a warranty of ten years.", "Acme gives a warranty of five years.", true},
		{"Acme employed 312 people at the end of 2024.", "At the end of 2024 Acme employed 290 people, says Fenwick.", true},
		{"Acme beförderte 2024 184 000 Gäste.", "Acme beförderte 2024 191 000 Gäste.", true},
		{"Acme hat 5,9 Prozent Zins.", "Acme hat 5,9 Prozent Zins.", false},
		{"80 members voted for Acme.", "20 members didn’t vote for Acme.", false},
		{"80 members voted for Acme.", "20 members mustn’t vote for Acme.", false},
	} {
		if _, _, ok := Read(c.a, subject).differ(Read(c.b, subject), 0.9); ok != c.differ {
			t.Errorf("%q and %q differ: %v, %+v, %+v", c.a, c.b, ok, Read(c.a, subject), Read(c.b, subject))
		}
	}
	for text, unit := range map[string]string{"Acme baut am 3. März 5 Pumpen.": "pump", "Acme wog 3 Tonnen.": "t", "Acme pesait 3 tonnes.": "t"} {
		if got := Read(text, subject).counts; len(got) == 0 || !strings.HasPrefix(got[len(got)-1].unit, unit) {
			t.Errorf("%q counts %+v", text, got)
		}
	}
}

func TestWhatANewerSourceDeniesIsReplaced(t *testing.T) {
	subject := []string{"tolva"}
	old := Read("Tolva is published under the Brecon licence.", subject)
	for text, want := range map[string]bool{
		"From version 6 Tolva is no longer published under the Brecon licence.": true,
		"Tolva is no longer published under the Lorne licence.":                 false,
		"From version 6 Tolva is published under the Brecon licence.":           false,
		"Tolva is not painted.": false,
	} {
		if got := old.DeniedBy(Read(text, subject)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
