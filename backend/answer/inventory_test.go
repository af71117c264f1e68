package answer_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// lister is a shelf whose catalogue has files; the last of them gave no text.
type lister struct {
	*shelf
	files    int
	opens    map[int]string // other openings
	passages map[int]int    // of a file, else one
	asked    []string
}

func (l *lister) Inventory(_ context.Context, query, order string, failed bool, _ contract.Scope, most int) (evidence.Listing, error) {
	l.asked = append(l.asked, strings.TrimSpace(order+" "+query))
	if strings.Contains(query, "folder:") {
		return evidence.Listing{}, nil
	}
	m := evidence.Listing{Files: l.files, Bytes: int64(l.files) * 1500}
	for i := range min(most, l.files) {
		f := evidence.Listed{Bytes: 1500, Passages: max(1, l.passages[i]), Changed: day}
		text := cmp.Or(l.opens[i], fmt.Sprintf("The opening of file %d. And more of it.", i))
		f.Source = evidence.Source{Kind: evidence.File, Address: fmt.Sprintf("/x/report%d.txt", i), Title: "Report", Digest: evidence.Digest([]byte(text)), Seen: day}
		f.Source.ID = evidence.NewSourceID(f.Source.Kind, f.Source.Address, f.Source.Digest)
		if i+1 < l.files {
			f.Passage = evidence.Passage{ID: evidence.NewPassageID(f.Source.Digest, 0, len(text)), Source: f.Source.ID, Text: text, At: evidence.Locator{End: len(text)}}
		} else {
			f.Reason = "It is encrypted."
		}
		m.In = append(m.In, f)
	}
	return m, nil
}

func listing(t *testing.T, files int) (*stage, *lister) {
	l := &lister{files: files}
	return set(t, nil, func(s *stage) { l.shelf = s.shelf; s.search = l }), l
}

func TestQuestionsAboutTheFilesAreLookedUp(t *testing.T) {
	s, l := listing(t, 3)
	a := finished(t, s.ask(t, "How many PDFs do I have?", nil))
	want := "Files: **3** · 4.5 kB (pdf)\n\n- report0.txt: 1.5 kB, " + day.Local().Format("2006-01-02") + " [1]\n"
	if a.Outcome != contract.Computed || !strings.HasPrefix(a.Answer, want) || !strings.Contains(a.Answer, " · It is encrypted.") || l.asked[0] != "type:pdf" {
		t.Errorf("%s %q asked %q", a.Outcome, a.Answer, l.asked)
	}
	if len(a.Citations) != 2 || a.Citations[0].Quote.Text != "The opening of file 0." || a.Citations[0].Verdict != contract.QuotedIn {
		t.Errorf("each file that was read opens at its beginning: %+v", a.Citations)
	}
	a = finished(t, s.ask(t, "Welche Datei ist die größte?", nil))
	if !strings.HasPrefix(a.Answer, "**Größte**\n\n- report0.txt") || l.asked[len(l.asked)-1] != "largest" {
		t.Errorf("%q asked %q", a.Answer, l.asked)
	}
}

func TestANumberOfManyFilesListsNone(t *testing.T) {
	s, _ := listing(t, 300)
	if a := finished(t, s.ask(t, "how many files are there?", nil)); a.Answer != "Files: **300** · 450.0 kB" || len(a.Sources) != 0 {
		t.Errorf("%q with %d sources", a.Answer, len(a.Sources))
	}
}

func TestAFolderThatIsNoneIsSearched(t *testing.T) {
	s, _ := listing(t, 3)
	if a := finished(t, s.ask(t, "how many files are in the folder Nowhere?", nil)); a.Outcome == contract.Computed {
		t.Errorf("answered by the catalogue: %q", a.Answer)
	}
}

func TestWithoutFilesNothingIsListed(t *testing.T) {
	s, _ := listing(t, 0)
	if a := finished(t, s.ask(t, "how many files are there?", nil)); strings.Contains(a.Answer, "Files:") {
		t.Errorf("%q", a.Answer)
	}
}
