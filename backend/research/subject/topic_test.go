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
