package offers

import (
	"testing"

	"footnote/backend/lang"
)

func TestAlphabetsAreToldApart(t *testing.T) {
	if !otherAlphabet("東京の人口は?") || otherAlphabet("Wie hoch ist der Turm (башня)?") || otherAlphabet("2+2") {
		t.Error("alphabets are wrong")
	}
}

func TestWhatQuestionWordsAskFor(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           float64
	}{
		{"Wann wurde die Brücke gebaut?", "Die Brücke wurde im Jahr 1923 gebaut.", 1},
		{"Wann wurde die Brücke gebaut?", "Die Brücke ist rot.", -1},
		{"塔は何年に建てられましたか?", "塔は1871年に建てられた。", 1},
		{"Who built the tower in Harwick?", "Harwick has a tower.", -1},
		{"Who built the tower in Harwick?", "In Harwick Ida Marsh built it.", 1},
		{"Is the tower red?", "The tower is red.", 0},
	} {
		if got := Kind(lang.AsksFor(c.question), c.question, c.text); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.question, c.text, got, c.want)
		}
	}
}

func TestWhatHasAFormIsLacking(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           bool
	}{
		{"À quelle heure ouvre la médiathèque le mercredi ?", "Samedi 12 : marché et médiathèque.", true},
		{"À quelle heure ouvre la médiathèque le mercredi ?", "Mercredi : 10h à 18h.", false},
		{"What time does the office open?", "The office is open from 9 to 5.", false},
		{"What time does the office open?", "The office is in Mill Lane 9.", true},
		{"Um wie viel Uhr beginnt die Probe?", "Die Probe beginnt um sieben.", false},
		{"Um wie viel Uhr beginnt die Probe?", "Die Probe ist am 12. März.", true},
		{"会議は何時に始まりますか?", "会議は午後2時からです。", false},
		{"会議は何時に始まりますか?", "会議は集会所で開きます。", true},
		{"¿En qué año se construyó el refugio?", "El refugio abrirá del 1 de junio al 15 de octubre.", true},
		{"¿En qué año se construyó el refugio?", "Se construyó en 1962.", false},
		{"ホールは何年に建てられましたか?", "ホールは昭和57年に建てられた。", false},
		{"À quel taux est le prêt de la Caisse du Val ?", "Le devis est de 68 400 euros, financé par un prêt sur dix ans à la Caisse du Val.", true},
		{"À quel taux est le prêt de la Caisse du Val ?", "Le prêt est à 3,2 %.", false},
		{"What percentage goes to the landlord?", "A third goes to the landlord.", false},
		{"Whats Clara Venning's phone number?", "Ask Clara Venning on May 13 and 14.", true},
		{"Whats Clara Venning's phone number?", "Clara Venning, 01632 960 114", false},
		{"Quel est le numéro de téléphone de la médiathèque ?", "Écrivez à mediatheque@saint-aubry.example.", true},
		{"Welche E-Mail-Adresse hat der Verein?", "Schreiben Sie an post@verein.example.", false},
		{"Do I have to give my phone number?", "No, you need not.", false},
		{"Why is the phone number secret?", "Because it is.", false},
	} {
		if got := Lacks(c.question, c.text); got != c.want {
			t.Errorf("%s %s: lacks it: %v", c.question, c.text, got)
		}
	}
}
