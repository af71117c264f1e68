package answer_test

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/web/webtest"
)

// sectionOf is what stands below a heading of a report.
func sectionOf(report, title string) string {
	_, body, _ := strings.Cut(report, "## "+title+"\n\n")
	body, _, _ = strings.Cut(body, "\n\n## ")
	return body
}

func inDueDiligence(q *contract.Question) {
	q.Mode, q.SubMode = contract.ModeDeep, contract.DueDiligence
}

func TestWithoutAModelDueDiligenceQuotesWhatSpeaksForAndAgainst(t *testing.T) {
	pages := []webtest.Page{
		{Address: "https://lorne.gov/state", Title: "State of the Lorne bridge", Text: "The Lorne bridge carries 52,000 vehicles a day. Its bearings were improved in 2012 and are reliable. The deck of the Lorne bridge has cracks that were reported in 2019."},
		{Address: "https://example.org/tunnel", Title: "Instead of the Lorne bridge", Text: "A tunnel was studied as an alternative to the Lorne bridge in 1998. The Lorne bridge is inspected twice a year by a team of six."},
	}
	a := finished(t, set(t, oneModel{}, func(s *stage) { site(s); s.web.Pages = pages }).ask(t, "Lorne bridge", inDueDiligence))
	for title, want := range map[string]string{
		"Strengths":               "improved in 2012 and are reliable. [",
		"Risks & Concerns":        "has cracks that were reported in 2019. [",
		"Alternatives Considered": "alternative to the Lorne bridge in 1998. [",
		"Recommendation":          "No recommendation is made and no confidence given",
	} {
		if got := sectionOf(a.Answer, title); !strings.Contains(got, want) || strings.Count(a.Answer, want) != 1 {
			t.Errorf("%s: %q\n%s", title, got, a.Answer)
		}
	}
	if strings.Contains(sectionOf(a.Answer, "Recommendation"), "[") || !strings.Contains(a.Answer, "were improved") || !strings.Contains(sectionOf(a.Answer, "Recommendation"), "2 sources on") {
		t.Errorf("a judgement is footnoted\n%s", a.Answer)
	}
	for _, c := range a.Citations {
		if c.Verdict != contract.QuotedIn {
			t.Errorf("%s: %s", c.Verdict, c.Claim.Text)
		}
	}
}

func TestWithoutAModelNoStrengthIsMadeUp(t *testing.T) {
	a := finished(t, set(t, oneModel{}, func(s *stage) { site(s); s.web.Pages = lornePages[2:] }).ask(t, "Lorne bridge", inDueDiligence))
	for title, want := range map[string]string{
		"Strengths": "No sentence that was found names a strength.", "Risks & Concerns": "No sentence that was found names a risk.",
		"Alternatives Considered": "No sentence that was found names an alternative.",
	} {
		if got := sectionOf(a.Answer, title); got != want {
			t.Errorf("%s: %q", title, got)
		}
	}
}

func TestOfAnotherLanguageNothingIsSaidToNameNoRisk(t *testing.T) {
	pages := []webtest.Page{
		{Address: "https://lorne.example/stand", Title: "Stand der Lorne-Brücke", Text: "Über die Lorne-Brücke fahren am Tag 52.000 Fahrzeuge. Das Deck der Lorne-Brücke hat Risse, die 2019 gemeldet wurden, und die Stadt wurde deswegen verklagt."},
	}
	for _, question := range []string{"Lorne-Brücke", "Should we use the Lorne-Brücke?"} {
		a := finished(t, set(t, oneModel{}, func(s *stage) { site(s); s.web.Pages = pages }).ask(t, question, inDueDiligence))
		if strings.Contains(a.Answer, "No sentence that was found") || !strings.Contains(a.Answer, "verklagt") {
			t.Errorf("%s\n%s", question, a.Answer)
		}
	}
}

func TestWithoutAModelAReportSaysThatItDrawsNoConclusions(t *testing.T) {
	a := finished(t, set(t, nil, site).ask(t, lorneQuestion, inDeepMode))
	want := []string{"Executive Summary", "Key Findings", "Detailed Analysis", "Connections & Relationships", "Conclusions", "Related Topics"}
	if got := headings(a.Answer); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := sectionOf(a.Answer, "Conclusions"); !strings.HasPrefix(got, "No conclusions are drawn, because no model was used.") {
		t.Errorf("%q", got)
	}
	if got := sectionOf(a.Answer, "Connections & Relationships"); !strings.Contains(got, "- “Lorne bridge cost”: ") {
		t.Errorf("%q", got)
	}
}
