package subject

import (
	"slices"
	"testing"
)

func TestATermThatATextDefinesStandsForItsSubject(t *testing.T) {
	text := "Oban Gears plc and its subsidiaries (together “Oban” or the “Company”) make gears. Kettle Ltd (“Kettle”) sued the Company."
	terms := anyOf(termsIn(text, []string{"oban gears"}))
	if terms == nil || !terms.MatchString("In 2023 the Company sold less.") || terms.MatchString("Any company may bid.") || terms.MatchString("Kettle sells tea.") {
		t.Errorf("%v", terms)
	}
	if terms := termsIn("Oban Gears sued Kettle Ltd (the “Defendant”) for libel.", []string{"oban gears"}); len(terms) > 0 {
		t.Errorf("%v stands for who sued", terms)
	}
}

func TestWhoSpeaksIsNotWhatAQuestionIsAbout(t *testing.T) {
	question := "What did the President say about rent and jobs?"
	if names := Names(question); len(names) != 0 {
		t.Errorf("%q", names)
	}
	if names := Names("Who owns the Lorne bridge?"); !slices.Equal(names, []string{"Lorne"}) {
		t.Errorf("%q", names)
	}
	if got := TopicOf("Should we use curl in our product?", nil).List; got != "curl" {
		t.Errorf("%q", got)
	}
}
