package versions

import (
	"testing"

	"footnote/backend/cite"
)

func TestANewerPageOutdatesAnOlderOne(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	page := func(dated int, text string) Statement { return Statement{Text: text, Version: Version{Dated: dated}} }
	for _, x := range []struct {
		question string
		s, old   Statement
		want     bool
	}{
		{"When will the Lorne bridge reopen?", page(20261007, "Engineers expect the Lorne bridge to reopen on 14 December 2026."), page(20230503, "The Lorne bridge will reopen on Thursday 4 May."), true},
		{"When will the Lorne bridge reopen?", page(20230503, "The Lorne bridge will reopen on Thursday 4 May."), page(20261007, "Engineers expect the Lorne bridge to reopen on 14 December 2026."), false},
		{"When was the Lorne bridge built?", page(20261007, "The Lorne bridge was built in 1907."), page(20240503, "The Lorne bridge was built in 1905."), false},
		{"Was kostet der Eintritt ins Freibad?", page(20260504, "Der Eintritt ins Freibad beträgt seit Mai 2026 5,50 Euro."), page(20240422, "Der Eintritt ins Freibad kostet auch in diesem Jahr 4,50 Euro."), true},
		{"Was kostet der Eintritt ins Freibad?", page(20260504, "Der Eintritt ins Freibad kostet 4,50 Euro."), page(20240422, "Der Eintritt ins Freibad kostet auch in diesem Jahr 4,50 Euro."), false},
		{"Qui est le maire de Lorne ?", page(20260402, "Claire Vasseur, maire de Lorne, préside les séances."), page(20200704, "Gérard Montel est le maire de Lorne pour six ans de plus."), true},
		{"How long does plum cake have to bake?", page(20260901, "Some bake the plum cake at 200 °C."), page(20250912, "Bake the plum cake for 50 minutes."), false},
		{"Qui est le maire de Lorne ?", page(20260402, "Claire Vasseur, maire de Lorne, préside."), Statement{Text: "Gérard Montel est le maire de Lorne.", Version: Version{Called: "minutes 2020", Dated: 20200000}}, false},
	} {
		if got := x.s.Outdates(x.old, c, x.question); got != x.want {
			t.Errorf("%s: %q for %q: %v", x.question, x.s.Text, x.old.Text, got)
		}
	}
}

func TestTheMonthOfAFilesName(t *testing.T) {
	for v, want := range map[Version]string{{"minutes", 20240315}: "2024-03", {"minutes", 20240300}: "2024-03", {"minutes", 20240000}: "", {"", 20240315}: ""} {
		if got := v.Month(); got != want {
			t.Errorf("%+v: %q", v, got)
		}
	}
}

func TestADayWithoutAYearGetsThatOfItsPage(t *testing.T) {
	for _, x := range []struct {
		v    Version
		date string
		want string
	}{
		{Version{Dated: 20230503}, "4 May", "4 May (2023)"}, {Version{Dated: 20230503}, "4 May 2022", "4 May 2022"}, {Version{Dated: 20230503}, "", ""},
		{Version{Called: "notes", Dated: 20230503}, "4 May", "4 May"}, {Version{}, "4 May", "4 May"},
	} {
		if got, added := x.v.WithYear(x.date); got != x.want || added != (got != x.date) {
			t.Errorf("%+v, %q: %q, %v", x.v, x.date, got, added)
		}
	}
}
