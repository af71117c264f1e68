package report

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
	"footnote/backend/research/headings"
)

func TestPagesOfOneTitleOnTwoSitesAreNoVersions(t *testing.T) {
	page := func(id, address, title string) rank.Candidate {
		kind := evidence.File
		if strings.HasPrefix(address, "http") {
			kind = evidence.Web
		}
		return rank.Candidate{Source: evidence.Source{Kind: kind, Title: title, Address: address}, Passage: evidence.Passage{ID: evidence.PassageID(id)}}
	}
	years := map[evidence.PassageID]int{"old": 2021, "new": 2025}
	for _, c := range []struct {
		old, newer, title string
		want              string
	}{
		{"/a/rules.pdf", "/b/rules-2025.pdf", "Rules", "“Rules” of 2021 (2025 counts)"},
		{"https://www.a.example/1", "https://a.example/2", "Rules", "“Rules” of 2021 (2025 counts)"},
		{"https://a.example/", "https://b.example/", "Home", ""},
		{"https://a.example/", "/a/rules.pdf", "Rules", ""},
		{"/a/x.pdf", "/b/x.pdf", "", ""},
	} {
		outdated, said := olderVersions([]rank.Candidate{page("old", c.old, c.title), page("new", c.newer, c.title)}, func(c rank.Candidate) int { return years[c.Passage.ID] }, lang.English.Say)
		if strings.Join(said, "") != c.want || outdated["old"] != (c.want != "") || outdated["new"] {
			t.Errorf("%s, %s: %q %v", c.old, c.newer, said, outdated)
		}
	}
}

func TestWhatAnswersMayBeOfNoHeading(t *testing.T) {
	var plain, late headings.Headed
	plain[slices.Index(headings.All, headings.Other)], late[slices.Index(headings.All, headings.Figures)] = 0.9, 0.9
	sentence := func(text string) quote.Sentence { return quote.Sentence{Text: text} }
	old := &finding{Sentence: sentence("The tower is 40 metres high."), likely: late, newer: &finding{}}
	w := &reporter{found: []*finding{{Sentence: sentence("The door of the tower is green."), likely: plain}, old}}
	passages := []quote.Passage{{}}
	for name, c := range map[string]struct {
		of   func([]quote.Sentence, []quote.Passage) []quote.Sentence
		want int
	}{"what answers": {w.current, 1}, "what tells of the subject": {w.telling, 0}} {
		if got := c.of([]quote.Sentence{sentence("The door of the tower is green."), old.Sentence}, passages); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatANewerVersionSaysOtherwiseIsReplaced(t *testing.T) {
	of := func(id string, year int, text string) *finding {
		return &finding{Sentence: quote.Sentence{Text: text}, source: evidence.Source{Title: "Warranty"}, passage: evidence.PassageID(id), year: year}
	}
	old, gone, dated := of("old", 2022, "Tolva gives a warranty of ten years on every meter."), of("old", 2022, "Customers return meters free of charge."), of("old", 2022, "Tolva was founded in 1968.")
	newer := of("new", 2025, "Tolva gives a warranty of five years on every meter.")
	w := &reporter{found: []*finding{old, gone, dated, newer}, outdated: map[evidence.PassageID]bool{"old": true}}
	w.replaceOlder()
	if !slices.Equal(w.found, []*finding{old, dated, newer}) || old.newer != newer || dated.newer != nil {
		t.Errorf("%d left, replaced %v", len(w.found), old.newer != nil)
	}
}

func TestAFindingThatAnotherIsShownBehindIsShownOnce(t *testing.T) {
	var strong headings.Headed
	strong[slices.Index(headings.All, headings.Strengths)] = 0.9
	slow := &finding{Sentence: quote.Sentence{Text: "Tolva takes 26 days."}}
	praised := &finding{Sentence: quote.Sentence{Text: "Its engineers are praised."}, before: []quote.Sentence{slow.Sentence}, likely: strong}
	for heading, want := range map[string]int{headings.Strengths: 1, headings.Timeline: 1, headings.Risks: 2} {
		if got := withoutLeads([]*finding{slow, praised}, []*finding{slow, praised}, heading); len(got) != want {
			t.Errorf("%s: %d left", heading, len(got))
		}
	}
}
