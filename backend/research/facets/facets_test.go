package facets

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/research/subject"
)

func TestANameThatSeveralTextsOnASubjectHaveIsASideOfIt(t *testing.T) {
	texts := []string{"The bridge was drawn by Henry Ward.", "For the bridge Henry Ward took a loan.", "The bridge is long.", "Mary Hill was mayor.", "Mary Hill rests."}
	s := subject.Topic{Things: []string{"the bridge"}, List: "the bridge"}
	if got := sharedNames(s, texts); !slices.Equal(got, []string{"Henry Ward"}) {
		t.Errorf("%q", got)
	}
	if got := sharedNames(s, texts[:2]); len(got) != 0 {
		t.Errorf("where all texts come from is a side: %q", got)
	}
}

func TestHeadingsNearTheQuestionAreItsFacets(t *testing.T) {
	e, err := embed.NewMultilingual()
	if err != nil {
		t.Fatal(err)
	}
	at := func(title, heading string) evidence.Found {
		return evidence.Found{Source: evidence.Source{Title: title, Kind: evidence.File}, Passage: evidence.Passage{At: evidence.Locator{Heading: heading}}}
	}
	for question, c := range map[string]struct {
		found []evidence.Found
		want  []string
	}{
		"How are messages kept when the network is down?": {
			[]evidence.Found{at("forwarding.txt", "Purpose"), at("Messages that cannot be sent — Post 2.1 manual", "Intention"), at("Colours of the window", "Red"), at("", "Queues on disk while the network is down > Purpose")},
			[]string{"Messages that cannot be sent", "Queues on disk while the network is down"},
		},
		"Wie hält man das System sicher und aktuell?": {
			[]evidence.Found{at("Bilder", "Sicherheitsaktualisierungen einspielen"), at("Drucken", "Farben")},
			[]string{"Sicherheitsaktualisierungen einspielen"},
		},
	} {
		got, err := Near(context.Background(), e, question, c.found)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", question, got)
		}
	}
}

// TestSectionsThatHoldWhatWasFoundAreItsFacets holds three ways in which a handbook hid
// its own chapters: every title has the name of the subject, one chapter has most of
// what was found, and single words are far from any question.
func TestSectionsThatHoldWhatWasFoundAreItsFacets(t *testing.T) {
	e, err := embed.NewMultilingual()
	if err != nil {
		t.Fatal(err)
	}
	at := func(headings ...string) (found []evidence.Found) {
		for _, heading := range headings {
			found = append(found, evidence.Found{Source: evidence.Source{Title: "Tallybook: bookkeeping by hand", Kind: evidence.File}, Passage: evidence.Passage{At: evidence.Locator{Heading: heading}}})
		}
		return found
	}
	for question, c := range map[string]struct {
		found []evidence.Found
		want  []string
	}{
		"How does Tallybook handle several currencies and their prices?": {
			at("Manual > Principles of Tallybook > Currencies > Histories of prices", "Manual > Principles of Tallybook > Currencies > Fixing the price of a lot", "Manual > Principles of Tallybook > Currencies > Histories of prices", "Manual > Principles of Tallybook > Currencies > Fixing the price of a lot", "Manual > Colours", "Manual > Principles of Tallybook > Printing", "Manual > Shortcuts", "Manual > About"),
			[]string{"Histories of prices", "Fixing the price of a lot"},
		},
		"How do Tallybook and Ada Rooke differ?": { // of a heading nothing but a sign is left
			at("Tallybook & Ada Rooke", "Colours"),
			[]string{"Tallybook: bookkeeping by hand"},
		},
		"How does one plan and watch what is spent?": {
			at("Budgets > Periods", "Reports > Lines", "Budgets > What is a budget?", "Reports > Income and spending", "Budgets > List", "Colours", "Shortcuts", "About", "Thanks", "Licence"),
			[]string{"Budgets", "Reports"},
		},
	} {
		got, err := Near(context.Background(), e, question, c.found)
		if err != nil || len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%s: %q", question, got)
		}
	}
}

func TestPassagesUnderAHeading(t *testing.T) {
	all := []rank.Candidate{{Passage: evidence.Passage{ID: "a", At: evidence.Locator{Heading: "Queues > On disk"}}}, {Passage: evidence.Passage{ID: "b", At: evidence.Locator{Heading: "Colours"}}}}
	if some := Under("Queues", all); len(some) != 1 || some[0].Passage.ID != "a" {
		t.Errorf("%+v", some)
	}
	if some := Under("On the disk", all); len(some) != 1 || some[0].Passage.ID != "a" { // in other words that mean nothing
		t.Errorf("%+v", some)
	}
	if some := Under("Ships", all); len(some) != 0 {
		t.Errorf("%+v", some)
	}
}
