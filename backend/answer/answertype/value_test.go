package answertype

import (
	"testing"

	"footnote/backend/cite"
)

func TestValuesOfTheKindAskedForDiffer(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		question, a, b string
		differ         bool
	}{
		{"When was Judge Orvik born?", "Lena Orvik (June 19, 1910 – June 5, 1988) was born in Halden.", "Judge Orvik was born on January 1, 1900.", true},
		{"When was Judge Orvik born?", "Judge Orvik was born on June 19, 1910.", "Orvik was born in 1910 in Halden.", false},
		{"How many people live in Madi?", "In 2010 about 50,000 people lived in Madi.", "In 2010 about 10,000 people lived in Madi.", true},
		{"How many people live in Madi?", "In 2010 about 50,000 people lived in Madi.", "In 2020 about 60,000 people lived in Madi.", false},
		{"Who designed the hall in Pike Street?", "The hall in Pike Street was designed by Lena Orvik.", "The hall in Pike Street was designed by Tomas Brandt.", true},
		{"What is the date of the hearing?", "The hearing has the date 3 May 2026.", "The date of the hearing is 9 June 2026.", true},
		{"Wie hoch ist die Miete?", "Die Miete beträgt 640 Euro.", "Die Miete liegt bei 675 Euro.", true},
		{"Wie hoch ist die Miete?", "Die Miete beträgt 640 Euro.", "Die Miete von 640 Euro ist am Monatsanfang fällig.", false},
		{"What is the height of the tower?", "The tower at its full height leans by 14 millimetres.", "The height of the tower is 34 metres.", false},
		{"What is the height of the tower?", "The height of the tower is 31 metres.", "The height of the tower is 34 metres.", true},
		{"Wer besitzt die Halle?", "Die Halle besitzt Frau Adler.", "Die Halle besitzt einen Keller.", false},
		{"Quand l'usine a-t-elle été inaugurée ?", "L'usine a été inaugurée en 1932.", "L'usine a été inaugurée au printemps 1934.", true},
		{"¿Quién diseñó el puente de Arcos?", "El puente de Arcos lo diseñó Lena Orvik.", "El puente de Arcos fue diseñado por Tomás Brandt.", true},
		{"Who designed the hall in Pike Street?", "The hall in Pike Street was designed by Lena Orvik.", "Orvik designed the hall in Pike Street.", false},
	} {
		a, okA := ValueOf(c, x.question, x.a)
		b, okB := ValueOf(c, x.question, x.b)
		if differ := okA && okB && a.Differs(b); differ != x.differ {
			t.Errorf("%s: %q (%v) and %q (%v): differ %v", x.question, a.Text, okA, b.Text, okB, differ)
		}
	}
	if v, ok := ValueOf(c, "How much wood did the tower of Harwick take?", "The tower of Harwick took its wood on 12 October 1874."); ok {
		t.Errorf("a day is an amount: %+v", v)
	}
	if _, ok := ValueOf(c, "Is the hall in Pike Street open?", "The hall in Pike Street is open."); ok {
		t.Error("a question for yes or no asks for no value")
	}
}
