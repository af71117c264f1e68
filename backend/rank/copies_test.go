package rank

import (
	"slices"
	"testing"

	"footnote/backend/evidence"
)

func TestCopiesAreOneSourceWithTheirAddresses(t *testing.T) {
	at := func(address, text string) Candidate {
		return Candidate{Source: evidence.Source{ID: evidence.SourceID(address), Address: address}, Passage: evidence.Passage{Text: text}}
	}
	const text = "The harbour board opened the new lock on Monday and lets ships of every size pass without a fee"
	got := DedupAbove([]Candidate{
		at("https://a.example/news", text), at("https://b.example/copy", text+" "), at("https://a.example/news?utm_source=x", text),
		at("https://c.example/copy", text), at("https://d.example/other", "Another matter altogether is told here of gardens and of rain"), at("https://c.example/copy", text),
	}, 0.9)
	if len(got) != 2 || !slices.Equal(got[0].Score.AlsoIn, []string{"https://b.example/copy", "https://c.example/copy"}) || len(got[1].Score.AlsoIn) != 0 {
		t.Errorf("%+v", got)
	}
}
