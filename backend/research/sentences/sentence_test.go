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
		"By: Tim Berg Tim Berg Chief Executive Officer":             false,
		"The hall was painted in 2012 and again in 2019.":           true,
		"What was it that the hall was painted with in those days?": false,
		"define worth(s, d, t) = market(5 EUR, d, t)":               false,
		"valuation = worth[$20] if not {flat}":                      false,
		"The pump (model B) has run since 2019":                     true,
	} {
		if got := States(quote.Sentence{Text: text}); got != want {
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
