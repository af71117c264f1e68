package research

import (
	"slices"
	"testing"

	"footnote/backend/answer/quote"
)

func TestATermThatATextDefinesStandsForItsSubject(t *testing.T) {
	text := "Oban Gears plc and its subsidiaries (together “Oban” or the “Company”) make gears. Kettle Ltd (“Kettle”) sued the Company."
	terms := termsIn(text, []string{"oban gears"})
	if terms == nil || !terms.MatchString("In 2023 the Company sold less.") || terms.MatchString("Any company may bid.") || terms.MatchString("Kettle sells tea.") {
		t.Errorf("%v", terms)
	}
	if terms := termsIn("Oban Gears sued Kettle Ltd (the “Defendant”) for libel.", []string{"oban gears"}); terms != nil {
		t.Errorf("%v stands for who sued", terms)
	}
}

func TestWhoSpeaksIsNotWhatAQuestionIsAbout(t *testing.T) {
	question := "What did the President say about rent and jobs?"
	if names := properNames(question); len(names) != 0 {
		t.Errorf("%q", names)
	}
	if names := properNames("Who owns the Lorne bridge?"); !slices.Equal(names, []string{"Lorne"}) {
		t.Errorf("%q", names)
	}
	if got := subjectOfQuestion("Should we use curl in our product?", nil).list; got != "curl" {
		t.Errorf("%q", got)
	}
}

func TestARunningHeadStatesNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"Oban Gears plc | Q3 2023 Report | 1":                       false,
		"By: Tim Berg Tim Berg Chief Executive Officer":             false,
		"The hall was painted in 2012 and again in 2019.":           true,
		"What was it that the hall was painted with in those days?": false,
	} {
		if got := states(quote.Sentence{Text: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSentencesOfAFormAreLeftOut(t *testing.T) {
	var all []*finding
	for i, text := range []string{"The report for the period ended April 1, 2023 complies with the act.", "The report for the period ended July 1, 2023 complies with the act.",
		"The report for the period ended June 25, 2022 complies with the act.", "In 2023 it sold 12 pumps.", "In 2022 it sold 14 pumps.", "In 2021 it sold 15 pumps."} {
		all = append(all, &finding{Sentence: quote.Sentence{Text: text, N: i + 1}})
	}
	if left := withoutForms(all); len(left) != 3 || left[0].Text != "In 2023 it sold 12 pumps." {
		t.Errorf("%d left", len(left))
	}
}
