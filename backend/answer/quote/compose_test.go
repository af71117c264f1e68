package quote

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
)

func TestPartsOfAnAnswerAreJoinedWithoutRepeating(t *testing.T) {
	a := Sentence{Passage: 0, Text: "A."}
	b := Sentence{Passage: 1, Text: "B."}
	got := merge([]Result{
		{State: Answer, Sentences: []Sentence{a}, Short: "1932"},
		{State: Answer, Sentences: []Sentence{a, b}},
		{State: None, Sentences: []Sentence{{Passage: 3}}},
	})
	if got.State != Answer || len(got.Sentences) != 2 || got.Short != "" {
		t.Errorf("%+v", got)
	}
}

func TestAQuestionOrRunInHeadingGivesWayToItsSuccessor(t *testing.T) {
	passages := []Passage{{Text: "Who may open it? Only the wardens. Nobody else."}, {Text: "Railing. It is to be replaced in May."}}
	r := withSuccessors(Result{Sentences: []Sentence{
		{Passage: 0, Text: "Who may open it?", Order: 0}, {Passage: 1, Text: "Railing.", Order: 0},
	}}, passages)
	var got []string
	for _, s := range r.Sentences {
		got = append(got, s.Text)
	}
	if want := []string{"Only the wardens.", "It is to be replaced in May."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestASentenceIsFoundByTheHeadingAboveIt(t *testing.T) {
	text := "Policy of 2026\n\nIt runs for a year.\n\n2. Excess\n\nThe trust pays the first 500 euro of any damage.\n\n3. Visitors\n\nInjury of visitors is covered by the policy."
	r := extract(t.Context(), checkerForTest(t), "What is the excess of the policy?", []Passage{{N: 1, Title: "Insurance", Text: text, BM: 1}}, nil)
	if r.State != Answer || r.best().Text != "The trust pays the first 500 euro of any damage." {
		t.Errorf("%s: %+v", r.State, r.Sentences)
	}
}

func told(r Result) (got []string) {
	for _, s := range r.Sentences {
		got = append(got, s.Text)
	}
	return got
}

func TestASentenceThatPointsBackBringsTheOneBefore(t *testing.T) {
	passages := []Passage{{Text: "The lens weighs 3 tonnes. It floats in mercury. It turns. They left.\n\nIt was Monday. Who came? He did. Long " + strings.Repeat("long ", 60) + "end. It ends."}}
	for order, want := range map[int][]string{
		0: {"The lens weighs 3 tonnes."},
		1: {"The lens weighs 3 tonnes.", "It floats in mercury."},
		2: {"It turns."},      // the one before points back itself
		4: {"It was Monday."}, // a new paragraph
		6: {"He did."},        // a question is no answer
		8: {"It ends."},       // too long
	} {
		all := statements.Of(passages[0].Text)
		s := Sentence{}.replacedBy(all, order, passages[0].Text)
		if got := told(withAntecedents(Result{Sentences: []Sentence{s}}, passages)); !slices.Equal(got, want) {
			t.Errorf("%d: %q, want %q", order, got, want)
		}
	}
	both := Result{Sentences: []Sentence{{Passage: 0}, {Passage: 0, Order: 1}}}
	all := statements.Of(passages[0].Text)
	for i := range both.Sentences {
		both.Sentences[i] = both.Sentences[i].replacedBy(all, i, passages[0].Text)
	}
	if got := told(withAntecedents(both, passages)); len(got) != 2 {
		t.Errorf("%q stands twice", got)
	}
}

func TestALabelStaysBeforeWhatItLeadsTo(t *testing.T) {
	passages := []Passage{{Text: "3 January. Wind north-west. Lamp clear. Used 4 gallons of paraffin."}}
	all := statements.Of(passages[0].Text)
	at := func(i int) Sentence { return Sentence{}.replacedBy(all, i, passages[0].Text) }
	if got := told(withSuccessors(Result{Sentences: []Sentence{at(0), at(3)}}, passages)); !slices.Equal(got, []string{"3 January.", "Used 4 gallons of paraffin."}) {
		t.Errorf("%q", got)
	}
	if got := told(withSuccessors(Result{Sentences: []Sentence{at(0)}}, passages)); !slices.Equal(got, []string{"Wind north-west."}) {
		t.Errorf("%q", got)
	}
	passages[0].Text = "Acme Inc.\nIt reports. It grew much."
	all = statements.Of(passages[0].Text)
	if got := told(withSuccessors(Result{Sentences: []Sentence{at(0), at(2)}}, passages)); slices.Contains(got, "Acme Inc.") {
		t.Errorf("%q: a line of its own leads to nothing", got)
	}
}

func TestBesideASentenceWithAllOfTheQuestionLittleIsLeft(t *testing.T) {
	of := func(own ...float64) (all []Sentence) {
		for _, o := range own {
			all = append(all, Sentence{shares: shares{own: o}})
		}
		return all
	}
	for _, c := range []struct {
		given []Sentence
		left  int
	}{{of(1, 0.6, 0.75), 2}, {of(0.8, 0.45, 0.3), 2}, {of(0.5, 0.2, 0.3), 2}, {nil, 0}} {
		if got := telling(c.given); len(got) != c.left {
			t.Errorf("%v: %d left", c.given, len(got))
		}
	}
}

func TestContentsAreNoStatements(t *testing.T) {
	text := "1.1 How the mill is driven . . . . . . . . 9\n\n1.2 The stones ........ 11  12\n\nThe mill is driven by water... and by nothing else."
	all := statements.Of(text)
	if len(all) != 1 || !strings.HasPrefix(text[all[0].Start:], "The mill is driven") {
		t.Errorf("%+v", all)
	}
}

func TestContentsAreNoRows(t *testing.T) {
	text := "2.1 Stones . . . . . . . .  9\n2.2 Wheels . . . . . . . .  11\n2.3 Sluice  12"
	doc := evidence.Document{Text: text}
	for at := 0; at < len(text); at = strings.IndexByte(text[at:]+"\n", '\n') + at + 1 {
		end := at + strings.IndexByte(text[at:]+"\n", '\n')
		doc.Blocks = append(doc.Blocks, evidence.Block{Kind: evidence.TableRow, Start: at, End: end})
	}
	for _, r := range (&RowCache{}).Put("d", doc) {
		if r.Label != "2.3 Sluice" {
			t.Errorf("%+v", r)
		}
	}
}

func TestAHeadingAboutMoreThanTheTermIsAboutAnotherThing(t *testing.T) {
	q := NewQuery(checkerForTest(t), "What is a flume?")
	rare := q.newRarity(nil)
	if whole, more := q.opened(rare, "Flume"), q.opened(rare, "The flume wiki"); whole != 1 || more != 0.5 {
		t.Errorf("%v %v", whole, more)
	}
	q = NewQuery(checkerForTest(t), "How do I open the flume?")
	rare = q.newRarity(nil)
	if whole, more := q.opened(rare, "Open the flume"), q.opened(rare, "Open the flume in winter"); whole != more {
		t.Errorf("%v %v", whole, more)
	}
}
