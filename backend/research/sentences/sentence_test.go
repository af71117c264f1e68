package sentences

import (
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"strings"
	"testing"
)

func TestARunningHeadStatesNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"Oban Gears plc | Q3 2023 Report | 1":                       false,
		"Prepared by Oban Labs, January 2025.":                      false,
		"Despacho Olmedo y Asociados, 3 de marzo de 2025.":          false,
		"The hall was painted in Leeds, and sold in 2019.":          true,
		"Verwaltungsratspräsidentin ist Regula Ammann.":             true,
		"Official gazette, reading room, second floor.":             false,
		"Revenue, profit and debt rose in May.":                     true,
		"Lunch was very good.":                                      false,
		"By: Tim Berg Tim Berg Chief Executive Officer":             false,
		"The hall was painted in 2012 and again in 2019.":           true,
		"What was it that the hall was painted with in those days?": false,
		"define worth(s, d, t) = market(5 EUR, d, t)":               false,
		"valuation = worth[$20] if not {flat}":                      false,
		"The pump (model B) has run since 2019":                     true,
		"¹See the chapter on pumps and their valves.":               false,
		"1⁵See the chapter on pumps and their valves.":              false,
		"15See the chapter on pumps and their valves.":              false,
		"3D models of the pump are kept in the hall.":               true,
		"© 2019 to 2023 Oban Gears, its owners and friends.":        false,
		"See the licence</a> for details of the pump.":              false,
		"Then run the pump with its lid closed, like this:":         false,
	} {
		if got := States(quote.Sentence{Text: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestALineWithoutAnEndMayBreakOff(t *testing.T) {
	for text, want := range map[string]bool{
		"more open, faster work":                       true,
		"The buyer of the pump needs to":               true,
		"Oban Gears does not work with old pumps":      false,
		"pumps of the old kind run in the north wing.": false,
	} {
		if got := Breaks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAnItemIsTakenWithoutItsMark(t *testing.T) {
	text := "News:\n- The pump was recalled."
	s := WithoutMark(quote.Sentence{Text: text[6:], Span: evidence.Span{Start: 6, End: len(text)}})
	if s.Text != "The pump was recalled." || text[s.Span.Start:s.Span.End] != s.Text {
		t.Errorf("%q", s.Text)
	}
}

func TestTheIndexOfASearchIsAListing(t *testing.T) {
	for text, want := range map[string]bool{
		`"why pumps": [[3, "why-pumps"]], "Main features": [[11, "main-features"], [17, "main-features"]], "Easy to use": [[11, "easy"]]`: true,
		"{\"pump\": \"B\"}\nThe pump was recalled in May 2021 after two fires.":                                                           false,
		"| Pump | Price |\n|---|---|\n| B | 200 |":                                                                                        false,
		"The pump was recalled in May 2021.":                                                                                              false,
	} {
		if got := IsListing(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestARemarkInBracketsEndsItsSentence(t *testing.T) {
	text := "The list of servers is limited. (CVE-2024-1)\n\nA leak was fixed. (It was small.) More follows."
	for sentence, want := range map[string]string{"The list of servers is limited.": " (CVE-2024-1)", "A leak was fixed.": ""} {
		at := strings.Index(text, sentence)
		s := WithRemark(quote.Sentence{Text: sentence, Span: evidence.Span{Start: at, End: at + len(sentence)}}, text)
		if s.Text != sentence+want || text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}

func TestAPartOfASentenceIsAFragment(t *testing.T) {
	text := "You may not charge a fee, and you may\nnot impose a royalty for exercise of rights granted here.\n# The pump is old. It has\n# no guard, so nobody may\n# touch it while it runs.\n\nThe tower, which was built long ago, is high.\nProgram), the buyer gets a key. a) The key is new."
	for sentence, want := range map[string]bool{
		"You may not charge a fee, and you may":                     true,
		"not impose a royalty for exercise of rights granted here.": true,
		"Program), the buyer gets a key.":                           true,
		"a) The key is new.":                                        false,
		"The pump is old.":                                          false,
		"It has":                                                    true,
		"touch it while it runs.":                                   true,
		"which was built long ago, is high":                         false, // the clause of a long sentence
		"The tower, which was built long ago":                       false,
	} {
		at := strings.Index(text, sentence)
		if got := Fragment(quote.Sentence{Text: sentence, Span: evidence.Span{Start: at, End: at + len(sentence)}}, text); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}
