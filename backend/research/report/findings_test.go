package report

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/research/headings"
	"footnote/backend/research/subject"
)

func TestARiskIsNotSaidToBeMissingUnderItsOtherHeading(t *testing.T) {
	var hole, late headings.Headed
	hole[slices.Index(headings.All, headings.Risks)], hole[slices.Index(headings.All, headings.Security)] = 0.96, 0.03
	late[slices.Index(headings.All, headings.Risks)], late[slices.Index(headings.All, headings.Timeline)] = 0.8, 0.02
	for f, want := range map[*finding]map[string]bool{
		{likely: hole}:                    {headings.Risks: true, headings.Security: true, headings.Timeline: false},
		{likely: late}:                    {headings.Risks: true, headings.Security: false, headings.Timeline: false},
		{likely: hole, newer: &finding{}}: {headings.Risks: false, headings.Security: false},
	} {
		for heading, bears := range want {
			if f.bears(heading) != bears {
				t.Errorf("%v: %s", f.likely, heading)
			}
		}
	}
}

func TestWhatIsHardlyLikelierThanTheRestStandsUnderNoHeading(t *testing.T) {
	likely := func(shares map[string]float64) (h headings.Headed) {
		for heading, share := range shares {
			h[slices.Index(headings.All, heading)] = share
		}
		return h
	}
	guess := likely(map[string]float64{headings.Security: 0.3, headings.Licence: 0.28, headings.Timeline: 0.22, headings.Other: 0.2})
	sure := likely(map[string]float64{headings.Security: 0.6, headings.Other: 0.4})
	against := likely(map[string]float64{headings.Risks: 0.35, headings.Weaknesses: 0.3, headings.Security: 0.35})
	for heading, likely := range map[string]headings.Headed{headings.Other: guess, headings.Security: sure, headings.Risks: against} {
		if f := (&finding{likely: likely}); f.heading() != heading {
			t.Errorf("%v stands under %s, not under %s", likely, f.heading(), heading)
		}
	}
}

func TestTheTermsOfALicenceAreNoFindings(t *testing.T) {
	var licensing, other headings.Headed
	licensing[slices.Index(headings.All, headings.Licence)], other[slices.Index(headings.All, headings.Other)] = 0.8, 0.9
	w := &reporter{Input: Input{Subject: &subject.Reader{Question: "Oban Gears", Topic: "Oban Gears"}}}
	of := func(source string, likely headings.Headed, texts ...string) (all []*finding) {
		for _, text := range texts {
			all = append(all, &finding{Sentence: quote.Sentence{Text: text}, source: evidence.Source{ID: evidence.SourceID(source)}, likely: likely})
		}
		return all
	}
	all := slices.Concat(
		of("licence", licensing, "Oban Gears may be copied under these terms.", "You may copy the work.", "Each holder grants you a right.", "No fee may be charged."), of("licence", other, "You are not liable.", "This is void in some states."),
		of("news", licensing, "The licence ends in May."), of("news", other, "The hall is green."))
	if left := w.withoutLicences(all); len(left) != 3 || left[1].Text != "The licence ends in May." {
		t.Errorf("%d left", len(left))
	}
}

func TestAnAnswerToAQuestionIsNoFinding(t *testing.T) {
	text := "Does it rust? We did not see any. The wheel is sound."
	for sentence, want := range map[string]bool{"We did not see any.": true, "The wheel is sound.": false} {
		at := strings.Index(text, sentence)
		if got := answersAsked(quote.Sentence{Text: sentence, Span: evidence.Span{Start: at, End: at + len(sentence)}}, quote.Passage{Text: text}); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
	if s := (quote.Sentence{Text: "We did not see any."}); !answersAsked(s, quote.Passage{Title: "Wheels > Does it rust?", Text: s.Text}) {
		t.Error("below a heading that asks")
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

func TestASentenceMayLeanOnTheParagraphBefore(t *testing.T) {
	text := "The rope has broken wires.\n\nIt must be replaced by winter.\n\nBrakes\n\nThey were not tested."
	passages := []quote.Passage{{Text: text}}
	of := func(sentence string) []quote.Sentence {
		at := strings.Index(text, sentence)
		return inContext(subject.Matter{}, quote.Sentence{Text: sentence, Span: evidence.Span{Start: at, End: at + len(sentence)}}, passages)
	}
	if got := of("It must be replaced by winter."); len(got) != 2 || got[0].Text != "The rope has broken wires." {
		t.Errorf("%+v", got)
	}
	if got := of("They were not tested."); len(got) != 0 {
		t.Errorf("behind a heading: %+v", got)
	}
}
