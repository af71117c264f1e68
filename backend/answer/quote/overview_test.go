package quote

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestWhatAnOverviewIsAskedOf(t *testing.T) {
	for question, want := range map[string]string{
		"Summarise the minutes":                        "the minutes",
		"Please summarize our 2025 budget.":            "our 2025 budget",
		"Give me a short summary of the lease":         "the lease",
		"What are the key points of the survey?":       "the survey",
		"What is the visitor guide about?":             "the visitor guide",
		"What does the letter from the society say?":   "the letter from the society",
		"TL;DR keeper's log":                           "keeper's log",
		"Fasse das Protokoll zusammen":                 "das Protokoll",
		"Résume le contrat":                            "le contrat",
		"What does the guide say about dogs?":          "",
		"Who wrote the summary of the report in 2019?": "",
		"How high is the tower?":                       "",
	} {
		if of, ok := AsksOverview(question); of != want || ok != (want != "") {
			t.Errorf("%s: %q", question, of)
		}
	}
}

func TestAnOverviewTakesWhatAFileSpeaksOf(t *testing.T) {
	file := []rank.Candidate{
		{Passage: evidence.Passage{Text: "The roof of the boathouse leaks and the roof timbers are wet. Nobody came on the second Tuesday of the very long month of May this year. A new roof for the boathouse costs 25,000 euro."}},
		{Passage: evidence.Passage{Text: "The trustees want the boathouse roof repaired before winter. Who will pay for the roof of the boathouse then? Is it wet?"}},
	}
	got := overviewSentences(checkerForTest(t), file)
	if len(got) != 4 || got[0].Text != "The roof of the boathouse leaks and the roof timbers are wet." || got[3].Passage != 1 {
		t.Fatalf("%+v", got)
	}
	for _, s := range got {
		if strings.HasSuffix(s.Text, "?") || file[s.Passage].Passage.Text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}
