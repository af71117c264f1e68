package answertype

import (
	"testing"

	"footnote/backend/cite"
)

func TestWhatIsAskedForIsFoundInTheLanguageOfTheText(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		question, yes, no string
	}{
		{"What does the pump cost?", "The pump costs 640 euros.", "The pump stands in the cellar."},
		{"Was kostet die neue Pumpe im Keller?", "Die Pumpe kostet 640 Euro.", "Die Pumpe steht im Keller."},
		{"Combien coûte la pompe de la cave ?", "La pompe coûte 640 €.", "La pompe se trouve dans la cave."},
		{"Wann wurde die Halle in Halden eröffnet?", "Sie wurde am 3. Mai 1932 eröffnet.", "Sie wurde von Frau Adler eröffnet."},
		{"Когда была построена эта башня?", "Башня построена 3 мая 1932 года.", "Башня построена из камня."},
		{"Pourquoi la machine est-elle arrêtée ?", "Elle est arrêtée parce que le moteur est cassé.", "Elle est arrêtée dans la cave."},
		{"塔はいつ建てられましたか？", "塔は1932年に建てられた。", "塔は石で建てられた。"},
	} {
		want := Of(c, x.question)
		if !want.Particular() || !want.Fulfilled(x.yes) || want.Fulfilled(x.no) {
			t.Errorf("%s: %v, %v in %q, %v in %q", x.question, want.Particular(), want.Fulfilled(x.yes), x.yes, want.Fulfilled(x.no), x.no)
		}
	}
}

func TestTheOnlyDateIsReadInItsLanguage(t *testing.T) {
	for _, x := range [][3]string{
		{"When did it open?", "It opened on 3 May 1932 in the old town.", "3 May 1932"},
		{"In which year did it open?", "It opened on May 3, 1932 in the old town.", "1932"},
		{"When did it open?", "It opened in 1932 and closed in 1940.", ""},
		{"When did it open?", "It was open 1990–1991 for the public.", ""},
		{"Wann wurde die Halle eröffnet?", "Die Halle wurde am 3. Mai 1932 in der Altstadt eröffnet.", "3. Mai 1932"},
		{"Wann endet der Vertrag?", "Er wird nicht verlängert und endet am 30.06.2024.", "30.06.2024"},
		{"When does it end?", "It ends on 2024-06-30 for all.", "2024-06-30"},
		{"Quand la salle a-t-elle ouvert ?", "La salle a ouvert le 3 mai 1932 dans la vieille ville.", "3 mai 1932"},
		{"¿Cuándo se abrió la sala?", "La sala se abrió el 3 de mayo de 1932 en la ciudad vieja.", "3 de mayo de 1932"},
		{"Когда открыли этот зал?", "Этот зал открыли 3 мая 1932 года в старом городе.", "3 мая 1932"},
		{"いつ開館しましたか？", "この館は1932年5月3日に開館しました。", "1932年5月3日"},
	} {
		if got := OnlyDate(x[0], x[1]); got != x[2] {
			t.Errorf("%s %s: %q, want %q", x[0], x[1], got, x[2])
		}
	}
}
