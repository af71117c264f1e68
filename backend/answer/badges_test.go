package answer_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
)

// TestEveryBadgeOfARecordedAnswerOpensAtAHighlight goes through all recorded event
// logs: those of this room, and those that the window's tests show.
func TestEveryBadgeOfARecordedAnswerOpensAtAHighlight(t *testing.T) {
	logs, err := filepath.Glob("testdata/events/*.json")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := filepath.Glob("../../frontend/src/lib/testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	badges := 0
	for _, path := range append(logs, shown...) {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var events []contract.Event
		if err := json.Unmarshal(body, &events); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, e := range events {
			if end, ok := e.Body.(contract.FinishedRun); ok {
				t.Run(filepath.Base(path), func(t *testing.T) { badges += badgesOpen(t, end.Answer, slices.Contains(shown, path)) })
			}
		}
	}
	t.Logf("%d badges in %d logs", badges, len(logs)+len(shown))
	if len(logs) < 5 || badges < 10 {
		t.Errorf("%d badges in %d and %d logs", badges, len(logs), len(shown))
	}
}

// badgesOpen follows each marker of an answer to the place it opens, and counts
// them. The passages of a drawn answer have no extent.
func badgesOpen(t *testing.T, a contract.Answer, drawn bool) int {
	t.Helper()
	marks := cite.Markers(a.Answer, 0)
	for _, m := range marks {
		at := utf8.RuneCountInString(a.Answer[:m.Span.Start])
		if !slices.ContainsFunc(a.Citations, func(c contract.Citation) bool { return c.Marker == m.N && c.Claim.Start <= at }) {
			t.Errorf("the badge [%d] at %d opens nothing", m.N, at)
		}
	}
	for _, c := range a.Citations {
		citationOpens(t, a, c, drawn)
	}
	return len(marks)
}

func citationOpens(t *testing.T, a contract.Answer, c contract.Citation, drawn bool) {
	t.Helper()
	text := []rune(a.Answer)
	if c.Claim.Start < 0 || c.Claim.End > len(text) || string(text[c.Claim.Start:c.Claim.End]) != c.Claim.Text {
		t.Errorf("[%d]: the claim %q does not stand at %d", c.Marker, c.Claim.Text, c.Claim.Start)
	}
	if c.Marker < 1 || c.Marker > len(a.Sources) || a.Sources[c.Marker-1].ID != c.Source {
		t.Fatalf("[%d] is no number of its source %s", c.Marker, c.Source)
	}
	card := a.Sources[c.Marker-1]
	at := slices.IndexFunc(card.Passages, func(p contract.PlacedPassage) bool { return p.ID == c.Passage })
	if at < 0 {
		t.Fatalf("[%d]: the card of the source lacks passage %s", c.Marker, c.Passage)
	}
	size := card.Passages[at].At.End - card.Passages[at].At.Start
	if drawn {
		size = c.Quote.End
	}
	if c.Quote.End-c.Quote.Start != utf8.RuneCountInString(c.Quote.Text) {
		t.Errorf("[%d]: %q is not %d characters long", c.Marker, c.Quote.Text, c.Quote.End-c.Quote.Start)
	}
	for _, lit := range append(c.Highlight, contract.Range{Start: c.Quote.Start, End: c.Quote.End}) {
		if lit.Start < 0 || lit.Start >= lit.End || lit.End > size {
			t.Errorf("[%d]: highlight %+v in a passage of %d characters", c.Marker, lit, size)
		}
	}
}
