package research

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

func TestFiguresDifferOnlyWhereTheSameIsSaid(t *testing.T) {
	m := matter{names: []string{"acme"}}
	for _, c := range []struct {
		a, b   string
		alike  float64
		differ bool
	}{
		{"In 2023 Acme sold 3,289 pumps.", "Shipments of Acme came to 4,846 pumps in 2023.", 0.69, true},
		{"In 2023 Acme sold 3,289 pumps.", "Shipments of Acme came to 3,290 pumps in 2023.", 0.69, false},
		{"Acme sold 300 pumps.", "Acme sold 120 pumps in Norway.", 0.9, false},
		{"A ticket of Acme costs 22 cents.", "A ticket of Acme costs 34 cents.", 1, true},
		{"A ticket of Acme costs 12 euros.", "A ticket of Acme costs 9 euros for children.", 0.82, false},
		{"Revenue of Acme reached 4 crowns.", "Profit of Acme reached 1 crowns.", 0.94, false},
		{"80 members voted for Acme.", "20 members voted against Acme.", 0.71, false},
		{"In 2023 Acme sold 3,289 pumps.", "Acme sold 120 boats in 2023.", 0.35, false},
	} {
		if _, _, ok := m.statedIn(c.a).differ(m.statedIn(c.b), c.alike); ok != c.differ {
			t.Errorf("%q and %q differ: %v", c.a, c.b, ok)
		}
	}
}

func TestFiguresAreReadInOtherLanguages(t *testing.T) {
	m := matter{names: []string{"acme"}}
	for _, c := range []struct {
		a, b   string
		differ bool
	}{
		{"80 Abgeordnete stimmten für Acme.", "20 Abgeordnete stimmten gegen Acme.", false},
		{"80 députés ont voté pour Acme.", "20 députés ont voté contre Acme.", false},
		{"80 diputados votaron por Acme.", "20 diputados votaron contra Acme.", false},
		{"Eine Fahrkarte von Acme kostet 22 Euro.", "Eine Fahrkarte von Acme kostet 34 Euro.", true},
		{"Eine Fahrkarte von Acme kostet derzeit 22 Kronen.", "Heute kostet eine Fahrkarte von Acme 34 Kronen.", true},
		{"Un billet d'Acme coûte 22 euros.", "Un billet d'Acme coûte 34 euros.", true},
		{"Un billet d'Acme coûte 22 euros.", "Un billet d'Acme ne coûte pas 34 euros.", false},
		{"80 members voted for Acme.", "20 members didn’t vote for Acme.", false},
		{"80 members voted for Acme.", "20 members mustn’t vote for Acme.", false},
	} {
		if _, _, ok := m.statedIn(c.a).differ(m.statedIn(c.b), 0.9); ok != c.differ {
			t.Errorf("%q and %q differ: %v, %+v, %+v", c.a, c.b, ok, m.statedIn(c.a), m.statedIn(c.b))
		}
	}
	for text, unit := range map[string]string{"Acme baut am 3. März 5 Pumpen.": "pump", "Acme wog 3 Tonnen.": "t", "Acme pesait 3 tonnes.": "t"} {
		if got := m.statedIn(text).counts; len(got) == 0 || !strings.HasPrefix(got[len(got)-1].unit, unit) {
			t.Errorf("%q counts %+v", text, got)
		}
	}
}

func TestWhatANewerSourceDeniesIsReplaced(t *testing.T) {
	m := matter{names: []string{"tolva"}}
	old := m.statedIn("Tolva is published under the Brecon licence.")
	for text, want := range map[string]bool{
		"From version 6 Tolva is no longer published under the Brecon licence.": true,
		"Tolva is no longer published under the Lorne licence.":                 false,
		"From version 6 Tolva is published under the Brecon licence.":           false,
		"Tolva is not painted.": false,
	} {
		if got := old.deniedBy(m.statedIn(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

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
