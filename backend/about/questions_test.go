package about

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

func TestQuestionsAreMadeOfStatements(t *testing.T) {
	for text, want := range map[string][]string{
		"The tower of Skerry Point is 34 metres high. It was painted in 1931. The lamp was first lit in October 1889 by the keeper.": {
			"When was the lamp first lit by the keeper?", "How high is the tower of Skerry Point?"},
		"The Fresnel lens is a thin lens with steps. The annual fee is 25 euro. When the gate is shut, there was a call in 1901.": {
			"What is the annual fee?", "What is the Fresnel lens?"},
		"Der Leuchtturm ist 34 Meter hoch und der Wärter wohnt darin. Der Turm wurde im Jahr 1889 von Ada Fischer gebaut. Die Brücke ist 120 Meter lang.": {
			"Wann wurde der Turm von Ada Fischer gebaut?", "Wie lang ist die Brücke?", "Was ist der Leuchtturm?"},
		"La tour a été construite en 1889. La lampe est une lentille avec des pas. Elle est dans la maison et le gardien est avec nous pour la vie.": {
			"Quand est-ce que la tour a été construite ?", "Qu’est-ce que la lampe ?"},
		"La torre fue construida en 1889. La lámpara es una lente con los escalones, y el faro no está para los barcos. Esta es la casa que era de todos.": {
			"¿Cuándo fue construida la torre?", "¿Qué es la lámpara?"},
		"How do I shut the gate? Turn the key twice and pull the bar.":             {"How do I shut the gate?"},
		"Nothing here. They were late. This is a pen. If it is a bird, let it go.": nil,
	} {
		if have := Questions(text, nil); !slices.Equal(have, want) {
			t.Errorf("%s\n have %q\n want %q", text, have, want)
		}
	}
}

func TestStepsTermsAndNoPiecesOfProgramsAreAsked(t *testing.T) {
	for text, want := range map[string][]string{
		"To close your book, choose Close from the menu. To date, nothing is known of the house. To our surprise, we were in the house.":                             {"How do I close my book?"},
		"In order to print a page, you have to open the door of the house. To the left, turn the key.":                                                               {"How do I print a page?"},
		"Um ein Konto abzugleichen, wählen Sie den Eintrag im Menü. Um Ihre Daten zu sichern, ist der Knopf da. Um vier Uhr, wenn der Tag endet, ist die Tür zu.":    {"Wie kann ich meine Daten sichern?", "Wie kann ich ein Konto abgleichen?"},
		"Para crear una cuenta, pulse el botón de la barra. Para la mayoría de los usuarios, esta es la orden que se usa.":                                           {"¿Cómo crear una cuenta?"},
		"Pour créer un compte, cliquez sur le bouton de la barre. Pour la plupart des gens, ce bouton est dans la barre.":                                            {"Comment créer un compte ?"},
		"“Covered Software” means the source code of the work. “Yes” he said to the man of the house.":                                                               {"What does Covered Software mean?"},
		"plot 'file' using 1:($4<0) ? The house is there for all of us. Internally all times are a number of seconds. A product is a consumer product of the house.": nil,
		"The lamp is a light of the tower. The tower has a lamp and the lamp of the tower is bright. The gate is a thing of the keepers.":                            {"What is the lamp?", "What is the gate?"},
	} {
		if have := Questions(text, nil); !slices.Equal(have, want) {
			t.Errorf("%s\n have %q\n want %q", text, have, want)
		}
	}
}

func TestAHeadingThatAsksHow(t *testing.T) {
	for text, want := range map[string]string{
		"Guide\nHow to close a book\nThe book is in the menu of the house.":               "How do I close a book?",
		"Guía\nCómo crear una cuenta\nLa cuenta está en la barra de la casa.":             "¿Cómo crear una cuenta?",
		"Terms\n1.4. “Covered Software”\nmeans the source code of the work in the house.": "What does Covered Software mean?",
	} {
		lines := strings.SplitAfter(text, "\n")
		title, head := len(lines[0]), len(lines[0])+len(lines[1])
		blocks := []evidence.Block{{Kind: evidence.Heading, End: title - 1}, {Kind: evidence.Heading, Start: title, End: head - 1}}
		if have := Questions(text, blocks); !slices.Equal(have, []string{want}) {
			t.Errorf("%s\n have %q\n want %q", text, have, want)
		}
	}
}

func TestHeadingsAreAskedLast(t *testing.T) {
	text := "The museum\nOpening hours\nThe house is a museum with rooms.\nWhat does it cost?\nNothing for children."
	at := func(s string) evidence.Span {
		start := 0
		for i := range text {
			if text[i:min(len(text), i+len(s))] == s {
				start = i
			}
		}
		return evidence.Span{Start: start, End: start + len(s)}
	}
	var blocks []evidence.Block
	for _, head := range []string{"The museum", "Opening hours", "What does it cost?"} {
		s := at(head)
		blocks = append(blocks, evidence.Block{Kind: evidence.Heading, Start: s.Start, End: s.End})
	}
	have := Questions(text, blocks)
	if len(have) < 2 || have[0] != "What does it cost?" || have[len(have)-1] != "What does it say about Opening hours?" {
		t.Errorf("%q", have)
	}
}

func TestAHeadingIsAskedAboutInASentence(t *testing.T) {
	for text, want := range map[string][]string{
		"Kitchen book\nLeek and potato soup\nThe soup with leeks keeps for two days.":     {"What does it say about Leek and potato soup?"},
		"Kitchen book\nLeek soup\nThe soup with a leek is the one that keeps.":            {"What does it say about leek soup?"},
		"Kochbuch\nLauchsuppe\nDie Suppe ist mit Lauch und die Kartoffeln sind von hier.": {"Was steht dort über Lauchsuppe?"},
		"Kitchen book\nReady?\nThe soup with a leek is the one that keeps.":               nil,
		"料理の本\nスープ\nスープは体を温める食べ物です。":                                                      nil,
	} {
		lines := strings.SplitAfter(text, "\n")
		title, head := len(lines[0]), len(lines[0])+len(lines[1])
		blocks := []evidence.Block{{Kind: evidence.Heading, End: title - 1}, {Kind: evidence.Heading, Start: title, End: head - 1}}
		if have := Questions(text, blocks); !slices.Equal(have, want) {
			t.Errorf("%s\n have %q\n want %q", text, have, want)
		}
	}
}

func TestEveryFrameIsWhole(t *testing.T) {
	for code, f := range frames() {
		if !lang.Code(code).Known() || len(f.be) == 0 || len(f.article) == 0 || f.when == "" || f.what == "" || !strings.Contains(f.about, "{heading}") || (f.how == "") != (f.degree == nil) {
			t.Errorf("%s: %+v", code, f)
		}
	}
}
