package answer_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Text gives a file of the test's library; a line with columns is a row, a line
// after "# " a heading.
func (s *shelf) Text(_ context.Context, digest string) (string, []evidence.Block, error) {
	for _, text := range s.files {
		if evidence.Digest([]byte(text)) != digest {
			continue
		}
		s.mu.Lock()
		s.read++
		s.mu.Unlock()
		var blocks []evidence.Block
		at := 0
		for line := range strings.Lines(text) {
			b := evidence.Block{Start: at, End: at + len(strings.TrimRight(line, "\n")), Kind: evidence.Paragraph}
			switch {
			case strings.HasPrefix(line, "# "):
				b.Kind, b.Level = evidence.Heading, 1
			case strings.Contains(line, "  "):
				b.Kind = evidence.TableRow
			}
			at += len(line)
			blocks = append(blocks, b)
		}
		return text, blocks, nil
	}
	return "", nil, fault.New(fault.NotFound, "There is no such text.", "")
}

const (
	guide = "# Tickets\nTicket  Price\nAdult  9.50 euro\nFamily, two adults and up to three children  22.00 euro\nGroup of ten or more, each  7.00 euro\nThe desk sells them until five.\n"
	meals = "A meal on each day of duty, travel costs up to 12 euro, and a yearly ticket for two guests.\n"
)

func quarter(revenue, costs string) string {
	return "# Statements\nJuly 1, 2023  June 25, 2022\nNet sales:\nTotal net sales  " + revenue + "\nResearch and development  " + costs + "\nThe company was founded long ago.\n"
}

func tabled(t *testing.T, files map[string]string, question string, k int) contract.Answer {
	t.Helper()
	s := set(t, nil, func(s *stage) { s.shelf, s.web = &shelf{files: files}, nil })
	return finished(t, s.ask(t, question, func(q *contract.Question) { q.Focus, q.K = contract.FocusLocal, k }))
}

func TestAQuestionForANumberIsAnsweredByTheRowOfATable(t *testing.T) {
	a := tabled(t, map[string]string{"/x/Guide.md": guide, "/x/Meals.txt": meals}, "How much does a family ticket cost?", 0)
	if a.Answer != "Family, two adults and up to three children: Price: 22.00 euro [1]" || len(a.Citations) != 1 {
		t.Fatalf("%q %+v", a.Answer, a.Citations)
	}
	c := a.Citations[0]
	if c.Verdict != contract.QuotedIn || c.Quote.Text != "Family, two adults and up to three children  22.00 euro" ||
		string([]rune(guide)[c.Quote.Start:c.Quote.End]) != c.Quote.Text || a.Sources[0].Path != "/x/Guide.md" {
		t.Errorf("%+v", c)
	}
}

func TestASentenceWithAllOfTheQuestionNeedsNoRow(t *testing.T) {
	a := tabled(t, map[string]string{"/x/Guide.md": guide, "/x/Desk.txt": "A ticket for a family costs less on the desk.\n"}, "Does a family ticket cost less on the desk?", 0)
	if strings.Contains(a.Answer, "22.00") || !strings.Contains(a.Answer, "costs less on the desk.") {
		t.Errorf("%q", a.Answer)
	}
}

var quarters = map[string]string{
	"/x/2022 Q3.pdf": quarter("82,959  81,434", "6,797  5,717"),
	"/x/2023 Q2.pdf": quarter("94,836  97,278", "7,457  6,387"),
	"/x/2023 Q3.pdf": quarter("81,797  82,959", "7,442  6,797"),
}

func TestComparedPeriodsGiveARowAFile(t *testing.T) {
	a := tabled(t, quarters, "How did total net sales change over time?", 0)
	for _, figure := range []string{"82,959; June", "94,836", "81,797"} {
		if !strings.Contains(a.Answer, figure) {
			t.Errorf("%s is missing in %q", figure, a.Answer)
		}
	}
	if !strings.Contains(a.Answer, "Total net sales: July 1, 2023: 94,836; June 25, 2022: 97,278 [") {
		t.Errorf("%q", a.Answer)
	}
	markers := []int{}
	for _, c := range a.Citations {
		markers = append(markers, c.Marker)
	}
	if !slices.Equal(markers, []int{1, 2, 3}) {
		t.Errorf("footnotes %v do not count up", markers)
	}
}

func TestAnAbbreviationFindsItsRow(t *testing.T) {
	a := tabled(t, quarters, "What was the R&D expense?", 0)
	if !strings.Contains(a.Answer, "Research and development: July 1, 2023: ") {
		t.Errorf("%q", a.Answer)
	}
}

const tides = "# Tides\ndate  first high water  closed from\n2026-05-02  06:12  05:10\n2026-05-03  06:51  05:50\n2026-05-05  08:07  07:10\n"

