package subject

import (
	"strings"
	"testing"
)

func TestAQuestionThatAsksSeveralThingsIsTakenApart(t *testing.T) {
	for question, want := range map[string]string{
		"What work was done on the oven, and who maintains it?":       "What work was done on the oven?|Who maintains the oven?",
		"How high is the oven and what is its width?":                 "How high is the oven?|What is the oven's width?",
		"When was the oven built, and why did they choose red stone?": "When was the oven built?|Why did they choose red stone?",
		"How is the oven cleaned?":                                    "",
		"What do the oven and the mill cost and who pays?":            "",
	} {
		s := TopicOf(question, nil)
		if got := strings.Join(s.Parts(question), "|"); got != want {
			t.Errorf("%q: %q of %q", question, got, s.Things)
		}
	}
}

func TestThingsOfAQuestionAreFoundWithoutAModel(t *testing.T) {
	texts := []string{"Night trains of the Alps", "The bread oven was swept. Rye bread needs time."}
	for question, want := range map[string]string{
		"What should a baker know about the oven, the flour and the salt?": "the oven|the flour|the salt",
		"What is known about the Lorne bridge?":                            "the Lorne bridge",
		"When was the bridge over the Lorne opened?":                       "the bridge over the Lorne",
		"What is known about the path near the mill?":                      "the path near the mill",
		"How is the bread oven cleaned?":                                   "the bread oven",
		"Where is the bread oven?":                                         "the bread oven",
		"How do night trains and buses compare?":                           "night trains|buses",
		"What is the difference between rye bread and wheat bread?":        "rye bread|wheat bread",
		"Compare the oven with the stove":                                  "the oven|the stove",
		"Who was the builder of the Lorne bridge?":                         "the builder of the Lorne bridge",
		"What does a visit to the mill cost?":                              "a visit to the mill",
		"Tell me about sourdough":                                          "sourdough",
		"What work was done on the oven, and what did it cost?":            "the oven",
		"Does rye bread cause hunger among bakers?":                        "rye bread",
		"Does cold brew coffee cause hunger?":                              "cold brew coffee cause hunger",
		"Why?":                                                             "",
	} {
		if got := strings.Join(TopicOf(question, texts).Things, "|"); got != want {
			t.Errorf("%q is about %q, want %q", question, got, want)
		}
	}
}

func TestSubquestionsAreInTheLanguageOfTheQuestion(t *testing.T) {
	for question, want := range map[string]string{
		"Which is lighter, the Arden 2 or the Corrie 2?":                       "What is known about the Arden 2?|What is known about the Corrie 2?",
		"Welche Wärmepumpe ist leiser, die Nordwind 8 oder die Nordwind 12?":   "Was ist bekannt über die Nordwind 8?|Was ist bekannt über die Nordwind 12?",
		"Quel vélo a la plus grande autonomie, le Mistral 3 ou le Mistral 5 ?": "Que sait-on à propos de : le Mistral 3 ?|Que sait-on à propos de : le Mistral 5 ?",
		"¿Qué tren es más rápido, el Rayo o el Correo?":                        "¿Qué se sabe sobre el Rayo?|¿Qué se sabe sobre el Correo?",
		"Quale treno è più veloce, il Lampo o il Corriere?":                    "Che cosa si sa su il Lampo?|Che cosa si sa su il Corriere?",
		"Qual comboio é mais rápido, o Raio ou o Correio?":                     "O que se sabe sobre o Raio?|O que se sabe sobre o Correio?",
		"Welke trein is sneller, de Pijl of de Bode?":                          "Wat is er bekend over de Pijl?|Wat is er bekend over de Bode?",
		"Какой поезд быстрее, Стрела или Почта?":                               "Что известно по теме: Стрела?|Что известно по теме: Почта?",
		"Wie hoch ist der Turm der Stadtkirche in Lauterfels?":                 "",
		"Combien de temps faut-il cuire la tarte ?":                            "",
		"An welchem Wochentag wird die Biotonne geleert?":                      "",
	} {
		s, got := TopicOf(question, nil), []string(nil)
		for _, thing := range s.Things {
			asked := s.AskedOf(question, thing)
			if of, ok := ThingOf(asked); !ok || of != thing {
				t.Errorf("%q asks about %q", asked, of)
			}
			got = append(got, asked)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", question, got)
		}
	}
}
