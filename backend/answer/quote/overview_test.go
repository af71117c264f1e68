package quote

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestAnOverviewIsOfTheFileInTheLanguageOfTheQuestion(t *testing.T) {
	file := func(name, text string) rank.Candidate {
		return rank.Candidate{Source: evidence.Source{Kind: evidence.File, Title: name, Address: "/x/" + name, Digest: text}, Passage: evidence.Passage{Text: text}}
	}
	pool := []rank.Candidate{
		file("lease.en.txt", "The lease is for the house in the street and it is long."), file("lease.de.txt", "Der Mietvertrag ist für das Haus in der Straße und er ist lang."),
		file("finance.xlsx", "Rent: 640"),
	}
	for question, want := range map[string]string{
		"Summarise the lease": "lease.en.txt", "Fasse lease zusammen": "lease.de.txt", "summarise finance.xlsx": "finance.xlsx", "What is in finance.xlsx?": "finance.xlsx", "Summarise the treaty": "",
	} {
		if got, ok := FindOverview(checkerForTest(t), question, pool, false); got.Source.Title != want || ok != (want != "") {
			t.Errorf("%s: %q", question, got.Source.Title)
		}
	}
}

func TestAnOverviewOfATableIsWhatItsPartsBeginWith(t *testing.T) {
	text := "| Month | Rent |\n| --- | --- |\n| May | 640 |\n| June | 655 |\n"
	got := Overview(checkerForTest(t), []rank.Candidate{{Source: evidence.Source{Title: "finance"}, Passage: evidence.Passage{Text: text}}}, "de")
	if got.State != Answer || len(got.Sentences) < 2 || !strings.Contains(got.Lead, "finance") || !strings.HasPrefix(got.Lead, "Aus") {
		t.Fatalf("%+v", got)
	}
	for _, s := range got.Sentences {
		if text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}
