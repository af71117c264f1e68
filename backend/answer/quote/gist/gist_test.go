package gist

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func checker(t *testing.T) *cite.Checker {
	t.Helper()
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnOverviewPassesOverTitlesPiecesAndWhatLeansOnOthers(t *testing.T) {
	text := "Use of the boathouse roof.\nmeans the boathouse roof and its old timbers.\nIt keeps the boathouse roof timbers dry.\nThe boathouse roof has timbers of oak and is kept by the trustees of the harbour.\n"
	file := []rank.Candidate{{Passage: evidence.Passage{Text: text, At: evidence.Locator{Heading: "4. Use of the boathouse roof."}}}}
	got := Of(checker(t), file)
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
	got := Of(checker(t), file)
	if len(got) != 4 || got[0].Text != "The roof of the boathouse leaks and the roof timbers are wet." || got[3].Passage != 1 {
		t.Fatalf("%+v", got)
	}
	for _, s := range got {
		if strings.HasSuffix(s.Text, "?") || file[s.Passage].Passage.Text[s.Span.Start:s.Span.End] != s.Text {
			t.Errorf("%q", s.Text)
		}
	}
}
