package labels

import (
	"testing"

	"footnote/backend/evidence"
)

func TestADateIsNamedInAnyOfItsForms(t *testing.T) {
	for question, named := range map[string]bool{
		"What was paid on 6 May 2024?":          true,
		"What was paid on May 6, 2024?":         true,
		"What was paid on the 6th of May 2024?": true,
		"Was wurde am 6.5.2024 bezahlt?":        true,
		"What was paid on 16 May 2024?":         false,
	} {
		if got := NamesBare(question, "2024-05-06"); got != named {
			t.Errorf("%s: %v", question, got)
		}
	}
	if !NamesBare("How many came in March 2023?", "2023-03") || NamesBare("What is 112 for?", "12") {
		t.Error("a month is not named, or a number is by a longer one")
	}
}

func TestLabelsWithoutLettersAreBare(t *testing.T) {
	if !IsBare("2024-05-06") || !IsBare("4,711") || IsBare("Q3") || !IsDay("2024-05-06") || IsDay("2024-13-01") {
		t.Error("bare labels or days")
	}
	if !TellsTime(evidence.Row{Label: "Ferry", Values: []string{"07:40"}}) || TellsTime(evidence.Row{Label: "Ferry", Values: []string{"red"}}) {
		t.Error("rows that tell a time")
	}
}
