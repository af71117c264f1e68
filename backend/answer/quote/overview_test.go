package quote

import (
	"cmp"
	"slices"
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

func TestAnOverviewPassesOverTitlesPiecesAndWhatLeansOnOthers(t *testing.T) {
	text := "Use of the boathouse roof.\nmeans the boathouse roof and its old timbers.\nIt keeps the boathouse roof timbers dry.\nThe boathouse roof has timbers of oak and is kept by the trustees of the harbour.\n"
	file := []rank.Candidate{{Passage: evidence.Passage{Text: text, At: evidence.Locator{Heading: "4. Use of the boathouse roof."}}}}
	got := TellingSentences(checkerForTest(t), file)
	for _, s := range got {
		if strings.HasPrefix(s.Text, "Use") {
			t.Errorf("a title: %q", s.Text)
		}
	}
	best := slices.MaxFunc(got, func(a, b Sentence) int { return cmp.Compare(a.Score, b.Score) })
	if !strings.HasPrefix(best.Text, "The boathouse") {
		t.Errorf("%q says most", best.Text)
	}
}

func TestAnOverviewTakesWhatAFileSpeaksOf(t *testing.T) {
	file := []rank.Candidate{
		{Passage: evidence.Passage{Text: "The roof of the boathouse leaks and the roof timbers are wet. Nobody came on the second Tuesday of the very long month of May this year. A new roof for the boathouse costs 25,000 euro."}},
		{Passage: evidence.Passage{Text: "The trustees want the boathouse roof repaired before winter. Who will pay for the roof of the boathouse then? Is it wet?"}},
	}
	got := TellingSentences(checkerForTest(t), file)
	if len(got) != 4 || got[0].Text != "The roof of the boathouse leaks and the roof timbers are wet." || got[3].Passage != 1 {
		t.Fatalf("%+v", got)
	}
	for _, s := range got {
		if strings.HasSuffix(s.Text, "?") || file[s.Passage].Passage.Text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}
