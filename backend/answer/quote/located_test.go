package quote

import (
	"footnote/backend/answer/quote/anchors"
	"slices"
	"strings"
	"testing"
)

func TestWhatAFileSaysOfItselfNamesIt(t *testing.T) {
	filing := "2023 Q3 NWD third quarter FORM 10-Q quarterly report Northwind Inc."
	for question, want := range map[string]string{
		"What was the gross margin for Northwind in its Q3 10-Q report?": "Northwind Q3 10-Q report",
		"What did Southwind's Q3 report say?":                            "Q3 report",
		"How many people work there?":                                    "",
		"Can Scribo fold lines by indent?":                               "Scribo",
		"Was ist die Kompilation bei ScriboPro?":                         "ScriboPro",
	} {
		of := filing
		if strings.Contains(question, "Scribo") { // a table of contents
			of = "For Scribo version 9. User manual of Ada Holm. ScriboPro 1 Simple things 2 Where it goes and 3 how lines fold 4 kompilation 5 Kompilation 6 Index by letter, indent and fold"
		}
		if got := anchors.NamingFile(question, of); strings.Join(got, " ") != want {
			t.Errorf("%q: %q", question, got)
		}
	}
}

func TestWordsThatNameTheFileTellItsSentencesNotApart(t *testing.T) {
	of := "2023 Q3 NWD FORM 10-Q quarterly report Northwind Inc."
	passages := []Passage{
		{ID: "a", N: 1, Title: "2023 Q3 NWD", Of: of, Text: "I have reviewed this report on Form 10-Q of Northwind Inc. I signed it.", BM: 1},
		{ID: "b", N: 1, Title: "2023 Q3 NWD > Results", Of: of, Text: "The gross margin rose to 44 percent. Inventories fell.", BM: 0.7},
	}
	question := "What was the gross margin of Northwind in the Q3 10-Q report?"
	read := reader{"gross margin rose": 6}
	deps := Deps{Checker: checkerForTest(t), Scorer: read, Near: read}
	r := Compose(t.Context(), question, passages, nil, deps)
	if len(r.Sentences) == 0 || r.Sentences[0].Passage != 1 || !strings.Contains(r.Sentences[0].Text, "gross margin") {
		t.Errorf("%s %+v", r.State, told(r))
	}
	others := slices.Clone(passages)
	others[1].Of, others[1].N = strings.ReplaceAll(of, "Northwind", "Southwind"), 2
	if with, without := r.Confidence, Compose(t.Context(), question, others, nil, deps).Confidence; without >= with {
		t.Errorf("another company's figure is as sure: %.2f, %.2f", without, with)
	}
}

func TestWhatNothingAnswersShowsTheClosestOfEachPart(t *testing.T) {
	got := merge([]Result{{State: None, Sentences: []Sentence{{Passage: 0, Text: "A."}}}, {State: None, Sentences: []Sentence{{Passage: 1, Text: "B."}}}})
	if got.State != None || len(got.Sentences) != 2 {
		t.Errorf("%+v", got)
	}
}
