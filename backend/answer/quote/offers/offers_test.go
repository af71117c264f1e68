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