func TestARowOfAnotherDateIsNoAnswer(t *testing.T) {
	for _, day := range []string{"2026-05-03", "3 May 2026", "May 3"} {
		a := tabled(t, map[string]string{"/x/Tides.txt": tides}, "When is high water on "+day+"?", 0)
		if !strings.Contains(a.Answer, "06:51") || strings.Contains(a.Answer, "08:07") || strings.Contains(a.Answer, "06:12") {
			t.Errorf("%s: %q", day, a.Answer)
		}
	}
}

func TestAWhenQuestionIsNotAnsweredByARowWithoutATime(t *testing.T) {
	posts := "# Posts\nPost  People a day  Training\nBoat landing  2  one day\nTower stair  3  two days\n"
	a := tabled(t, map[string]string{"/x/Posts.txt": posts, "/x/Boats.txt": "The last boat leaves the landing at 17:15.\n"}, "When does the last boat leave the landing?", 0)
	if strings.HasPrefix(a.Answer, "Boat landing") || !strings.Contains(a.Answer, "17:15") {
		t.Errorf("%q", a.Answer)
	}
}

func TestMarksOfFootnotesAreNoPartOfALabel(t *testing.T) {
	marked := strings.ReplaceAll(quarter("82,959  81,434", "6,797  5,717"), "Research and development", "Research and development (1)(a)")
	a := tabled(t, map[string]string{"/x/2022 Q3.pdf": marked}, "What was the R&D expense?", 0)
	if !strings.Contains(a.Answer, "Research and development: July 1, 2023: 6,797") {
		t.Errorf("%q", a.Answer)
	}
}

func TestAQuestionWhetherPeriodsDifferGetsTheirRows(t *testing.T) {
	a := tabled(t, quarters, "Has there been any change in research and development over the reported quarters?", 0)
	for _, figure := range []string{"7,457", "7,442", "6,797"} {
		if !strings.Contains(a.Answer, figure) {
			t.Errorf("%s is missing in %q", figure, a.Answer)
		}
	}
}

func TestSentencesBesideARowSpeakOfIt(t *testing.T) {
	report := quarter("82,959  81,434", "6,797  5,717") + "I have reviewed this quarterly report of the company for the latest quarter.\nGrowth in research and development expense in the latest quarter was driven by headcount, as this report tells.\n"
	a := tabled(t, map[string]string{"/x/2022 Q3.pdf": report}, "What was the R&D research expense in the latest quarterly report of the company?", 0)
	if !strings.HasPrefix(a.Answer, "Research and development: ") || strings.Contains(a.Answer, "reviewed") {
		t.Errorf("%q", a.Answer)
	}
}

func TestALabelIsNotCutInsideAWord(t *testing.T) {
	paper := strings.ReplaceAll(quarter("1,000  2,000", "3,000  4,000"), "Research and development", "Proceeds from/(Repayments of) commercial paper, net")
	a := tabled(t, map[string]string{"/x/2022 Q3.pdf": paper, "/x/Law.txt": "The company is subject to legal proceedings that are not resolved.\n"}, "What legal proceedings are disclosed?", 0)
	if strings.Contains(a.Answer, "commercial paper") || !strings.Contains(a.Answer, "subject to legal proceedings") {
		t.Errorf("%q", a.Answer)
	}
}

func TestTheReadersNumberOfPassagesHolds(t *testing.T) {
	a := tabled(t, quarters, "How did total net sales change over time?", 2)
	if len(a.Sources) != 2 || len(a.Citations) != 2 {
		t.Errorf("%d sources, %d citations", len(a.Sources), len(a.Citations))
	}
}

func TestATableThatCannotBeReadLeavesTheSentences(t *testing.T) {
	s := set(t, nil, func(s *stage) { s.shelf, s.web = &shelf{files: map[string]string{"/x/Meals.txt": meals}}, nil })
	s.shelf.files["/x/Meals.txt"] = meals + " "
	a := finished(t, s.ask(t, "How much are travel costs?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if !strings.Contains(a.Answer, "12 euro") {
		t.Errorf("%q", a.Answer)
	}
}

func TestTheSecondQuestionReadsNoTableAgain(t *testing.T) {
	s := set(t, nil, func(s *stage) { s.shelf, s.web = &shelf{files: quarters}, nil })
	ask := func() int {
		before := s.shelf.texts()
		s.ask(t, "How did total net sales change over time?", func(q *contract.Question) { q.Focus = contract.FocusLocal })
		return s.shelf.texts() - before
	}
	if first, second := ask(), ask(); second > first-len(quarters) {
		t.Errorf("%d texts were read for the first question, %d for the second", first, second)
	}
}
