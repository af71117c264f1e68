package gather

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/settings"
)

func lead(n int, title, snippet string) evidence.Lead {
	return evidence.Lead{Source: evidence.Source{Kind: evidence.Web, Title: title, Address: fmt.Sprintf("https://example.org/%d", n)}, Snippet: snippet}
}

func TestTheLeadsThatFitAreRead(t *testing.T) {
	task, tell := &Task{Settings: settings.Default()}, &journal.Teller{Live: &journal.Live{Log: slog.New(slog.DiscardHandler)}}
	p := &Retriever{Task: task, Tell: tell, Scorer: &Scorer{Task: task, Tell: tell}}
	p.Plan.Standalone = "How long is the Lorne bridge?"
	for i := range 6 {
		p.Evidence.Leads = append(p.Evidence.Leads, lead(i, "Bread", "Dough rests overnight."))
	}
	p.Evidence.Leads = append(p.Evidence.Leads, lead(6, "Lorne bridge", "How long the Lorne bridge is."))
	got := p.bestLeads(context.Background(), 3)
	if len(got) != 3 || got[0].Source.Title != "Lorne bridge" || got[1].Source.Address != "https://example.org/0" {
		t.Errorf("%+v", got)
	}
	p.Evidence.Leads = p.Evidence.Leads[:2]
	if got := p.bestLeads(context.Background(), 3); len(got) != 2 {
		t.Errorf("%d of two leads", len(got))
	}
}

func TestALongPageLeavesRoomForOthers(t *testing.T) {
	c := func(page, passage string, kind evidence.Kind) rank.Candidate {
		return rank.Candidate{Source: evidence.Source{ID: evidence.SourceID(page), Kind: kind}, Passage: evidence.Passage{ID: evidence.PassageID(passage)}}
	}
	got := ""
	for _, c := range rank.Spread([]rank.Candidate{
		c("a", "1", evidence.Web), c("a", "2", evidence.Web), c("a", "3", evidence.Web), c("f", "4", evidence.File),
		c("f", "5", evidence.File), c("f", "6", evidence.File), c("b", "7", evidence.Web),
	}) {
		got += string(c.Passage.ID)
	}
	if got != "1245673" {
		t.Errorf("order %s", got)
	}
}

func TestACopyUnderTheSameHeadlineIsReadLast(t *testing.T) {
	lead := func(address, title string) evidence.Lead {
		return evidence.Lead{Source: evidence.Source{Address: address, Title: title}}
	}
	leads := []evidence.Lead{
		lead("https://mirror.example/1", "The bridge closes for repairs | Mirror"), lead("https://news.example/1", "The bridge closes for repairs | News"),
		lead("https://news.example/2", "The bridge opens later | News"), lead("https://a.example/", "Home"), lead("https://b.example/", "Home"),
	}
	if got := copiesLast(leads, []int{1, 0, 3, 4, 2}); !slices.Equal(got, []int{1, 3, 4, 2, 0}) {
		t.Error(got)
	}
}
